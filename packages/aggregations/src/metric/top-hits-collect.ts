import type { Value } from '@shoal/codec';
import {
  bindSort,
  compareSortValues,
  type SegmentKeys,
  type SegmentView,
  type SortKey,
  type SortSpec,
} from '@shoal/query';
import type { BuildSite } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';

/** A hit of a bucket, with the sort values that compare it to hits of other segments and shards. */
interface TopHit {
  /** Document number within the shard. */
  readonly doc: number;
  readonly score: number;
  readonly values: readonly Value[];
}

/** The best documents of one bucket within the segment: parallel arrays, best first. */
interface SegmentTop {
  readonly docs: Int32Array;
  readonly scores: Float32Array;
  /** Sort keys, `#keysPerDoc` for each document. */
  readonly keys: Float64Array;
  size: number;
}

/** The hits of one bucket on one shard. */
export interface BucketHits {
  readonly total: number;
  readonly maxScore: number;
  readonly hits: readonly TopHit[];
}

/**
 * Collects the best `limit` documents of each bucket by a sort. Documents of one segment are compared by sort keys,
 * documents of different segments by sort values, as between shards.
 */
export class TopHitsCollector {
  readonly #build: BuildSite;
  readonly #specs: readonly SortSpec[];
  readonly #limit: number;
  readonly #keys: readonly SortKey[];
  /** Sort keys of one document: the length of `#row`. */
  readonly #keysPerDoc: number;
  readonly #row: Float64Array;
  readonly #hits: (TopHit[] | undefined)[] = [];
  #tops: (SegmentTop | undefined)[] = [];
  #totals = new Float64Array(0);
  #maxima = new Float64Array(0);
  #firsts = new Float64Array(0);
  #view: SegmentView | null = null;
  #segmentKeys: SegmentKeys[] = [];
  readonly #oneDoc = new Int32Array(1);
  readonly #oneScore = new Float64Array(1);
  readonly #oneKey = new Float64Array(1);

  constructor(build: BuildSite, specs: readonly SortSpec[], limit: number) {
    const { searcher, now } = build.context;
    this.#build = build;
    this.#specs = specs;
    this.#limit = limit;
    this.#keys = bindSort(specs, { searcher, now, nestedPath: build.nestedPath, innerHits: [] });
    this.#keysPerDoc = this.#keys.reduce((sum, key) => sum + key.slots, 0);
    this.#row = new Float64Array(this.#keysPerDoc);
  }

  segment(view: SegmentView): void {
    this.#flushSegment();
    this.#view = view;
    this.#segmentKeys = this.#keys.map((key) => key.segment(view));
  }

  reserve(buckets: number): void {
    this.#totals = growDoubles(this.#totals, buckets);
    this.#maxima = growDoubles(this.#maxima, buckets, Number.NEGATIVE_INFINITY);
  }

  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const first = this.#readFirst(docs, count, scores);
    const last = (this.#limit - 1) * this.#keysPerDoc;
    for (let i = 0; i < count; i++) {
      const bucket = buckets ? buckets[i]! : 0;
      this.#totals[bucket]!++;
      if (scores && scores[i]! > this.#maxima[bucket]!) this.#maxima[bucket] = scores[i]!;
      if (this.#limit === 0) continue;
      const top = this.#topOf(bucket);
      if (top.size === this.#limit && first[i]! > top.keys[last]!) continue;
      const score = scores ? scores[i]! : Number.NaN;
      this.#readRow(docs[i]!, score, first[i]!);
      this.#insert(top, docs[i]!, score);
    }
  }

  /** Reads the first sort key of each document of a window. */
  #readFirst(docs: Int32Array, count: number, scores: Float32Array | null): Float64Array {
    this.#firsts = growDoubles(this.#firsts, count);
    this.#segmentKeys[0]!.read(
      0,
      docs,
      count,
      scores ? Float64Array.from(scores.subarray(0, count)) : null,
      this.#firsts,
    );
    return this.#firsts;
  }

  /**
   * Reads all sort keys of one document into `#row`. Called only for documents that the first key does not rule out.
   */
  #readRow(doc: number, score: number, first: number): void {
    this.#row[0] = first;
    this.#oneDoc[0] = doc;
    this.#oneScore[0] = score;
    let slot = 0;
    for (let k = 0; k < this.#keys.length; k++) {
      for (let s = 0; s < this.#keys[k]!.slots; s++, slot++) {
        if (slot === 0) continue;
        this.#segmentKeys[k]!.read(s, this.#oneDoc, 1, this.#oneScore, this.#oneKey);
        this.#row[slot] = this.#oneKey[0]!;
      }
    }
  }

  #topOf(bucket: number): SegmentTop {
    let top = this.#tops[bucket];
    if (!top) {
      this.#build.context.charge(this.#limit * (8 + 8 * this.#keysPerDoc));
      top = this.#tops[bucket] = {
        docs: new Int32Array(this.#limit),
        scores: new Float32Array(this.#limit),
        keys: new Float64Array(this.#limit * this.#keysPerDoc),
        size: 0,
      };
    }
    return top;
  }

  /** Whether the document in `#row` comes before entry `i`. */
  #isBefore(top: SegmentTop, i: number): boolean {
    for (let s = 0; s < this.#keysPerDoc; s++) {
      const [a, b] = [this.#row[s]!, top.keys[i * this.#keysPerDoc + s]!];
      if (a !== b) return a < b;
    }
    return false;
  }

  #insert(top: SegmentTop, doc: number, score: number): void {
    if (top.size === this.#limit && !this.#isBefore(top, this.#limit - 1)) return;
    const width = this.#keysPerDoc;
    let at = top.size < this.#limit ? top.size++ : this.#limit - 1;
    for (; at > 0 && this.#isBefore(top, at - 1); at--) {
      top.docs[at] = top.docs[at - 1]!;
      top.scores[at] = top.scores[at - 1]!;
      top.keys.copyWithin(at * width, (at - 1) * width, at * width);
    }
    top.docs[at] = doc;
    top.scores[at] = score;
    top.keys.set(this.#row, at * width);
  }

  /** Computes the sort values of the entries of the segment and merges them with the hits of earlier segments. */
  #flushSegment(): void {
    if (!this.#view) return;
    this.#tops.forEach((top, bucket) => {
      if (top) this.#hits[bucket] = this.#merged(bucket, top);
    });
    this.#tops = [];
  }

  #merged(bucket: number, top: SegmentTop): TopHit[] {
    const own = Array.from({ length: top.size }, (_, i) => this.#keep(this.#view!, top.docs[i]!, top.scores[i]!));
    return [...(this.#hits[bucket] ?? []), ...own]
      .sort((a, b) => compareSortValues(this.#specs, a.values, b.values) || a.doc - b.doc)
      .slice(0, this.#limit);
  }

  #keep(view: SegmentView, doc: number, score: number): TopHit {
    return { doc: doc + view.docBase, score, values: this.#segmentKeys.map((keys) => keys.value(doc, score)) };
  }

  /**
   * Returns the hits of a bucket. The entries of the last segment are merged here, so that only buckets of the answer
   * need sort values.
   */
  hits(bucket: number): BucketHits {
    const top = this.#tops[bucket];
    const hits = top ? this.#merged(bucket, top) : (this.#hits[bucket] ?? []);
    return { total: this.#totals[bucket] ?? 0, maxScore: this.#maxima[bucket] ?? Number.NEGATIVE_INFINITY, hits };
  }
}
