import { parseQuery } from '../../parse/parse-query.js';
import type { ParsedQuery } from '../../parsed-query.js';
import { OBJECT, type SearchSection } from '../section.js';

function querySection(key: string): SearchSection<ParsedQuery | null> {
  return {
    keys: [key],
    tokens: OBJECT,
    absent: null,
    parse: (value, { context }) => parseQuery(value, context),
  };
}

/** `query`: selects and scores hits; null: all documents. */
export const query = querySection('query');

/** `post_filter`: a further condition on hits, applied after aggregations have seen the matches of the query. */
export const postFilter = querySection('post_filter');
