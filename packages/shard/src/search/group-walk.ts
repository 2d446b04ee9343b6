import { type SegmentView, type Searcher, type TopDocs } from '@shoal/query';
import { type MultiNumbers, type MultiOrdinals, multiNumbers, multiOrdinals, WINDOW_DOCS } from '@shoal/segments';
import { refuseSeveralValues } from './collapse.js';
import type { HitCollector } from './hit-collector.js';

const NO_DOCS: TopDocs = { docs: new Int32Array(0), scores: new Float32Array(0) };

/** Reads how many values documents have. */
type ReadAll = (docs: Int32Array, count: number) => Int32Array;

/** Returns a reader of where the values of documents start; null if no document of the segment has several. */
function severalOf(field: string, { reader }: SegmentView): ReadAll | null {
  const terms = reader.ordinals(field);
  const numbers = terms === null ? reader.numbers(field) : null;
  if (terms?.isSingleValued === false) {
    const all: MultiOrdinals = multiOrdinals();
    return (docs, count) => (terms.readAll(docs, count, all), all.starts);
  }
  if (numbers?.isSingleValued !== false) return null;
  const all: MultiNumbers = multiNumbers();
  return (docs, count) => (numbers.readAll(docs, count, all), all.starts);
}

/** Passes all matches on to a collector and finds the last that has several values of a field. */
export class SeveralFinder implements HitCollector {
  readonly #hits: HitCollector;
  readonly #field: string;
  #readAll: ReadAll | null = null;
  #base = 0;
  /** The last match with several values; -1 if there is none. */
  last = -1;

  constructor(hits: HitCollector, field: string) {
    this.#hits = hits;
    this.#field = field;
  }

  get needsScores(): boolean {
    return this.#hits.needsScores;
  }

  start(view: SegmentView): void {
    this.#hits.start(view);
    this.#base = view.docBase;
    this.#readAll = severalOf(this.#field, view);
  }

  offer(docs: Int32Array, scores: Float64Array | null, count: number): void {
    if (this.#readAll !== null) {
      const starts = this.#readAll(docs, count);
      let i = count - 1;
      while (i >= 0 && starts[i + 1]! - starts[i]! <= 1) i--;
      if (i >= 0) this.last = this.#base + docs[i]!;
    }
    this.#hits.offer(docs, scores, count);
  }

  rulesOut(): boolean {
    return false;
  }

  minScore(): number {
    return 0;
  }

  take(): TopDocs {
    return this.#hits.take();
  }
}

/** Makes the collector of the best `size` hits. */
export type MakeHits = (size: number) => { readonly hits: HitCollector; readonly release: () => void };

/**
 * Keeps the best document of each of the best `size` groups. Throws for the match with several values that
 * Elasticsearch meets first. Matches are looked at in the order of their numbers, some thousands at a time together
 * with the best documents of the groups until then, so that it needs no memory for the others.
 */
export class GroupWalk implements HitCollector {
  readonly needsScores: boolean;
  readonly #make: MakeHits;
  readonly #field: string;
  readonly #searcher: Searcher;
  readonly #size: number;
  readonly #last: number;
  readonly #docs: Int32Array;
  readonly #scores: Float64Array;
  #count = 0;
  #view: SegmentView | null = null;
  /** The best document of each group, by ascending numbers. */
  #heads: { readonly doc: number; readonly score: number }[] = [];
  /** The documents that were looked at last, best first, the best of each group among them. */
  #top: TopDocs = NO_DOCS;

  /** `last` is the last document that has to be looked at, `atOnce` how many are at a time. */
  constructor(make: MakeHits, field: string, searcher: Searcher, size: number, last: number, atOnce: number) {
    this.#make = make;
    this.#field = field;
    this.#searcher = searcher;
    this.#size = size;
    this.#last = last;
    this.#docs = new Int32Array(atOnce);
    this.#scores = new Float64Array(atOnce);
    const { hits, release } = make(size);
    this.needsScores = hits.needsScores;
    release();
  }

  start(view: SegmentView): void {
    this.#flush();
    this.#view = view;
  }

  offer(docs: Int32Array, scores: Float64Array | null, count: number): void {
    const base = this.#view!.docBase;
    for (let i = 0; i < count && base + docs[i]! <= this.#last; i++) {
      if (this.#count === this.#docs.length) this.#flush();
      this.#docs[this.#count] = base + docs[i]!;
      this.#scores[this.#count++] = scores === null ? 0 : scores[i]!;
    }
  }

  rulesOut(doc: number): boolean {
    return this.#view!.docBase + doc - (doc % WINDOW_DOCS) > this.#last;
  }

  minScore(): number {
    return 0;
  }

  /** Ends the walk. Among the hits, best first, are the best of each group. */
  take(): TopDocs {
    this.#flush();
    return this.#top;
  }

  #flush(): void {
    if (this.#count === 0) return;
    const { hits, release } = this.#make(this.#heads.length + this.#count);
    const docs = new Int32Array(this.#heads.length + this.#count);
    const scores = new Float64Array(docs.length);
    this.#heads.forEach(({ doc, score }, i) => {
      docs[i] = doc;
      scores[i] = score;
    });
    docs.set(this.#docs.subarray(0, this.#count), this.#heads.length);
    scores.set(this.#scores.subarray(0, this.#count), this.#heads.length);
    this.#count = 0;
    this.#offerTo(hits, docs, scores);
    const top = hits.take();
    release();
    this.#top = top;
    const heads = refuseSeveralValues(top, this.#field, this.#searcher, this.#size);
    this.#heads = heads
      .map((rank) => ({ doc: top.docs[rank]!, score: top.scores[rank] ?? 0 }))
      .sort((a, b) => a.doc - b.doc);
  }

  /** Offers documents of several segments, window by window. */
  #offerTo(hits: HitCollector, docs: Int32Array, scores: Float64Array): void {
    let i = 0;
    for (const view of this.#searcher.segments) {
      const end = view.docBase + view.maxDoc;
      if (i === docs.length || docs[i]! >= end) continue;
      hits.start(view);
      while (i < docs.length && docs[i]! < end) {
        const from = i;
        const window = (docs[i]! - view.docBase) >>> 12;
        while (i < docs.length && docs[i]! < end && (docs[i]! - view.docBase) >>> 12 === window) i++;
        const local = docs.slice(from, i).map((doc) => doc - view.docBase);
        hits.offer(local, this.needsScores ? scores.slice(from, i) : null, local.length);
      }
    }
  }
}
