/**
 * What results are worth beside the other ones of their kind: records beside those of their partition, buckets beside
 * the buckets of the job, influencers beside those of their field. A score falls as more surprising results come: it is
 * at most what its percentile among all buckets allows, by Elasticsearch's anchors. One sketch a kind counts buckets by
 * how rare their rarest result was. What is decided depends on the data alone, not on when it is looked at.
 */
import { scoreOf } from './score.js';

/** Bins of rarities, from the least rarity of a result. */
const BINS = 64;
const BIN_FROM = 1.5;
const BIN_WIDTH = 0.25;
/** A result is compared with at least this many buckets, so that the first ones of a job are not worth nothing. */
const BUCKETS_LEAST = 1000;
/** Percentiles among buckets and the scores that they allow. */
const PERCENTILES = [0, 70, 85, 90, 95, 97, 99, 99.9, 100];
const ALLOWED = [0, 1, 1.2, 1.5, 3, 20, 50, 90, 100];
/** A score that would move by less is left as it is. */
const MOVE_LEAST = 1;
/** Sketches that are kept; results of further partitions share one. */
const SKETCHES_MAX = 10_000;
const SKETCH_BYTES = 12 * BINS + 160;

/** Results whose scores are compared with each other. */
export type ResultKind =
  | { readonly type: 'bucket' }
  | { readonly type: 'record'; readonly partition: string | null }
  | { readonly type: 'influencer'; readonly field: string };

/** Scores that have changed: of all results of a kind whose initial score lies in a range. */
export interface ScoreMove {
  readonly kind: ResultKind;
  readonly initialFrom: number;
  /** Exclusive; null for no bound. */
  readonly initialTo: number | null;
  /** What the score is now, at most the initial one. */
  readonly score: number;
}

interface Sketch {
  readonly kind: ResultKind;
  /** Number of the bucket before the first one with such a result. */
  readonly since: number;
  readonly counts: Uint32Array;
  /** Score that results of a bin have at most. */
  readonly applied: Float64Array;
}

/** A sketch as JSON: bins with their counts, and with the scores that are not 100. */
interface SketchJson {
  readonly kind: ResultKind;
  readonly since: number;
  readonly counts: readonly (readonly [number, number])[];
  readonly applied: readonly (readonly [number, number])[];
}
export type NormaliserJson = readonly SketchJson[];

const SHARED: ResultKind = { type: 'record', partition: null };
const keyOf = (kind: ResultKind): string =>
  kind.type === 'record' ? `r${kind.partition ?? ''}` : kind.type === 'bucket' ? 'b' : `i${kind.field}`;
const binOf = (rarity: number): number => Math.max(0, Math.min(BINS - 1, Math.floor((rarity - BIN_FROM) / BIN_WIDTH)));
const edgeOf = (bin: number): number => scoreOf(BIN_FROM + bin * BIN_WIDTH);

/** Score that a result may have with a share of buckets above it. */
function allowedScore(shareAbove: number): number {
  const percentile = 100 * (1 - shareAbove);
  const i = Math.max(
    1,
    PERCENTILES.findIndex((p) => percentile <= p),
  );
  const share = (percentile - PERCENTILES[i - 1]!) / (PERCENTILES[i]! - PERCENTILES[i - 1]!);
  return ALLOWED[i - 1]! + share * (ALLOWED[i]! - ALLOWED[i - 1]!);
}

export class Normaliser {
  readonly #sketches = new Map<string, Sketch>();

  get bytes(): number {
    return SKETCH_BYTES * this.#sketches.size;
  }

  /** Returns what a result is worth beside those before it. */
  scoreOf(kind: ResultKind, rarity: number, initial: number): number {
    const sketch = this.#sketches.get(keyOf(kind)) ?? (this.#isFull ? this.#sketches.get(keyOf(SHARED)) : undefined);
    return sketch === undefined ? initial : Math.min(initial, sketch.applied[binOf(rarity)]!);
  }

  /** Counts a bucket by its rarest result of a kind. `bucket`: its number. */
  note(kind: ResultKind, rarity: number, bucket: number): void {
    if (rarity < BIN_FROM) return;
    const { counts } = this.#sketchOf(kind, bucket);
    counts[binOf(rarity)]!++;
  }

  /** Compares all kinds with what they have counted, at bucket number `bucket`; returns the scores that move. */
  review(bucket: number): ScoreMove[] {
    return [...this.#sketches.values()].flatMap((sketch) => movesOf(sketch, bucket));
  }

  get #isFull(): boolean {
    return this.#sketches.size >= SKETCHES_MAX;
  }

  #sketchOf(kind: ResultKind, bucket: number): Sketch {
    const known = this.#sketches.get(keyOf(kind));
    if (known !== undefined) return known;
    if (this.#isFull && kind.type === 'record' && kind.partition !== null) return this.#sketchOf(SHARED, bucket);
    const sketch = newSketch(kind, bucket - 1);
    this.#sketches.set(keyOf(kind), sketch);
    return sketch;
  }

  toJson(): NormaliserJson {
    const sparse = (list: Uint32Array | Float64Array, usual: number): [number, number][] =>
      Array.from(list, (value, bin): [number, number] => [bin, value]).filter(([, value]) => value !== usual);
    return [...this.#sketches.values()].map(({ kind, since, counts, applied }) => ({
      ...{ kind, since, counts: sparse(counts, 0), applied: sparse(applied, 100) },
    }));
  }

  /** Reads what `toJson` wrote. */
  restore(kept: NormaliserJson): void {
    for (const { kind, since, counts, applied } of kept) {
      const sketch = newSketch(kind, since);
      for (const [bin, count] of counts) sketch.counts[bin] = count;
      for (const [bin, score] of applied) sketch.applied[bin] = score;
      this.#sketches.set(keyOf(kind), sketch);
    }
  }
}

const newSketch = (kind: ResultKind, since: number): Sketch => ({
  ...{ kind, since, counts: new Uint32Array(BINS), applied: new Float64Array(BINS).fill(100) },
});

/** Moves the scores of bins that have come to be worth more or less; a rarer bin is never worth less. */
function movesOf({ kind, since, counts, applied }: Sketch, bucket: number): ScoreMove[] {
  const of = Math.max(BUCKETS_LEAST, bucket - since);
  const moves: ScoreMove[] = [];
  let above = 0;
  let limit = 100;
  for (let bin = BINS - 1; bin >= 0; bin--) {
    const target = allowedScore(Math.min(1, above / of));
    const before = applied[bin]!;
    const moved = Math.abs(target - before) > MOVE_LEAST ? target : before;
    limit = Math.min(limit, moved);
    applied[bin] = limit;
    const initialTo = bin === BINS - 1 ? null : edgeOf(bin + 1);
    // Results of a bin that may score all that they have are as they were.
    if (limit !== before && Math.min(limit, before) < (initialTo ?? 100))
      moves.push({ kind, initialFrom: edgeOf(bin), initialTo, score: limit });
    above += counts[bin]!;
  }
  return moves;
}
