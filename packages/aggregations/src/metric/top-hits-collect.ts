import type { Value } from '@shoal/codec';
import { bindSort, compareSortValues, type SegmentKeys, type SegmentView, type SortKey, type SortSpec } from '@shoal/query';
import type { Aggregator, BuildSite } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';

/** A hit kept for a bucket, with what compares it to hits of other segments and shards. */
interface Kept {
  /** Document number of the shard. */
  readonly doc: number;
  readonly score: number;
  readonly values: readonly Value[];
}

/** The best documents of one bucket within the segment: parallel arrays, best first. */
interface SegmentTop {
  readonly docs: Int32Array;
  readonly scores: Float32Array;
  /** `slots` keys a document. */
  readonly keys: Float64Array;
  size: number;
}

/** What a bucket's hits come to on one shard. */
export interface BucketHits {
  readonly total: number;
  readonly maxScore: number;
  readonly hits: readonly Kept[];
}

export interface TopHitsCollector {
  readonly aggregator: Omit<Aggregator, 'partial'>;
  hits(bucket: number): BucketHits;
}

interface BoundKey {
  readonly key: SortKey;
  readonly slots: number;
  /** First slot in the row of keys. */
  readonly at: number;
}

function bindKeys(specs: readonly SortSpec[], build: BuildSite): BoundKey[] {
  const { searcher, nowMs } = build.context;
  let at = 0;
  return bindSort(specs, { searcher, nowMs, nestedPath: build.nestedPath, innerHits: [] }).map((key) => {
    const bound = { key, slots: key.slots, at };
    at += key.slots;
    return bound;
  });
}

/**
 * Collects the best `limit` documents of each bucket by `specs`. Within a segment documents are compared by keys; between
 * segments, as between shards, by their sort values.
 */
export function topHitsCollector(build: BuildSite, specs: readonly SortSpec[], limit: number): TopHitsCollector {
  const bound = bindKeys(specs, build);
  const width = bound.reduce((sum, one) => sum + one.slots, 0);
  const kept: (Kept[] | undefined)[] = [];
  let tops: (SegmentTop | undefined)[] = [];
  let totals = new Float64Array(0);
  let maxima = new Float64Array(0);
  let view: SegmentView | null = null;
  let segmentKeys: SegmentKeys[] = [];
  let firsts = new Float64Array(0);
  const one = new Int32Array(1);
  const oneScore = new Float64Array(1);
  const oneKey = new Float64Array(1);
  const row = new Float64Array(width);

  const compareValues = (a: Kept, b: Kept): number => compareSortValues(specs, a.values, b.values) || a.doc - b.doc;
  const flushSegment = (): void => {
    tops.forEach((top, bucket) => {
      if (!top) return;
      const own = Array.from({ length: top.size }, (_, i): Kept => ({
        doc: top.docs[i]! + view!.docBase,
        score: top.scores[i]!,
        values: segmentKeys.map((keys) => keys.value(top.docs[i]!, top.scores[i]!)),
      }));
      kept[bucket] = [...(kept[bucket] ?? []), ...own].sort(compareValues).slice(0, limit);
    });
    tops = [];
  };
  const topOf = (bucket: number): SegmentTop => {
    let top = tops[bucket];
    if (!top) {
      build.context.charge(limit * (8 + 8 * width));
      tops[bucket] = top = { docs: new Int32Array(limit), scores: new Float32Array(limit), keys: new Float64Array(limit * width), size: 0 };
    }
    return top;
  };
  /** First keys of a window. */
  const readFirst = (docs: Int32Array, count: number, scores: Float32Array | null): Float64Array => {
    firsts = growDoubles(firsts, count);
    segmentKeys[0]!.read(0, docs, count, scores ? Float64Array.from(scores.subarray(0, count)) : null, firsts);
    return firsts;
  };
  /** All keys of one document, into `row`: only for those that the first key does not rule out. */
  const readRow = (doc: number, score: number, first: number): void => {
    row[0] = first;
    one[0] = doc;
    oneScore[0] = score;
    let slot = 0;
    bound.forEach(({ slots }, k) => {
      for (let s = 0; s < slots; s++, slot++) {
        if (slot === 0) continue;
        segmentKeys[k]!.read(s, one, 1, oneScore, oneKey);
        row[slot] = oneKey[0]!;
      }
    });
  };
  /** Whether row `row` comes before entry `i`. */
  const isBefore = (top: SegmentTop, i: number): boolean => {
    for (let s = 0; s < width; s++) {
      const [a, b] = [row[s]!, top.keys[i * width + s]!];
      if (a !== b) return a < b;
    }
    return false;
  };
  const insert = (top: SegmentTop, doc: number, score: number): void => {
    if (top.size === limit && !isBefore(top, limit - 1)) return;
    let at = top.size < limit ? top.size++ : limit - 1;
    for (; at > 0 && isBefore(top, at - 1); at--) {
      top.docs[at] = top.docs[at - 1]!;
      top.scores[at] = top.scores[at - 1]!;
      top.keys.copyWithin(at * width, (at - 1) * width, at * width);
    }
    top.docs[at] = doc;
    top.scores[at] = score;
    top.keys.set(row, at * width);
  };
  return {
    aggregator: {
      segment(next) {
        if (view) flushSegment();
        view = next;
        segmentKeys = bound.map(({ key }) => key.segment(next));
      },
      reserve(buckets) {
        totals = growDoubles(totals, buckets);
        maxima = growDoubles(maxima, buckets, Number.NEGATIVE_INFINITY);
      },
      collect(docs, buckets, count, scores) {
        const first = readFirst(docs, count, scores);
        for (let i = 0; i < count; i++) {
          const bucket = buckets ? buckets[i]! : 0;
          totals[bucket]!++;
          if (scores && scores[i]! > maxima[bucket]!) maxima[bucket] = scores[i]!;
          if (limit === 0) continue;
          const top = topOf(bucket);
          if (top.size === limit && first[i]! > top.keys[(limit - 1) * width]!) continue;
          const score = scores ? scores[i]! : Number.NaN;
          readRow(docs[i]!, score, first[i]!);
          insert(top, docs[i]!, score);
        }
      },
    },
    hits(bucket) {
      if (view) flushSegment();
      return { total: totals[bucket] ?? 0, maxScore: maxima[bucket] ?? Number.NEGATIVE_INFINITY, hits: kept[bucket] ?? [] };
    },
  };
}
