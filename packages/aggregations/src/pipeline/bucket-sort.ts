import { type ApiError, errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { ParseSite, PipelineBehaviour, PipelineType } from '../aggregation-type.js';
import { type AggregationPath, ownerOf, parsePath, type PathOwner } from '../reduce/paths.js';
import type { ReducedBucket } from '../reduce/reduced.js';
import { compareKeyValues } from '../bucket/terms-partial.js';
import { type GapPolicy, gapValue, pipelineBody } from './pipeline-request.js';

interface SortKey {
  readonly path: AggregationPath;
  readonly ascending: boolean;
}

const bad = (site: ParseSite, reason: string): ApiError =>
  errors.illegalArgument(reason, { location: { container: site.body } });

function sortKey(item: unknown): SortKey {
  if (typeof item === 'string') return { path: parsePath(item), ascending: true };
  if (!isPlainObject(item)) throw errors.parsing('[bucket_sort] malformed sort format');
  const [name, options] = Object.entries(item)[0] ?? ['', null];
  const order = isPlainObject(options) ? options['order'] : options;
  return { path: parsePath(name), ascending: String(order ?? 'asc').toLowerCase() !== 'desc' };
}

type KeyValue = string | number | null;

/** Reads the value of a bucket that a path leads to, as a key to sort by: that of a bucket without documents too. */
type ReadKey = (bucket: ReducedBucket, path: AggregationPath) => KeyValue;

const keyReader =
  (owner: PathOwner, policy: GapPolicy): ReadKey =>
  (bucket, path) =>
    path.text === '_key'
      ? (bucket.key as string | number)
      : gapValue(bucket, path, policy === 'skip' ? 'keep_values' : policy, owner);

/** A bucket with the values that it is sorted by, in order of the keys. */
interface KeyedBucket {
  readonly bucket: ReducedBucket;
  readonly values: readonly KeyValue[];
}

function comparator(keys: readonly SortKey[]): (a: KeyedBucket, b: KeyedBucket) => number {
  return (a, b) => {
    for (const [i, { ascending }] of keys.entries()) {
      const [x, y] = [a.values[i]!, b.values[i]!];
      if (x === null || y === null) {
        if (x !== y) return x === null ? 1 : -1;
        continue;
      }
      const result = compareKeyValues(x, y);
      if (result !== 0) return ascending ? result : -result;
    }
    return 0;
  };
}

/**
 * `bucket_sort`: sorts the buckets of its parent and keeps a page of them. With gap policy `skip` it drops buckets
 * without any sort value.
 */
export const bucketSort: PipelineType = {
  name: 'bucket_sort',
  parse(site): PipelineBehaviour {
    const body = pipelineBody(site);
    const given = body.any('sort') ?? [];
    const keys = (Array.isArray(given) ? given : [given]).map(sortKey);
    const from = body.number('from') ?? 0;
    const size = body.number('size');
    const policy = body.gapPolicy();
    body.end();
    if (from < 0) throw bad(site, `[from] must be a non-negative integer: [${from}]`);
    if (size !== null && size <= 0) throw bad(site, `[size] must be a positive integer: [${size}]`);
    if (keys.length === 0 && size === null && from === 0) {
      throw errors.actionRequestValidation(
        `Validation Failed: 1: [${site.name}] is configured to perform nothing. Please set either of [sort, size, ` +
          'from] to use bucket_sort;',
      );
    }
    return {
      kind: 'parent',
      needsHistogram: false,
      paths: keys.map((key) => key.path.text),
      parent(buckets, name, reduced) {
        const keyOf = keyReader(ownerOf(name, reduced), policy);
        const page = (all: ReducedBucket[]): ReducedBucket[] =>
          all.slice(from, size === null ? undefined : from + size);
        if (keys.length === 0) return page(buckets);
        const keyed = buckets.map(
          (bucket): KeyedBucket => ({
            bucket,
            values: keys.map(({ path }) => keyOf(bucket, path)),
          }),
        );
        const kept = policy === 'skip' ? keyed.filter(({ values }) => values.some((value) => value !== null)) : keyed;
        return page(kept.sort(comparator(keys)).map(({ bucket }) => bucket));
      },
    };
  },
};
