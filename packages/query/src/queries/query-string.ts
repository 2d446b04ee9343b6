import { isPlainObject, type JsonObject } from '@shoal/json';
import { type ApiError, errors } from '@shoal/errors';
import { MATCH_DEFAULTS, namedAnalyzer, operator } from '../full-text/match-options.js';
import { defaultTieBreaker, multiMatchType } from '../full-text/multi-match.js';
import { type FieldBoosts, hasAllFields, parseFieldBoosts, resolveFields } from '../full-text/query-fields.js';
import { AUTO_FUZZINESS, fuzziness } from '../parse/fuzziness.js';
import { minimumShouldMatch } from '../parse/minimum-should-match.js';
import {
  boolean,
  double,
  float,
  int,
  type Options,
  readOptions,
  text,
  textOrNull,
  unsupportedOption,
} from '../parse/options.js';
import { syntaxText } from '../parse/syntax-text.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan, shardError } from '../plan-query.js';
import { QuerySyntaxError } from '../query-string/lexer.js';
import { escapeSyntax } from '../query-string/syntax.js';
import { type SyntaxOptions, syntaxPlan } from '../query-string/syntax-plan.js';
import { stringFieldList } from './multi-match.js';

/** A query in Lucene's classic syntax. */
export const queryString: QueryType = { name: 'query_string', parse: (body) => parse(body as JsonObject) };

const READERS = {
  query: syntaxText,
  fields: stringFieldList,
  default_field: textOrNull,
  default_operator: operator,
  analyzer: text,
  quote_analyzer: text,
  quote_field_suffix: textOrNull,
  allow_leading_wildcard: boolean,
  analyze_wildcard: boolean,
  auto_generate_synonyms_phrase_query: boolean,
  enable_position_increments: boolean,
  escape: boolean,
  fuzziness,
  fuzzy_max_expansions: int,
  fuzzy_prefix_length: int,
  fuzzy_rewrite: textOrNull,
  fuzzy_transpositions: boolean,
  lenient: boolean,
  max_determinized_states: int,
  minimum_should_match: textOrNull,
  phrase_slop: int,
  rewrite: textOrNull,
  tie_breaker: double,
  time_zone: text,
  type: (value: unknown, place: Parameters<typeof text>[1]) => multiMatchType(text(value, place)),
};

type Given = Options<typeof READERS>;

const MAX_DETERMINIZED_STATES = 10000;

function parse(body: JsonObject): ParsedQuery {
  refuseContainers(body);
  const given = readOptions('query_string', body, READERS);
  if (given.query === undefined)
    throw errors.parsing('[query_string] must be provided with a [query]', {
      location: { container: body, at: 'end' },
    });
  const query = given.query;
  return {
    type: 'query_string',
    boost: given.boost,
    queryName: given.queryName,
    plan: (context) => plan(query, given, context),
  };
}

/** Returns the error of the query strings for an object or an array in place of a value. */
export function unsupportedContainer(type: string, key: string, body: JsonObject): Error {
  if (Array.isArray(body[key])) return unsupportedOption(type, key, body);
  return errors.parsing(`[${type}] unknown token [START_OBJECT] after [${key}]`, {
    location: { container: body, key },
  });
}

function refuseContainers(body: JsonObject): void {
  for (const key of Object.keys(body)) {
    const value = body[key];
    if (!isPlainObject(value) && (!Array.isArray(value) || key === 'fields')) continue;
    throw unsupportedContainer('query_string', key, body);
  }
}

function plan(query: string, given: Given, context: PlanContext): Plan {
  if (given.fields && given.default_field != null) {
    throw errors.validation(
      'Validation Failed: 1: [query_string] cannot use [fields] parameter in conjunction with [default_field];',
    );
  }
  // `lenient` covers fields and values only: an unknown analyser is refused all the same.
  if (given.analyzer !== undefined) namedAnalyzer(given.analyzer, 'query_string', context);
  if (query.trim() === '') return nonePlan('Matching no documents because no terms present');
  const options = syntaxOptions(given, context);
  const found = planSyntax(query, given.escape ? escapeSyntax(query) : query, options, context);
  return found === null
    ? nonePlan('No query left after rewrite.')
    : withMinimum(found, given.minimum_should_match ?? null);
}

function planSyntax(query: string, syntax: string, options: SyntaxOptions, context: PlanContext): Plan | null {
  try {
    return syntaxPlan(syntax, options, context);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    throw shardError(
      context.searcher,
      `Failed to parse query [${query}]`,
      errors.luceneParse(`Cannot parse '${syntax}': ${error.message}`, { cause: syntaxCause(error) }),
    );
  }
}

/** The error of Lucene's lexer or parser itself. */
function syntaxCause({ message }: QuerySyntaxError): ApiError {
  return message.startsWith('Lexical error') ? errors.luceneToken(message) : errors.luceneParse(message);
}

/**
 * Applies `minimum_should_match` to the optional clauses of the outermost bool, which then matches nothing if it has
 * too few of them.
 */
export function withMinimum(plan: Plan, minimum: string | null): Plan {
  if (minimum === null || plan.kind !== 'bool') return plan;
  const wanted = minimumShouldMatch(minimum, plan.should.length);
  return wanted > 0 ? { ...plan, minimumShouldMatch: wanted } : plan;
}

/** Returns the fields that the query names, else `index.query.default_field`. */
export function defaultBoosts(
  given: FieldBoosts | undefined,
  field: string | null | undefined,
  { searcher }: PlanContext,
): FieldBoosts {
  if (field != null) return new Map([[field, 1]]);
  return given && given.size > 0 ? given : parseFieldBoosts(searcher.settings.defaultFields);
}

function syntaxOptions(given: Given, context: PlanContext): SyntaxOptions {
  const boosts = defaultBoosts(given.fields, given.default_field, context);
  const names = [...boosts.keys()];
  const type = given.type ?? 'best_fields';
  return {
    match: {
      type,
      tieBreaker:
        given.tie_breaker === undefined
          ? defaultTieBreaker(type)
          : float(given.tie_breaker, { type: 'query_string', container: {}, key: 'tie_breaker' }),
      options: {
        ...MATCH_DEFAULTS,
        query: 'query_string',
        analyzer: given.analyzer ?? null,
        prefixLength: given.fuzzy_prefix_length ?? 0,
        maxExpansions: given.fuzzy_max_expansions ?? MATCH_DEFAULTS.maxExpansions,
        transpositions: given.fuzzy_transpositions ?? true,
        fuzzyRewrite: given.fuzzy_rewrite ?? null,
        lenient: given.lenient ?? (hasAllFields(names) || context.searcher.settings.queryStringLenient),
        zeroTerms: 'skip',
      },
    },
    defaultOperator: given.default_operator ?? 'OR',
    fields: resolveFields(boosts, context),
    defaultField: hasAllFields(names) ? '*' : names.length === 1 ? names[0]! : null,
    quoteAnalyzer: given.quote_analyzer ?? null,
    quoteFieldSuffix: given.quote_field_suffix ?? null,
    allowLeadingWildcard: given.allow_leading_wildcard ?? true,
    analyzeWildcard: given.analyze_wildcard ?? false,
    fuzziness: given.fuzziness ?? AUTO_FUZZINESS,
    phraseSlop: given.phrase_slop ?? 0,
    rewrite: given.rewrite ?? null,
    timeZone: given.time_zone ?? null,
    maxDeterminizedStates: given.max_determinized_states ?? MAX_DETERMINIZED_STATES,
  };
}
