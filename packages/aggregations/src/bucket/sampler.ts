import { errors } from '@shoal/errors';
import { globalOrdinals, type SegmentView } from '@shoal/query';
import type { Aggregator, AggregationType, BuildSite, ParseSite, SubAggregators } from '../aggregation-type.js';
import { numberSource } from '../source/number-source.js';
import { ordinalSource } from '../source/ordinal-source.js';
import { integerFrom, readFields, stringField } from '../parse/body-fields.js';
import { resolveField, sourceFields, sourceOf } from '../source/values-source.js';
import { type SinglePartial, reduceSingle, singlePartial } from './single-bucket.js';
import { NO_KIND } from '../source/value-kinds.js';

/** A document that may be in the sample of a bucket. */
interface Sampled {
  readonly doc: number;
  readonly segment: number;
  readonly score: number;
  /** Value that `max_docs_per_value` limits; null if there is none. */
  readonly value: string | number | null;
}

const better = (a: Sampled, b: Sampled): number => b.score - a.score || a.segment - b.segment || a.doc - b.doc;

/** Returns the best documents of a bucket, at most `perValue` of them with the same value. */
function sampleOf(candidates: readonly Sampled[], size: number, perValue: number): Sampled[] {
  const used = new Map<string | number, number>();
  const out: Sampled[] = [];
  for (const one of [...candidates].sort(better)) {
    if (out.length === size) break;
    if (one.value !== null) {
      const count = used.get(one.value) ?? 0;
      if (count >= perValue) continue;
      used.set(one.value, count + 1);
    }
    out.push(one);
  }
  return out;
}

type ValueOf = { segment(view: SegmentView): void; value(doc: number): string | number | null };

/** Candidates of a bucket are cut to the best ones when there are this many times the sample size. */
const CANDIDATES_FACTOR = 4;

/**
 * Keeps the best documents of each bucket while segments are collected. After the last segment it starts all segments
 * again and passes the kept documents to the sub-aggregations.
 */
function sampling(
  build: BuildSite,
  size: number,
  perValue: number,
  valueOf: ValueOf | null,
): Aggregator<SinglePartial> {
  const subs: SubAggregators = build.subs();
  const views: SegmentView[] = [];
  const candidates = new Map<number, Sampled[]>();
  let counts: Int32Array | null = null;
  const replay = (): Int32Array => {
    const chosen = [...candidates].flatMap(([bucket, list]) =>
      sampleOf(list, size, perValue).map((one) => ({ ...one, bucket })),
    );
    chosen.sort((a, b) => a.segment - b.segment || a.doc - b.doc || a.bucket - b.bucket);
    const buckets = Math.max(0, ...candidates.keys()) + 1;
    const result = new Int32Array(buckets);
    views.forEach((view, segment) => {
      const own = chosen.filter((one) => one.segment === segment);
      if (own.length === 0) return;
      subs.segment(view);
      subs.collect(
        Int32Array.from(own, (one) => one.doc),
        Int32Array.from(own, (one) => one.bucket),
        own.length,
        Float32Array.from(own, (one) => one.score),
        buckets,
      );
      for (const { bucket } of own) result[bucket]!++;
    });
    return result;
  };
  return {
    segment(view) {
      views.push(view);
      valueOf?.segment(view);
    },
    reserve() {},
    collect(docs, buckets, count, scores) {
      for (let i = 0; i < count; i++) {
        const bucket = buckets ? buckets[i]! : 0;
        let list = candidates.get(bucket);
        if (!list) candidates.set(bucket, (list = []));
        list.push({
          doc: docs[i]!,
          segment: views.length - 1,
          score: scores ? scores[i]! : 1,
          value: valueOf ? valueOf.value(docs[i]!) : null,
        });
        if (list.length > size * CANDIDATES_FACTOR + 1024) candidates.set(bucket, sampleOf(list, size, perValue));
      }
    },
    partial(bucket): SinglePartial | null {
      counts ??= replay();
      return singlePartial(counts, bucket, subs);
    },
  };
}

function diversity(build: BuildSite, name: string): ValueOf | null {
  const field = resolveField(build.context, name, 'terms', build.node.type);
  if (!field) return null;
  const one = new Int32Array(1);
  if (field.column === 'ordinals') {
    const source = ordinalSource(field.type.name, undefined);
    const ordinals = globalOrdinals(build.context.searcher, field.type.name);
    let map: Int32Array | null = null;
    return {
      segment(view) {
        source.segment(view);
        map = ordinals.map(view);
      },
      value(doc) {
        one[0] = doc;
        const own = source.read(one, 1)[0]!;
        return own < 0 ? null : map ? map[own]! : own;
      },
    };
  }
  const source = numberSource(field.type, Number.NaN, undefined);
  return {
    segment: (view) => source.segment(view),
    value(doc) {
      one[0] = doc;
      const value = source.read(one, 1)[0]!;
      return Number.isNaN(value) ? null : value;
    },
  };
}

/** A sampler without sub-aggregations, which is refused by each shard that has a segment to read. */
function withoutSubs(): Aggregator<SinglePartial> {
  return {
    segment() {
      throw errors.illegalArgument('Sampler aggregation must be used with child aggregations.');
    },
    reserve() {},
    collect() {},
    partial: () => null,
  };
}

/** Reads the body of a sampler, which 8.12 parses by hand. */
function readShardSize({ body, name }: ParseSite): number {
  let size = 100;
  for (const [key, value] of Object.entries(body)) {
    if (key !== 'shard_size' || typeof value !== 'number')
      throw errors.parsing(`Unsupported property "${key}" for aggregation "${name}`, {
        location: { container: body, key },
      });
    size = Math.max(0, Math.trunc(value));
  }
  return size;
}

/** `sampler`: the documents with the best scores of each shard. */
export const sampler: AggregationType<SinglePartial> = {
  name: 'sampler',
  valueKinds: NO_KIND,
  parse(site) {
    const shardSize = readShardSize(site);
    return {
      acceptsSubs: true,
      needsScores: true,
      shape: 'single',
      collector(build) {
        if (!site.hasSubs) return withoutSubs();
        return sampling(build, shardSize, Number.POSITIVE_INFINITY, null);
      },
      reduce: (partials, reduceSite) => reduceSingle('sampler', partials, reduceSite),
    };
  },
};

/** `diversified_sampler`: a sampler with a limit for documents with the same value. */
export const diversifiedSampler: AggregationType<SinglePartial> = {
  name: 'diversified_sampler',
  valueKinds: ['boolean', 'date', 'keyword', 'numeric'],
  parse(site) {
    const fields = readFields(site.body, site, {
      ...sourceFields,
      shard_size: integerFrom(0, 'shardSize'),
      max_docs_per_value: integerFrom(1, 'maxDocsPerValue'),
      execution_hint: stringField,
    });
    const source = sourceOf(fields, site, 'keyword');
    return {
      acceptsSubs: true,
      needsScores: true,
      shape: 'single',
      reads: [{ source, kind: 'terms' }],
      collector(build) {
        const valueOf = diversity(build, source.field);
        if (!site.hasSubs) return withoutSubs();
        return sampling(build, fields.shard_size ?? 100, fields.max_docs_per_value ?? 1, valueOf);
      },
      reduce: (partials, reduceSite) => reduceSingle('sampler', partials, reduceSite),
    };
  },
};
