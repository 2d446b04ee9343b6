import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import type { Analyzer } from '@shoal/analysis';
import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import type { Fuzziness } from '../parse/fuzziness.js';
import { int, type Reader, text } from '../parse/options.js';
import type { PlanContext } from '../parsed-query.js';
import { shardError } from '../plan-query.js';

/** Options by which the text of a query becomes clauses on a field, for all full-text queries. */
export interface MatchOptions {
  /** The query's name in the DSL, for errors. */
  readonly query: string;
  readonly kind: 'boolean' | 'phrase' | 'phrase_prefix' | 'bool_prefix';
  readonly operator: 'OR' | 'AND';
  readonly minimumShouldMatch: string | null;
  /** Name of the analyser that replaces the field's. */
  readonly analyzer: string | null;
  readonly fuzziness: Fuzziness | null;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly transpositions: boolean;
  readonly fuzzyRewrite: string | null;
  readonly lenient: boolean;
  readonly slop: number;
  /** Matches of a text without tokens; `skip` leaves the clause out of its query. */
  readonly zeroTerms: 'none' | 'all' | 'skip';
}

/** Options of a `match` query that gives none. */
export const MATCH_DEFAULTS: MatchOptions = {
  query: 'match',
  kind: 'boolean',
  operator: 'OR',
  minimumShouldMatch: null,
  analyzer: null,
  fuzziness: null,
  prefixLength: 0,
  maxExpansions: 50,
  transpositions: true,
  fuzzyRewrite: null,
  lenient: false,
  slop: 0,
  zeroTerms: 'none',
};

/** Parses option `operator`, in any case. */
export const operator: Reader<'OR' | 'AND'> = (value, place) => {
  const name = text(value, place).toUpperCase();
  if (name === 'OR' || name === 'AND') return name;
  throw errors.illegalArgument(`No enum constant org.elasticsearch.index.query.Operator.${name}`);
};

/** Parses option `zero_terms_query`. */
export const zeroTerms: Reader<'none' | 'all'> = (value, place) => {
  const name = text(value, place);
  if (/^(none|all)$/i.test(name)) return name.toLowerCase() as 'none' | 'all';
  throw errors.parsing(`Unsupported zero_terms_query value [${name}]`, { location: place });
};

/** Parses option `slop`. */
export const slop: Reader<number> = (value, place) => {
  const slopOf = Number(text(value, place));
  if (slopOf < 0) throw errors.illegalArgument('No negative slop allowed.');
  return slopOf;
};

/** Parses option `max_expansions`. */
export const maxExpansions: Reader<number> = (value, place) => {
  const count = Number(text(value, place));
  if (count < 0) throw errors.illegalArgument('No negative maxExpansions allowed.');
  return count;
};

/** Parses option `prefix_length` of a match query on one field. */
export const prefixLength: Reader<number> = (value, place) => {
  const length = int(value, place);
  if (length < 0) throw errors.illegalArgument(`[${place.type}] requires prefix length to be non-negative.`);
  return length;
};

/** Parses option `max_expansions` of a match query on one field. */
export const termExpansions: Reader<number> = (value, place) => {
  const count = int(value, place);
  if (count <= 0) throw errors.illegalArgument(`[${place.type}] requires maxExpansions to be positive.`);
  return count;
};

/**
 * Refuses objects and arrays where the query's parser expects scalars: `[match] unknown token [START_ARRAY] after
 * [query]`.
 */
export function refuseNested(type: string, body: JsonObject, except: readonly string[] = []): void {
  for (const key of Object.keys(body)) {
    const value = body[key];
    if (except.includes(key) || (!isPlainObject(value) && !Array.isArray(value))) continue;
    throw errors.parsing(`[${type}] unknown token [${tokenOf(value)}] after [${key}]`, {
      location: { container: body, key },
    });
  }
}

/**
 * Returns the analyser for a query's text: the named one, else the field's analyser for searching or for phrases.
 * Returns null for fields that are not analysed.
 */
export function analyzerFor(type: FieldType, options: MatchOptions, context: PlanContext): Analyzer | null {
  if (options.analyzer !== null) return namedAnalyzer(options.analyzer, options.query, context);
  const isPhrase = options.kind === 'phrase' || options.kind === 'phrase_prefix';
  return (isPhrase ? type.searchQuoteAnalyzer : null) ?? type.searchAnalyzer;
}

/** Returns an analyser by name. Throws query_shard_exception when the index has none of this name. */
export function namedAnalyzer(name: string, query: string, context: PlanContext): Analyzer {
  const analyzer = context.searcher.analysis.analyzer(name);
  if (!analyzer) throw shardError(context.searcher, `[${query}] analyzer [${name}] not found`);
  return analyzer;
}
