import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { MATCH_DEFAULTS, maxExpansions, operator, refuseNested, slop, zeroTerms } from '../full-text/match-options.js';
import { defaultTieBreaker, type MultiMatch, multiMatchType } from '../full-text/multi-match.js';
import { multiMatchPlan } from '../full-text/multi-match-plan.js';
import { type FieldBoosts, hasAllFields, parseFieldBoosts, resolveFields } from '../full-text/query-fields.js';
import { fuzziness } from '../parse/fuzziness.js';
import { boolean, float, int, readOptions, type Reader, text, textOrNull } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan } from '../plan-query.js';

/** A text on several fields. */
export const multiMatch: QueryType = { name: 'multi_match', parse: (body) => parse(body as JsonObject) };

/** Parses `fields`: one field or an array of them, with boosts. */
export const fieldList: Reader<FieldBoosts> = (value, place) =>
  parseFieldBoosts(
    Array.isArray(value)
      ? value.map((name, i) => text(name, { ...place, container: value, key: i }))
      : [text(value, place)],
  );

const READERS = {
  query: text,
  fields: fieldList,
  type: ((value, place) => multiMatchType(text(value, place))) satisfies Reader<MultiMatch['type']>,
  analyzer: text,
  slop,
  fuzziness,
  prefix_length: int,
  max_expansions: maxExpansions,
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
