import { doubleNumber } from '@shoal/json';
import type { Value } from '@shoal/codec';
import type { ReduceSite } from '../aggregation-type.js';
import type { ReducedSubs, Reduced, ReducedBucket } from '../reduce/reduced.js';
import { bucketComparator, type BucketOrder } from '../reduce/order.js';
import type { Formatter } from '../source/format.js';
import { compareKeyValues } from './terms-partial.js';
import type { HistogramPartial } from './histogram-collect.js';
import { present } from '../reduce/present.js';

/** How the buckets of a histogram are merged, ordered and filled up. */
export interface HistogramShape {
  readonly typedName: string;
  /** Whether keys print as doubles (4.0); keys of dates print as whole milliseconds. */
  readonly hasDoubleKeys: boolean;
  readonly keyed: boolean;
  readonly minDocCount: number;
  readonly order: BucketOrder;
  /** The key after a key; used to fill gaps when `minDocCount` is 0. */
  next(key: number): number;
  /** First and last key that must appear when `minDocCount` is 0; null for none. */
  /** Whether keys are dates that sub-aggregations may ask for. */
  readonly hasDateKeys?: boolean;
  readonly extended: { readonly first: number; readonly last: number } | null;
}

interface MergedKey {
  count: number;
  readonly subs: (readonly Value[])[];
}

/** A bucket without documents, beside those that shards returned. */
function withoutDocuments(merged: ReadonlyMap<number, MergedKey>, site: ReduceSite): MergedKey {
  for (const { subs } of merged.values()) if (subs.length > 0) return { count: 0, subs: [site.emptied(subs[0]!)] };
  return { count: 0, subs: [] };
}

/** Merges buckets with the same key. */
function mergeKeys(partials: readonly HistogramPartial[]): Map<number, MergedKey> {
  const merged = new Map<number, MergedKey>();
  for (const { k, c, s } of partials) {
    for (let i = 0; i < k.length; i++) {
      let bucket = merged.get(k[i]!);
      if (!bucket) merged.set(k[i]!, (bucket = { count: 0, subs: [] }));
      bucket.count += c[i]!;
      if (s) bucket.subs.push(s[i]!);
    }
  }
  return merged;
}

/** Makes a bucket of a histogram, date_histogram or auto_date_histogram. */
export function histogramBucket(
  key: number,
  docCount: number,
  subs: ReducedSubs,
  formatter: Formatter,
  hasDoubleKey: boolean,
): ReducedBucket {
  const text = formatter.shown(key);
  const bucket: ReducedBucket = {
    key,
    keyText: text ?? (hasDoubleKey ? formatter.text(key) : String(key)),
    docCount,
    subs,
    head() {
      const shown = hasDoubleKey ? doubleNumber(key) : key;
      return text === null
        ? { key: shown, doc_count: bucket.docCount }
        : { key_as_string: text, key: shown, doc_count: bucket.docCount };
    },
  };
  return bucket;
}

/** Returns the keys of the answer, ascending, with gaps filled. Throws before more keys than allowed are made. */
function keysWithGaps(merged: ReadonlyMap<number, MergedKey>, shape: HistogramShape, site: ReduceSite): number[] {
  const own = [...merged.keys()].sort((a, b) => a - b);
  const first = Math.min(own[0] ?? Number.POSITIVE_INFINITY, shape.extended?.first ?? Number.POSITIVE_INFINITY);
  const last = Math.max(own.at(-1) ?? Number.NEGATIVE_INFINITY, shape.extended?.last ?? Number.NEGATIVE_INFINITY);
  const keys: number[] = [];
  let at = 0;
  for (let key = first; key <= last || at < own.length; ) {
    // A key of a document is used instead of a computed one: adding the interval repeatedly loses low bits.
    if (at < own.length && own[at]! <= key) key = own[at++]!;
    keys.push(key);
    site.addBuckets(1);
    const next = shape.next(key);
    key = at < own.length && own[at]! < next ? own[at]! : next;
    if (!(next > keys.at(-1)!)) break;
  }
  return keys;
}

function fullBuckets(
  merged: ReadonlyMap<number, MergedKey>,
  shape: HistogramShape,
  formatter: Formatter,
  site: ReduceSite,
): ReducedBucket[] {
  const empty = withoutDocuments(merged, site);
  const bucket = (key: number): ReducedBucket => {
    const { count, subs } = merged.get(key) ?? empty;
    const below = shape.hasDateKeys === true ? site.subs(subs, key) : site.subs(subs);
    return histogramBucket(key, count, below, formatter, shape.hasDoubleKeys);
  };
  if (shape.minDocCount > 0) {
    const keys = [...merged.keys()].filter((key) => merged.get(key)!.count >= shape.minDocCount).sort((a, b) => a - b);
    site.addBuckets(keys.length);
    return keys.map(bucket);
  }
  return keysWithGaps(merged, shape, site).map(bucket);
}

/** Merges histograms of shards into the answer's buckets. */
export function reduceHistogram(
  partials: readonly (HistogramPartial | null)[],
  shape: HistogramShape,
  formatter: Formatter,
  site: ReduceSite,
): Reduced {
  const own = present(partials);
  const buckets = fullBuckets(mergeKeys(own), shape, formatter, site);
  const first = shape.order[0]!;
  if (first.by !== 'key' || !first.ascending)
    site.settled(() => void buckets.sort(bucketComparator(shape.order, (a, b) => compareKeyValues(a.key, b.key))));
  return {
    typedName: shape.typedName,
    buckets,
    render(render) {
      return { buckets: shape.keyed ? render.keyed(this.buckets!) : render.list(this.buckets!) };
    },
  };
}
