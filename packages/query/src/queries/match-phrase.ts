import type { JsonObject } from '@shoal/json';
import { MATCH_DEFAULTS, slop, zeroTerms } from '../full-text/match-options.js';
import { any, text } from '../parse/options.js';
import type { ParsedQuery, QueryType } from '../parsed-query.js';
import { readTextClause, textQuery } from './match.js';

/** The terms of a text next to each other, or moved by up to `slop` positions. */
export const matchPhrase: QueryType = { name: 'match_phrase', parse: (body) => parse(body as JsonObject) };

function parse(body: JsonObject): ParsedQuery {
  const { field, query, options } = readTextClause('match_phrase', body, {
    query: any,
    analyzer: text,
    slop,
    zero_terms_query: zeroTerms,
  });
  return textQuery(
    'match_phrase',
    field,
    query,
    {
      ...MATCH_DEFAULTS,
      kind: 'phrase',
      analyzer: options.analyzer ?? null,
      slop: options.slop ?? 0,
      zeroTerms: options.zero_terms_query ?? 'none',
    },
    options,
  );
}
