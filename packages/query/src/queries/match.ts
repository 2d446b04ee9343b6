import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import {
  MATCH_DEFAULTS,
  type MatchOptions,
  operator,
  prefixLength,
  refuseNested,
  termExpansions,
  zeroTerms,
} from '../full-text/match-options.js';
import { matchPlan } from '../full-text/match-plan.js';
import { fuzziness } from '../parse/fuzziness.js';
import { any, boolean, multipleFields, type Options, readOptions, text, textOrNull } from '../parse/options.js';
import type { ParsedQuery, QueryType } from '../parsed-query.js';
import { nonePlan } from '../plan-query.js';

/** Analysed text on one field, its terms joined by `operator`. */
export const match: QueryType = { name: 'match', parse: (body) => parse(body as JsonObject) };

const READERS = {
  query: any,
  operator,
  minimum_should_match: textOrNull,
  analyzer: text,
  fuzziness,
  prefix_length: prefixLength,
  max_expansions: termExpansions,
  fuzzy_transpositions: boolean,
  fuzzy_rewrite: textOrNull,
  lenient: boolean,
  zero_terms_query: zeroTerms,
  auto_generate_synonyms_phrase_query: boolean,
};

function parse(body: JsonObject): ParsedQuery {
  const { field, query, options } = readTextClause('match', body, READERS);
  const given: MatchOptions = {
    ...MATCH_DEFAULTS,
    operator: options.operator ?? 'OR',
    minimumShouldMatch: options.minimum_should_match ?? null,
    analyzer: options.analyzer ?? null,
    fuzziness: options.fuzziness ?? null,
    prefixLength: options.prefix_length ?? 0,
    maxExpansions: options.max_expansions ?? MATCH_DEFAULTS.maxExpansions,
    transpositions: options.fuzzy_transpositions ?? true,
    fuzzyRewrite: options.fuzzy_rewrite ?? null,
    lenient: options.lenient ?? false,
    zeroTerms: options.zero_terms_query ?? 'none',
  };
  return textQuery('match', field, query, given, options);
}

type Readers = Parameters<typeof readOptions>[2];

/** The body of a full-text query on one field: `{field: {query, …}}` or `{field: text}`. */
export interface TextClause<R extends Readers> {
  readonly field: string;
  readonly query: string;
  readonly options: Options<R>;
}

/**
 * Parses the body of a full-text query on one field. Refuses a second field, and arrays and objects in place of the
 * text.
 */
export function readTextClause<R extends Readers>(type: string, body: JsonObject, readers: R): TextClause<R> {
  const [field, second] = Object.keys(body);
  if (field === undefined)
    throw type === 'match' ? noText(type, body) : errors.illegalArgument(`[${type}] requires fieldName`);
  if (second !== undefined) throw multipleFields(type, field, second, body);
  const clause = body[field];
  if (clause === null) throw noText(type, body);
  const place = { type, container: body, key: field };
  if (!isPlainObject(clause))
    return { field, query: text(clause, place), options: { boost: 1, queryName: null } as Options<R> };
  refuseNested(type, clause);
  const options = readOptions(type, clause, readers);
  const query = clause['query'];
  if (query === undefined || query === null) throw noText(type, body);
  return { field, query: text(query, { type, container: clause, key: 'query' }), options };
}

function noText(type: string, body: JsonObject): Error {
  if (type !== 'match') return errors.illegalArgument(`[${type}] requires query value`);
  return errors.parsing('No text specified for text query', { location: { container: body, at: 'end' } });
}

/** Returns the parsed form of a full-text query on one field. */
export function textQuery(
  type: string,
  field: string,
  query: string,
  options: MatchOptions,
  head: { readonly boost: number; readonly queryName: string | null },
): ParsedQuery {
  const named = { ...options, query: type };
  return {
    type,
    boost: head.boost,
    queryName: head.queryName,
    plan: (context) =>
      matchPlan(field, query, named, context) ?? nonePlan('Matching no documents because no terms present'),
  };
}
