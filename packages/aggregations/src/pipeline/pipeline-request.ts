import { type ApiError, errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { ParseSite } from '../aggregation-type.js';
import { reduceFailure } from '../reduce/reduce-failure.js';
import { type AggregationPath, type PathValue, parsePath, valueOfBucket } from '../reduce/paths.js';
import type { ReducedBucket } from '../reduce/reduced.js';

/** What a pipeline does with a bucket without a value. */
export type GapPolicy = 'skip' | 'insert_zeros' | 'keep_values';

const GAP_POLICIES: readonly GapPolicy[] = ['insert_zeros', 'skip', 'keep_values'];

/** Reads the keys of a pipeline's body one by one. Throws parsing_exception for a wrong value. */
export interface PipelineBody {
  path(): AggregationPath;
  gapPolicy(): GapPolicy;
  text(key: string): string | null;
  number(key: string): number | null;
  boolean(key: string): boolean | null;
  any(key: string): unknown;
  /** Throws parsing_exception if the body has a key that was not read. */
  end(): void;
}

/** Makes the reader of the body of a pipeline aggregation. */
export function pipelineBody(site: ParseSite): PipelineBody {
  const { body, name } = site;
  const read = new Set<string>();
  const fail = (reason: string, key: string): ApiError =>
    errors.parsing(reason, { location: { container: body, key } });
  const take = (key: string): unknown => {
    read.add(key);
    return Object.hasOwn(body, key) ? body[key] : undefined;
  };
  const typed = <T>(key: string, test: (value: unknown) => value is T): T | null => {
    const value = take(key);
    if (value === undefined) return null;
    if (!test(value)) throw fail(`Unexpected token for [${key}] in [${name}].`, key);
    return value;
  };
  return {
    path() {
      const value = take('buckets_path');
      if (value === undefined)
        throw errors.parsing(`Missing required field [buckets_path] for aggregation [${name}]`, {
          location: { container: body },
        });
      if (typeof value === 'string') return parsePath(value);
      if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string') return parsePath(value[0]);
      if (isPlainObject(value) && Object.keys(value).length === 1) return parsePath(String(Object.values(value)[0]));
      throw fail(`buckets_path must contain a single entry for aggregation [${name}]`, 'buckets_path');
    },
    gapPolicy() {
      const value = take('gap_policy') ?? 'skip';
      const found = GAP_POLICIES.find((policy) => policy === String(value).toLowerCase());
      if (!found)
        throw fail(
          `Invalid gap policy: [${String(value)}], accepted values: [insert_zeros, skip, keep_values]`,
          'gap_policy',
        );
      return found;
    },
    text: (key) => typed(key, (value): value is string => typeof value === 'string'),
    number: (key) => typed(key, (value): value is number => typeof value === 'number'),
    boolean: (key) => typed(key, (value): value is boolean => typeof value === 'boolean'),
    any: take,
    end() {
      for (const key of Object.keys(body)) {
        if (!read.has(key))
          throw errors.parsing(`Unexpected token [${key}] in [${name}].`, { location: { container: body, key } });
      }
    },
  };
}

/** Java class names of results in Elasticsearch's messages, by aggregation type. */
const CLASS_NAMES: Readonly<Record<string, string>> = {
  sterms: 'StringTerms',
  lterms: 'LongTerms',
  dterms: 'DoubleTerms',
  histogram: 'InternalHistogram',
  date_histogram: 'InternalDateHistogram',
  range: 'InternalRange',
  filters: 'InternalFilters',
};

/** Returns the error message for a path without a number: walks the path again to find the step that fails. */
function pathFault(bucket: ReducedBucket, path: AggregationPath): string {
  const expected = 'buckets_path must reference either a number value or a single value numeric metric aggregation';
  let level = bucket.subs;
  for (let i = 0; i < path.steps.length; i++) {
    const { name, key } = path.steps[i]!;
    const reduced = level.get(name);
    if (!reduced) return `Cannot find an aggregation named [${name}] in [${path.text}]`;
    const isLast = i === path.steps.length - 1;
    if (isLast && !reduced.buckets)
      return `${expected}, but [${name}] contains multiple values. Please specify which to use.`;
    if (reduced.buckets && key === null)
      return (
        `${expected}, got: [${isLast ? (CLASS_NAMES[reduced.typedName] ?? reduced.typedName) : 'Object[]'}] at ` +
        `aggregation [${name}]`
      );
    level = (reduced.buckets ? reduced.buckets.find((one) => one.keyText === key)?.subs : reduced.subs) ?? new Map();
  }
  return `${expected}, got: [Bucket] at aggregation [${path.text}]`;
}

/** Returns the value of a bucket under a gap policy; null if it has none and the policy skips it. */
export function gapValue(bucket: ReducedBucket, path: AggregationPath, policy: GapPolicy): number | null {
  const value: PathValue = valueOfBucket(bucket, path);
  if (value === undefined) throw reduceFailure(errors.illegalArgument(pathFault(bucket, path)));
  const isGap =
    value === null ||
    Number.isNaN(value) ||
    (bucket.docCount === 0 && path.steps.at(-1)?.name !== '_count' && policy !== 'keep_values');
  if (!isGap) return value;
  return policy === 'insert_zeros' ? 0 : null;
}
