import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { hashOrder } from '@shoal/values';
import { MATCH_DEFAULTS, type MatchOptions, operator, zeroTerms } from '../full-text/match-options.js';
import { clausesPlan, noTerms } from '../full-text/match-plan.js';
import { isTextField } from '../full-text/text-field.js';
import { type FieldBoosts, resolveFields } from '../full-text/query-fields.js';
import { textPositions } from '../full-text/text-positions.js';
import { parseField, parsingAt } from '../parse/parse-field.js';
import { boolean, readOptions, text, textOrNull, unsupportedValue } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan } from '../plan-query.js';
import { fieldList } from './multi-match.js';

/** A text on several text fields, scored as if they were one (BM25F). */
export const combinedFields: QueryType = { name: 'combined_fields', parse: (body) => parse(body as JsonObject) };

function parse(body: JsonObject): ParsedQuery {
  const options = readOptions(
    'combined_fields',
    body,
    {
      query: (value, place) => {
        if (typeof value !== 'string') throw unsupportedValue('combined_fields', 'query', body);
        return text(value, place);
      },
      fields: (value, place) => {
        if (!Array.isArray(value)) throw unsupportedValue('combined_fields', 'fields', body);
        return parseField('combined_fields', body, 'fields', () => checkBoosts(fieldList(withoutLists(value), place)));
      },
      operator,
      minimum_should_match: textOrNull,
      auto_generate_synonyms_phrase_query: boolean,
      zero_terms_query: zeroTerms,
    },
    'declared',
  );
  const { query, fields = new Map<string, number>(), boost, queryName } = options;
  if (query === undefined) throw errors.illegalArgument('Required [query]');
  const match: MatchOptions = {
    ...MATCH_DEFAULTS,
    query: 'combined_fields',
    operator: options.operator ?? 'OR',
    minimumShouldMatch: options.minimum_should_match ?? null,
    zeroTerms: options.zero_terms_query ?? 'none',
  };
  return { type: 'combined_fields', boost, queryName, plan: (context) => plan(query, fields, match, context) };
}

function withoutLists(list: readonly unknown[]): readonly unknown[] {
  const key = list.findIndex(Array.isArray);
  if (key < 0) return list;
  return parsingAt({ container: list, key }, () => {
    throw errors.refusedState('expected value but got [START_ARRAY]');
  });
}

function checkBoosts(fields: FieldBoosts): FieldBoosts {
  for (const boost of fields.values()) {
    if (boost < 1) throw errors.illegalArgument('[combined_fields] requires field boosts to be >= 1.0');
  }
  return fields;
}

function plan(query: string, given: FieldBoosts, match: MatchOptions, context: PlanContext): Plan {
  if (given.size === 0) throw errors.illegalArgument('In [combined_fields] query, at least one field must be provided');
  const resolved = resolveFields(given, context);
  if (resolved.size === 0) return nonePlan('unmapped fields []');
  const names = [...resolved.keys()];
  const types = textTypes(names, context);
  const analyzer = types[0]!.searchAnalyzer!;
  const positions = textPositions(analyzer, query, context.searcher.settings.maxClauseCount);
  const fields = distinctFields(names, resolved, context);
  if (positions.length === 0) return noTerms(match)!;
  return clausesPlan(positions, match, ({ terms }) => ({ kind: 'combined', fields, terms, boost: 1 }));
}

/** A field and its alias are one field; of their boosts the last one in the order of Java's HashMap counts. */
function distinctFields(
  names: readonly string[],
  boosts: FieldBoosts,
  context: PlanContext,
): { readonly field: string; readonly weight: number }[] {
  const weights = new Map(names.map((name) => [requireText(name, context).name, 1]));
  for (const name of hashOrder(names)) weights.set(requireText(name, context).name, boosts.get(name)!);
  return [...weights].map(([field, weight]) => ({ field, weight }));
}

/** The types of the fields; of several mistakes that of the first field in the order of Java's HashMap is told. */
function textTypes(names: readonly string[], context: PlanContext): FieldType[] {
  let analyzer: unknown;
  for (const name of hashOrder(names)) {
    const { searchAnalyzer } = requireText(name, context);
    if (analyzer !== undefined && searchAnalyzer !== analyzer)
      throw errors.illegalArgument('All fields in [combined_fields] query must have the same search analyzer');
    analyzer = searchAnalyzer;
  }
  return names.map((name) => requireText(name, context));
}

function requireText(name: string, context: PlanContext): FieldType {
  const type = context.searcher.mapping.field(name);
  if (type && isTextField(type) && type.searchAnalyzer) return type;
  throw errors.illegalArgument(
    `Field [${type?.name ?? name}] of type [${type?.typeName ?? name}] does not support [combined_fields] queries`,
  );
}
