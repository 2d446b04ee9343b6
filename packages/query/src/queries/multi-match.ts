import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { MATCH_DEFAULTS, operator, refuseNested, slop, zeroTerms } from '../full-text/match-options.js';
import { defaultTieBreaker, type MultiMatch, multiMatchType } from '../full-text/multi-match.js';
import { multiMatchPlan } from '../full-text/multi-match-plan.js';
import {
  type FieldBoosts,
  hasAllFields,
  parseFieldBoosts,
  parseStringFields,
  resolveFields,
} from '../full-text/query-fields.js';
import { fuzziness } from '../parse/fuzziness.js';
import { boolean, float, int, readOptions, type Reader, text, textOrNull } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan } from '../plan-query.js';

/** A text on several fields. */
export const multiMatch: QueryType = { name: 'multi_match', parse: (body) => parse(body as JsonObject) };

const fieldTexts: Reader<string[]> = (value, place) =>
  Array.isArray(value)
    ? value.map((name, i) => text(name, { ...place, container: value, key: i }))
    : [text(value, place)];

/** Parses `fields`: one field or an array of them, with boosts. */
export const fieldList: Reader<FieldBoosts> = (value, place) => {
  if (isPlainObject(value)) throw unsupportedField(place.type, String(place.key), place.container);
  return parseFieldBoosts(fieldTexts(value, place));
};

/** The same for query strings, which treat repeated names differently. */
export const stringFieldList: Reader<FieldBoosts> = (value, place) => {
  const { type, container, key } = place;
  if (!Array.isArray(value)) throw unsupportedField(type, String(key), container);
  return parseStringFields(fieldTexts(value, place));
};

function unsupportedField(type: string, key: string, container: object): Error {
  const text = type === 'simple_query_string' ? 'unsupported field' : 'query does not support';
  return errors.parsing(`[${type}] ${text} [${key}]`, { location: { container, key } });
}

const notNegativeLength: Reader<number> = (value, place) => {
  const length = int(value, place);
  if (length < 0) throw errors.illegalArgument('No negative prefix length allowed.');
  return length;
};

const positiveExpansions: Reader<number> = (value, place) => {
  const count = int(value, place);
  if (count <= 0) throw errors.illegalArgument('Max expansions must be strictly great than zero.');
  return count;
};

const READERS = {
  query: text,
  fields: fieldList,
  type: ((value, place) => multiMatchType(text(value, place))) satisfies Reader<MultiMatch['type']>,
  analyzer: text,
  slop,
  fuzziness,
  prefix_length: notNegativeLength,
  max_expansions: positiveExpansions,
  operator,
  minimum_should_match: textOrNull,
  fuzzy_rewrite: textOrNull,
  tie_breaker: float,
  lenient: boolean,
  zero_terms_query: zeroTerms,
  auto_generate_synonyms_phrase_query: boolean,
  fuzzy_transpositions: boolean,
};

function parse(body: JsonObject): ParsedQuery {
  refuseNested('multi_match', body, ['fields']);
  const options = readOptions('multi_match', body, READERS);
  if (options.query === undefined)
    throw errors.parsing('No text specified for multi_match query', { location: { container: body, at: 'end' } });
  const type = options.type ?? 'best_fields';
  refuseCombination(type, options.fuzziness !== undefined, options.slop !== undefined, body);
  const match: MultiMatch = {
    type,
    tieBreaker: options.tie_breaker ?? defaultTieBreaker(type),
    options: {
      ...MATCH_DEFAULTS,
      query: 'multi_match',
      operator: options.operator ?? 'OR',
      minimumShouldMatch: options.minimum_should_match ?? null,
      analyzer: options.analyzer ?? null,
      fuzziness: options.fuzziness ?? null,
      prefixLength: options.prefix_length ?? 0,
      maxExpansions: options.max_expansions ?? MATCH_DEFAULTS.maxExpansions,
      transpositions: options.fuzzy_transpositions ?? true,
      fuzzyRewrite: options.fuzzy_rewrite ?? null,
      lenient: options.lenient ?? false,
      slop: options.slop ?? 0,
      zeroTerms: options.zero_terms_query ?? 'none',
    },
  };
  const { query, fields = new Map<string, number>(), boost, queryName } = options;
  const isLenientGiven = options.lenient !== undefined;
  return {
    type: 'multi_match',
    boost,
    queryName,
    plan: (context) => plan(query, fields, match, isLenientGiven, context),
  };
}

function refuseCombination(type: string, hasFuzziness: boolean, hasSlop: boolean, body: JsonObject): void {
  const location = { container: body, at: 'end' } as const;
  if (hasFuzziness && ['cross_fields', 'phrase', 'phrase_prefix'].includes(type)) {
    throw errors.parsing(`Fuzziness not allowed for type [${type}]`, { location });
  }
  if (hasSlop && type === 'bool_prefix')
    throw errors.parsing('[slop] not allowed for type [bool_prefix]', { location });
}

function plan(
  query: string,
  given: FieldBoosts,
  match: MultiMatch,
  isLenientGiven: boolean,
  context: PlanContext,
): Plan {
  const boosts = given.size > 0 ? given : parseFieldBoosts(context.searcher.settings.defaultFields);
  const isAll = hasAllFields([...boosts.keys()]);
  const options = {
    ...match.options,
    lenient: isLenientGiven ? match.options.lenient : isAll || match.options.lenient,
  };
  const fields = resolveFields(boosts, context);
  return (
    multiMatchPlan(query, fields, { ...match, options }, context) ??
    nonePlan('Matching no documents because no terms present')
  );
}
