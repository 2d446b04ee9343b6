import type { Aggregator, BuildSite } from '../aggregation-type.js';
import { bucketTable } from '../collect/bucket-table.js';
import { growInts } from '../collect/growable.js';
import { RAW_FORMAT } from '../source/format.js';
import type { TermsOptions } from './terms-collect.js';

/** Terms of a field that the shard's mapping does not know: nothing, or all documents in the bucket of `missing`. */
export function unmappedTerms(site: BuildSite, options: TermsOptions): Aggregator {
  const subs = site.subs();
  const { missing } = options;
  const kind = typeof missing === 'number' ? 'l' : 's';
  const table = bucketTable(site.context.charge);
  let counts: Int32Array<ArrayBuffer> = new Int32Array(0);
  let ids: Int32Array<ArrayBuffer> = new Int32Array(0);
  return {
    segment: (view) => subs.segment(view),
    reserve() {},
    collect(docs, buckets, count, scores) {
      if (missing === null) return;
      ids = growInts(ids, count);
      for (let i = 0; i < count; i++) ids[i] = table.add(buckets ? buckets[i]! : 0, 0);
      counts = growInts(counts, table.size);
      for (let i = 0; i < count; i++) counts[ids[i]!]!++;
      subs.collect(docs, ids, count, scores, table.size);
    },
    partial(bucket) {
      const id = table.find(bucket, 0);
      if (id < 0) return null;
      return options.finish(kind, RAW_FORMAT, { ids: Int32Array.of(id), count: (at) => counts[at]!, key: () => (kind === 'l' ? (missing as number) : String(missing)), compareKeys: () => 0 }, subs);
    },
  };
}
