import type { Aggregator, BuildSite } from '../aggregation-type.js';
import { dateFormat, parseIp } from '@shoal/values';
import { bucketTable } from '../collect/bucket-table.js';
import { growCounts } from '../collect/counts.js';
import { growInts } from '../collect/growable.js';
import { type BucketCounts, countWeighted } from '../collect/pairs.js';
import { docCounts } from '../source/doc-counts.js';
import { type FormatSpec, RAW_FORMAT } from '../source/format.js';
import type { TermsOptions } from './terms-collect.js';
import type { TermsKind } from './terms-partial.js';

/** The only key of an unmapped field: the value of `missing`, parsed as `value_type` says. */
interface MissingKey {
  readonly kind: TermsKind;
  readonly key: string | number;
  readonly format: FormatSpec;
}

const DATE: Extract<FormatSpec, { k: 'date' }> = { k: 'date', p: 'strict_date_optional_time||epoch_millis', z: 'UTC' };

function missingKey(missing: unknown, valueType: string | null, now: () => number): MissingKey {
  switch (valueType) {
    case 'boolean':
      return { kind: 'l', key: missing === true || missing === 'true' ? 1 : 0, format: { k: 'boolean' } };
    case 'date':
      return {
        kind: 'l',
        key: dateFormat(DATE.p).parseRounded(String(missing), { roundUp: false, now }),
        format: DATE,
      };
    case 'long':
    case 'integer':
    case 'short':
    case 'byte':
      return { kind: 'l', key: Number(missing), format: RAW_FORMAT };
    case 'double':
    case 'float':
    case 'number':
      return { kind: 'd', key: Number(missing), format: RAW_FORMAT };
    case 'ip':
      return { kind: 's', key: parseIp(String(missing)) ?? String(missing), format: { k: 'ip' } };
    default:
      return { kind: 's', key: String(missing), format: RAW_FORMAT };
  }
}

/**
 * Collects terms of a field that the mapping of the shard lacks: no buckets, or one of `missing` with all documents.
 */
export function unmappedTerms<P>(
  site: BuildSite,
  options: TermsOptions<P>,
  valueType: string | null = null,
): Aggregator<P> {
  const subs = site.subs();
  const { missing } = options;
  const only = missing === null ? null : missingKey(missing, valueType, site.context.now);
  const table = bucketTable(site.context.charge);
  const state: BucketCounts = { counts: new Int32Array(0) };
  let weights: Int32Array | null = null;
  let ids: Int32Array<ArrayBuffer> = new Int32Array(0);
  return {
    segment(view) {
      subs.segment(view);
      weights = only === null ? null : docCounts(view);
    },
    reserve() {},
    collect(docs, buckets, count, scores) {
      if (!only) return;
      ids = growInts(ids, count);
      for (let i = 0; i < count; i++) ids[i] = table.add(buckets ? buckets[i]! : 0, 0);
      state.counts = growCounts(state.counts, table.size);
      countWeighted(ids, docs, count, weights, state);
      subs.collect(docs, ids, count, scores, table.size);
    },
    partial(bucket) {
      const id = table.find(bucket, 0);
      if (!only || id < 0) return null;
      return options.finish(
        only.kind,
        only.format,
        { ids: Int32Array.of(id), count: (at) => state.counts[at]!, key: () => only.key, compareKeys: () => 0 },
        subs,
      );
    },
  };
}
