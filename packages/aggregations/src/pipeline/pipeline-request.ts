import { type ApiError, errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { ParseSite } from '../aggregation-type.js';
import { reduceFailure } from '../reduce/reduce-failure.js';
import { type AggregationPath, type NotANumber, type PathOwner, parsePath, valueOfBucket } from '../reduce/paths.js';
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

const EXPECTED = 'buckets_path must reference either a number value or a single value numeric metric aggregation';

function notANumber({ className, isMany }: NotANumber, { names }: AggregationPath, owner: PathOwner): ApiError {
  const name = names[0] ?? owner.name;
  return errors.illegalArgument(
    isMany
      ? `${EXPECTED}, but [${name}] contains multiple values. Please specify which to use.`
      : `${EXPECTED}, got: [${className}] at aggregation [${name}]`,
  );
}

/** The value of a bucket of `owner` at a path: NaN for a metric without a value, undefined for nothing. */
function numberAt(bucket: ReducedBucket, path: AggregationPath, owner: PathOwner): number | undefined {
  try {
    const value = valueOfBucket(bucket, path.names, owner);
    if (typeof value === 'object') throw notANumber(value, path, owner);
    return value;
  } catch (thrown) {
    throw isApiError(thrown) ? reduceFailure(thrown) : thrown;
  }
}

/** Returns the value of a bucket under a gap policy; null if it has none and the policy skips it. */
export function gapValue(
  bucket: ReducedBucket,
  path: AggregationPath,
  policy: GapPolicy,
  owner: PathOwner,
): number | null {
  const value = numberAt(bucket, path, owner);
  if (value === undefined) return null;
  const isCount = path.names.length === 1 && path.names[0] === '_count';
  if (Number.isFinite(value) && (bucket.docCount > 0 || isCount || policy === 'keep_values')) return value;
  return policy === 'insert_zeros' ? 0 : null;
}
