import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { parsingAt, regexpAutomaton } from '@shoal/query';
import { murmur3Bytes } from '@shoal/codec';
import { type FieldReader, unsupported } from '../parse/body-fields.js';
import { mix64 } from './partition-hash.js';

/** Which terms get buckets by `include` and `exclude`; `exclude` wins. */
export interface IncludeExclude {
  /** Whether a side is a regular expression, which only fields of strings may have. */
  readonly hasPattern: boolean;
  /** Returns the test for fields of terms. `parse` turns a value of the lists into a term of the column. */
  acceptsTerm(parse: (text: string) => string): (term: string) => boolean;
  /**
   * Returns the test for fields of numbers (bigint beyond 2^53). `parse` turns a value of the lists into a value of the
   * column. Call `refusePatterns` before.
   */
  acceptsNumber(parse: (value: unknown) => number | bigint): (value: number | bigint) => boolean;
}

interface Partition {
  readonly partition: number;
  readonly of: number;
}

/** `include` or `exclude`: a list of exact values, or a regular expression. */
type Selection =
  | { readonly kind: 'list'; readonly values: readonly unknown[] }
  | { readonly kind: 'pattern'; readonly pattern: string };

function partitionOf(body: Readonly<Record<string, unknown>>): Partition {
  for (const key of Object.keys(body)) {
    if (key === 'partition' || key === 'num_partitions') continue;
    const error = errors.parse(`Unknown parameter in Include/Exclude clause: ${key}`);
    error.parserAt = { container: body, key };
    throw error;
  }
  const [partition, of] = [body['partition'], body['num_partitions']];
  if (typeof partition !== 'number')
    throw errors.illegalArgument('Missing [partition] parameter for partition-based include');
  if (typeof of !== 'number')
    throw errors.illegalArgument('Missing [num_partitions] parameter for partition-based include');
  if (partition < 0 || partition >= of)
    throw errors.illegalArgument(`Partition must be >=0 and < numPartition which is ${of}`);
  return { partition, of };
}

/** Reads `exclude`: a list of values, or a regular expression. */
export const excludeField: FieldReader<unknown> = (value, site) => {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) throw unsupported(value, site);
  value.forEach((one: unknown, key) => {
    if (typeof one !== 'object') return;
    parsingAt({ container: value, key }, () => {
      throw errors.parse('Array elements in include/exclude clauses should be string values');
    });
  });
  return value.length === 0 ? undefined : value;
};

/** Reads `include`: as `exclude`, or a partition. */
export const includeField: FieldReader<unknown> = (value, site) => {
  if (!isPlainObject(value)) return excludeField(value, site);
  return parsingAt({ container: value, at: 'end' }, () => partitionOf(value));
};

function selection(value: unknown): Selection | null {
  if (value === undefined) return null;
  if (typeof value === 'string') return { kind: 'pattern', pattern: value };
  return { kind: 'list', values: value as readonly unknown[] };
}

/** Flags of all optional operators of Lucene's `RegExp`. */
const REGEXP_ALL = 0xff;
const DETERMINIZED_STATES_MAX = 10_000;

function termTest(side: Selection, parse: (text: string) => string): (term: string) => boolean {
  if (side.kind === 'pattern') {
    const automaton = regexpAutomaton(side.pattern, REGEXP_ALL, false, DETERMINIZED_STATES_MAX);
    return (term) => automaton.matches(term);
  }
  const terms = new Set(side.values.map((value) => parse(String(value))));
  return (term) => terms.has(term);
}

/** Refuses regular expressions for the values of an aggregation that are numbers, or addresses. */
export function refusePatterns(filter: IncludeExclude | null, name: string, isNumbers: boolean): void {
  if (!filter?.hasPattern) return;
  const values = isNumbers ? 'numeric values' : 'values';
  throw errors.illegalArgument(
    `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be ` +
      `applied to string fields. Use an array of ${values} for include/exclude clauses` +
      (isNumbers ? ' used to filter numeric fields' : ''),
  );
}

function numberTest(side: Selection, parse: (value: unknown) => number | bigint): (value: number | bigint) => boolean {
  if (side.kind === 'pattern') return () => false;
  const numbers = new Set(side.values.map(parse));
  return (value) => numbers.has(value);
}

const floorMod = (value: number, of: number): number => ((value % of) + of) % of;

/** Seed of the hash that assigns terms to partitions in Elasticsearch. */
const PARTITION_SEED = 31;

const termInPartition = (term: string, { partition, of }: Partition): boolean =>
  floorMod(murmur3Bytes(Buffer.from(term), PARTITION_SEED), of) === partition;

const wholePart = (value: number | bigint): bigint =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) : BigInt(Math.trunc(value));

const numberInPartition = (value: number | bigint, { partition, of }: Partition): boolean =>
  Number(((mix64(wholePart(value)) % BigInt(of)) + BigInt(of)) % BigInt(of)) === partition;

function both<T>(
  include: ((value: T) => boolean) | null,
  exclude: ((value: T) => boolean) | null,
): (value: T) => boolean {
  return (value) => (include === null || include(value)) && !(exclude?.(value) ?? false);
}

const isPartition = (include: unknown): include is Partition => isPlainObject(include);

/** What `includeField` and `excludeField` have read of an aggregation; null when it has neither. */
export function includeExclude(include: unknown, exclude: unknown): IncludeExclude | null {
  if (include === undefined && exclude === undefined) return null;
  if (isPartition(include)) {
    const partition = include;
    if (exclude !== undefined)
      throw errors.illegalArgument('Cannot specify any excludes when using a partition-based include');
    return {
      hasPattern: false,
      acceptsTerm: () => (term) => termInPartition(term, partition),
      acceptsNumber: () => (value) => numberInPartition(value, partition),
    };
  }
  const [inside, outside] = [selection(include), selection(exclude)];
  return {
    hasPattern: inside?.kind === 'pattern' || outside?.kind === 'pattern',
    acceptsTerm: (parse) => both(inside && termTest(inside, parse), outside && termTest(outside, parse)),
    acceptsNumber: (parse) => both(inside && numberTest(inside, parse), outside && numberTest(outside, parse)),
  };
}
