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

/** `query`: what hits match and are scored by; null: all documents. */
export const query = querySection('query');

/** `post_filter`: what hits match besides, after aggregations have seen the matches of the query. */
export const postFilter = querySection('post_filter');
