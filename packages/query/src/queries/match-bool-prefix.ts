import type { JsonObject } from '@shoal/json';
import { MATCH_DEFAULTS, operator, prefixLength, termExpansions } from '../full-text/match-options.js';
import { fuzziness } from '../parse/fuzziness.js';
import { any, boolean, text, textOrNull } from '../parse/options.js';
import type { ParsedQuery, QueryType } from '../parsed-query.js';
import { readTextClause, textQuery } from './match.js';

/** A `match` query whose last term is a prefix. */
export const matchBoolPrefix: QueryType = { name: 'match_bool_prefix', parse: (body) => parse(body as JsonObject) };

const READERS = {
  query: any,
  analyzer: text,
  operator,
  minimum_should_match: textOrNull,
  fuzziness,
  prefix_length: prefixLength,
  max_expansions: termExpansions,
  fuzzy_transpositions: boolean,
  fuzzy_rewrite: textOrNull,
};

function parse(body: JsonObject): ParsedQuery {
  const { field, query, options } = readTextClause('match_bool_prefix', body, READERS);
  return textQuery(
    'match_bool_prefix',
    field,
    query,
    {
      ...MATCH_DEFAULTS,
      kind: 'bool_prefix',
      analyzer: options.analyzer ?? null,
      operator: options.operator ?? 'OR',
      minimumShouldMatch: options.minimum_should_match ?? null,
      fuzziness: options.fuzziness ?? null,
      prefixLength: options.prefix_length ?? 0,
      maxExpansions: options.max_expansions ?? MATCH_DEFAULTS.maxExpansions,
      transpositions: options.fuzzy_transpositions ?? true,
      fuzzyRewrite: options.fuzzy_rewrite ?? null,
    },
    options,
  );
}
