import type { JsonObject } from '@shoal/json';
import { MATCH_DEFAULTS, maxExpansions, slop, zeroTerms } from '../full-text/match-options.js';
import { any, text } from '../parse/options.js';
import type { ParsedQuery, QueryType } from '../parsed-query.js';
import { readTextClause, textQuery } from './match.js';

/** A phrase whose last term is a prefix. */
export const matchPhrasePrefix: QueryType = { name: 'match_phrase_prefix', parse: (body) => parse(body as JsonObject) };

const READERS = { query: any, analyzer: text, slop, max_expansions: maxExpansions, zero_terms_query: zeroTerms };

function parse(body: JsonObject): ParsedQuery {
  const { field, query, options } = readTextClause('match_phrase_prefix', body, READERS);
  return textQuery(
    'match_phrase_prefix',
    field,
    query,
    {
      ...MATCH_DEFAULTS,
      kind: 'phrase_prefix',
      analyzer: options.analyzer ?? null,
      slop: options.slop ?? 0,
      maxExpansions: options.max_expansions ?? MATCH_DEFAULTS.maxExpansions,
      zeroTerms: options.zero_terms_query ?? 'none',
    },
    options,
  );
}
