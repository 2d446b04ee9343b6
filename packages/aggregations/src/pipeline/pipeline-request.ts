import { type ApiError, errors, isApiError } from '@shoal/errors';
import type { ParseSite } from '../aggregation-type.js';
import { reduceFailure } from '../reduce/reduce-failure.js';
import { type AggregationPath, type NotANumber, type PathOwner, parsePath, valueOfBucket } from '../reduce/paths.js';
import type { ReducedBucket } from '../reduce/reduced.js';
import { tokenName } from '../parse/body-fields.js';

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
  list(key: string): readonly unknown[] | null;
  any(key: string): unknown;
  /** Throws parsing_exception if the body has a key that was not read. */
  end(): void;
}

/** Makes the reader of the body of a pipeline aggregation. `namesTokens`: errors tell the kind of a wrong value. */
export function pipelineBody(site: ParseSite, namesTokens = false): PipelineBody {
  const { body, name } = site;
  const read = new Set<string>();
  const fail = (reason: string, key: string): ApiError =>
    errors.parsing(reason, { location: { container: body, key } });
  const unexpected = (key: string, otherwise: string): ApiError =>
    fail(namesTokens ? `Unexpected token ${tokenName(body[key])} [${key}] in [${name}]` : otherwise, key);
  const take = (key: string): unknown => {
    read.add(key);
    return Object.hasOwn(body, key) ? body[key] : undefined;
  };
  const typed = <T>(key: string, test: (value: unknown) => value is T): T | null => {
    const value = take(key);
    if (value === undefined) return null;
    if (!test(value)) throw unexpected(key, `Unexpected token for [${key}] in [${name}].`);
    return value;
  };
  return {
    path() {
      const value = take('buckets_path');
      // That it is missing is told last: see `end`.
      if (value === undefined) return parsePath('');
      if (typeof value === 'string') return parsePath(value);
      if (Array.isArray(value) && value.length > 0) return parsePath(String(value[0]));
      if (Array.isArray(value) && value.length === 0)
        throw fail(`buckets_path must contain a single entry for aggregation [${name}]`, 'buckets_path');
      throw fail(`Unexpected token ${tokenName(value)} [buckets_path] in [${name}]`, 'buckets_path');
    },
    gapPolicy() {
      const value = take('gap_policy');
      if (value === undefined) return 'skip';
      if (typeof value !== 'string') throw unexpected('gap_policy', `Unexpected token for [gap_policy] in [${name}].`);
      const found = GAP_POLICIES.find((policy) => policy === value.toLowerCase());
      if (!found)
        throw fail(`Invalid gap policy: [${value}], accepted values: [insert_zeros, skip, keep_values]`, 'gap_policy');
      return found;
    },
    list(key) {
      const value = take(key);
      if (value === undefined) return null;
      if (!Array.isArray(value)) throw unexpected(key, `Unexpected token for [${key}] in [${name}].`);
      return value as readonly unknown[];
    },
    text: (key) => typed(key, (value): value is string => typeof value === 'string'),
    number: (key) => typed(key, (value): value is number => typeof value === 'number'),
    boolean: (key) => typed(key, (value): value is boolean => typeof value === 'boolean'),
    any: take,
    end() {
      for (const key of Object.keys(body)) {
        if (!read.has(key)) throw unexpected(key, `Unexpected token [${key}] in [${name}].`);
      }
      if (read.has('buckets_path') && !Object.hasOwn(body, 'buckets_path'))
        throw errors.parsing(`Missing required field [buckets_path] for aggregation [${name}]`, {
          location: { container: body, at: 'end' },
        });
    },
  };
}

const EXPECTED = 'buckets_path must reference either a number value or a single value numeric metric aggregation';

/** The error of a path that leads to something else than a number. */
export function notANumber({ className, isMany }: NotANumber, { names }: AggregationPath, owner: PathOwner): ApiError {
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
