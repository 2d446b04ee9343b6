import { errors, isApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { formatFloat } from '@shoal/values';
import type { ParsedQuery, PlanContext, QueryContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { constantPlan, nonePlan, planQuery } from '../plan-query.js';
import { boolPlan } from '../queries/bool.js';
import { any, boolean, double, float, type OptionPlace, type Reader, tokenError, unsupportedValue } from './options.js';
import { parseField } from './parse-field.js';
import { parseQueries } from './parse-queries.js';

/** Limit of `num_candidates`. */
const CANDIDATES_MAX = 10_000;

/** What `knn` of a body and the query `knn` ask for. */
export interface KnnOptions {
  readonly field: string;
  readonly vector: readonly number[];
  readonly candidates: number;
  readonly filters: readonly ParsedQuery[];
  readonly similarity: number | null;
  /** Share of the nearest documents to find; null if `candidates` says how many are looked at. */
  readonly recall: number | null;
  /** Whether all vectors are compared. */
  readonly exact: boolean;
}

type Readers = {
  readonly recall: Reader<number>;
  readonly exact: Reader<boolean>;
  readonly field: Reader<string>;
  readonly query_vector: Reader<number[]>;
  readonly num_candidates: Reader<number>;
  readonly filter: Reader<ParsedQuery[]>;
  readonly similarity: Reader<number>;
  readonly query_vector_builder: Reader<unknown>;
};

const fieldName: Reader<string> = (value, { type, container, key }) => {
  if (typeof value === 'string') return value;
  throw unsupportedValue(type, String(key), container as JsonObject);
};

const INT_MIN = -2_147_483_648;
const INT_MAX = 2_147_483_647;

const NUMBERS = ['VALUE_NUMBER', 'VALUE_STRING'];
const BOOLEANS = ['VALUE_BOOLEAN', 'VALUE_STRING'];

/** Returns a reader that refuses values of other kinds by the name of their token. */
const ofKind =
  <T>(tokens: readonly string[], read: Reader<T>): Reader<T> =>
  (value, place) => {
    if (tokens.includes(tokenOf(value))) return read(value, place);
    throw unsupportedValue(place.type, String(place.key), place.container as JsonObject);
  };

/** Parses a number as Java's `intValue` does: decimals are cut off. */
export const truncated: Reader<number> = ofKind(NUMBERS, (value, place) =>
  parseField(place.type, place.container, String(place.key), () => {
    const number = Math.trunc(double(value, place));
    if (number >= INT_MIN && number <= INT_MAX) return number;
    if (typeof value === 'string') throw errors.illegalArgument(`Value [${value}] is out of range for an integer`);
    const range = `out of range of int (${INT_MIN} - ${INT_MAX})`;
    throw tokenError('inputCoercion', `Numeric value (${String(value)}) ${range}`, place);
  }),
);

/** Parses a boost, also a negative one: 8.12 refuses it when it makes the query, by `checkKnnBoost`. */
export const knnBoost: Reader<number> = (value, place) =>
  parseField(place.type, place.container, 'boost', () => javaFloat(value, place));

const javaFloat: Reader<number> = (value, place) => (value === 'NaN' ? Number.NaN : float(value, place));

function noNumber(item: unknown, container: object, key: number): Error {
  const error = errors.refusedState(`expected value but got [${tokenOf(item)}]`);
  error.parserAt = { container, key };
  return error;
}

function notNumeric(item: boolean | null, container: object, key: number): Error {
  const token = item === null ? 'VALUE_NULL' : item ? 'VALUE_TRUE' : 'VALUE_FALSE';
  const reason = `Current token (${token}) not numeric, can not use numeric value accessors`;
  return tokenError('jsonParse', reason, { type: 'knn', container, key });
}

/** Runs `read`, whose errors are told at an element. */
function atElement<T>(container: object, key: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isApiError(error)) error.parserAt ??= { container, key };
    throw error;
  }
}

function vector(value: unknown, place: OptionPlace): number[] {
  const { type, container, key } = place;
  if (value === null || typeof value === 'boolean' || isPlainObject(value))
    throw unsupportedValue(type, String(key), container as JsonObject);
  return parseField(type, container, String(key), () => {
    if (!Array.isArray(value)) return [javaFloat(value, place)];
    const element = { type, container: value, key: 0 };
    return value.map((one: unknown, i) => {
      element.key = i;
      if (typeof one === 'number') return Math.fround(one);
      if (Array.isArray(one) || isPlainObject(one)) throw noNumber(one, value, i);
      if (one === null || typeof one === 'boolean') throw notNumeric(one, value, i);
      return atElement(value, i, () => javaFloat(one, element));
    });
  });
}

/** A share of the nearest documents, above 0 and below 1. */
const recallShare: Reader<number> = ofKind(NUMBERS, (value, place) =>
  parseField(place.type, place.container, 'recall', () => {
    const share = double(value, place);
    if (share > 0 && share < 1) return share;
    throw errors.illegalArgument(`[recall] must be greater than 0 and less than 1, got [${share}]`);
  }),
);

/**
 * Returns whether a search says how well it has to find the nearest documents, and so needs no `num_candidates`. Throws
 * if it says so twice.
 */
export function choosesCandidates({ recall, exact }: { readonly recall?: number; readonly exact?: boolean }): boolean {
  if (recall !== undefined && exact === true) throw cannotBuild('[recall] cannot be combined with [exact]');
  return recall !== undefined || exact === true;
}

/** Returns the readers of the options that both forms of `knn` have. */
export function knnReaders(context: QueryContext): Readers {
  return {
    field: fieldName,
    query_vector: vector,
    num_candidates: truncated,
    filter: ofKind(['START_OBJECT', 'START_ARRAY'], (value, { type, container, key }) =>
      parseField(type, container, String(key), () => parseQueries(value, context, 'declared')),
    ),
    similarity: ofKind(NUMBERS, (value, place) =>
      parseField(place.type, place.container, 'similarity', () => javaFloat(value, place)),
    ),
    query_vector_builder: any,
    recall: recallShare,
    exact: ofKind(BOOLEANS, (value, place) =>
      parseField(place.type, place.container, 'exact', () => boolean(value, place)),
    ),
  };
}

/** Returns the error of an option whose value contradicts another. */
export function cannotBuild(reason: string): Error {
  return errors.xContentParse('Failed to build [knn] after last required field arrived', {
    cause: errors.illegalArgument(reason),
  });
}

/** Throws if one of the options that must be there is missing. */
export function requireOptions(options: object, names: readonly string[]): void {
  const missing = names.filter((name) => (options as Record<string, unknown>)[name] === undefined);
  if (missing.length > 0) throw errors.illegalArgument(`Required [${missing.join(', ')}]`);
}

/** Throws for more candidates than 8.12 allows. */
export function checkCandidates(candidates: number): void {
  if (candidates > CANDIDATES_MAX) throw cannotBuild(`[num_candidates] cannot exceed [${CANDIDATES_MAX}]`);
}

/** Fields of every index that 8.12 has types for, none of which has vectors. */
const METADATA_FIELDS = [
  '_id',
  '_index',
  '_source',
  '_routing',
  '_field_names',
  '_ignored',
  '_seq_no',
  '_version',
  '_nested_path',
  '_doc_count',
  '_data_stream_timestamp',
];

/** What 8.12 prints of a query when it refuses its boost. */
function shownQuery({ field, vector, candidates, similarity }: Omit<KnnOptions, 'filters'>): string {
  const elements = vector.map((value) => `      ${formatFloat(value)}`).join(',\n');
  const last = similarity === null ? '' : `,\n    "similarity" : ${formatFloat(similarity)}`;
  const list = `[\n${elements}\n    ]`;
  return (
    `{\n  "knn" : {\n    "field" : ${JSON.stringify(field)},\n    "query_vector" : ${list},\n` +
    `    "num_candidates" : ${candidates}${last}\n  }\n}`
  );
}

/** Throws for a negative boost. */
export function checkKnnBoost(options: KnnOptions, boost: number): void {
  if (boost < 0)
    throw errors.illegalArgument(
      `negative [boost] are not allowed in [${shownQuery(options)}], use a value between 0 and 1 to deboost`,
    );
}

function filterPlan(filters: readonly ParsedQuery[], context: PlanContext): Plan | null {
  const atRoot = { ...context, nestedPath: null, innerHits: [] };
  const { aliasFilter = null } = context;
  const all = (aliasFilter === null ? filters : [...filters, aliasFilter]).map((query) =>
    constantPlan(planQuery(query, atRoot)),
  );
  return all.length === 0 ? null : all.length === 1 ? all[0]! : boolPlan({ filter: all });
}

/**
 * Returns the plan of the `k` nearest documents of a shard. The documents of a nested field are its nested objects: at
 * most one of a document around them. With `first` only so many of them are taken, those with the lowest numbers.
 * Throws illegal_argument_exception for a field that cannot be searched.
 */
export function nearestPlan(
  options: KnnOptions,
  k: number,
  isGlobal: boolean,
  context: PlanContext,
  first: number | null = null,
): Plan {
  const { mapping } = context.searcher;
  const type = mapping.field(options.field);
  if (type === null && !METADATA_FIELDS.includes(options.field))
    throw errors.illegalArgument(`field [${options.field}] does not exist in the mapping`);
  if (type?.queryVector === undefined)
    throw errors.illegalArgument('[knn] queries are only supported on [dense_vector] fields');
  const given = type.queryVector(options.vector);
  const filter = filterPlan(options.filters, context);
  if (given === null || type.layout === null) return nonePlan(`no document has a vector in field [${type.name}]`);
  if (k === 0 || first === 0) return nonePlan('nearer documents are on other shards');
  return {
    kind: 'nearest',
    field: type.name,
    layout: type.layout,
    vector: given,
    k,
    first,
    candidates: options.candidates,
    recall: options.recall,
    isExact: options.exact,
    filter,
    similarity: options.similarity,
    isNested: mapping.nestedParent(type.name) !== null,
    isGlobal,
    boost: 1,
  };
}
