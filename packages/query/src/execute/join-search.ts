import { bitSet, type BitSet } from '@shoal/segments';
import type { Matcher, Weight } from '../matcher.js';
import { type GlobalOrdinals, globalOrdinals } from '../ordinals/global-ordinals.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { type WindowBuffer, windowBuffer, windowEnd } from './matchers/gather.js';
import type { PlanOf } from './plan-of.js';
import { keepBits } from './window.kernel.js';

type Join = PlanOf<'join'>;

/** Windows of documents that one step looks at: about a millisecond. */
const STEP_WINDOWS = 16;
/** Ordinals of a block of scores and counts; a block is made when the first of its ordinals matches. */
const BLOCK_BITS = 12;
const BLOCK_SIZE = 1 << BLOCK_BITS;

/** Scores of the matches that share an id, and how many there are, for a run of ordinals. */
interface Block {
  readonly scores: Float32Array;
  readonly counts: Int32Array;
}

/** A segment that is being looked at. */
interface Open {
  readonly view: SegmentView;
  readonly matcher: Matcher;
  readonly ordinals: SegmentOrdinals;
  from: number;
}

/** Reads the global ordinals of documents of one segment; -1 for documents without a value. */
type SegmentOrdinals = (docs: Int32Array, count: number, out: Int32Array) => void;

/**
 * Finds the ids (global ordinals of a field) of the documents that match a plan, over all segments of a shard, in
 * steps. As Lucene's JoinUtil with global ordinals: memory is a bit an id, and eight bytes an id where scores or counts
 * are asked for.
 */
export class JoinSearch {
  readonly #plan: Join;
  readonly #weight: Weight;
  readonly #searcher: Searcher;
  readonly #needsScores: boolean;
  readonly #isCounting: boolean;
  readonly #buffer: WindowBuffer = windowBuffer();
  readonly #own = new Int32Array(this.#buffer.docs.length);
  #ordinals: GlobalOrdinals | null = null;
  #found: BitSet = bitSet(0);
  #blocks: (Block | undefined)[] = [];
  #next = 0;
  #open: Open | null = null;
  #isDone = false;

  constructor(plan: Join, weight: Weight, searcher: Searcher, needsScores: boolean) {
    this.#plan = plan;
    this.#weight = weight;
    this.#searcher = searcher;
    this.#needsScores = needsScores && plan.scoreMode !== 'none';
    this.#isCounting = this.#needsScores || plan.minMatches > 1 || plan.maxMatches !== null;
  }

  /** Does a part of the search; returns whether more is left. `charge` is told of memory in bytes. */
  step(charge?: (bytes: number) => void): boolean {
    if (this.#isDone) return false;
    if (this.#ordinals === null) {
      this.#ordinals = globalOrdinals(this.#searcher, this.#plan.field);
      charge?.(this.#ordinals.count >> 3);
      this.#found = bitSet(this.#ordinals.count);
      return true;
    }
    this.#open ??= this.#openNext();
    if (this.#open === null) this.#isDone = true;
    else this.#collect(this.#open, charge);
    return !this.#isDone;
  }

  /** Returns the reader of ordinals of a segment, after the search has ended; null if none of its ids was found. */
  ordinalsOf(view: SegmentView): SegmentOrdinals | null {
    while (this.step());
    return this.#ordinalsOf(view);
  }

  /** Returns whether the documents with an id match. */
  matches(ordinal: number): boolean {
    if (ordinal < 0 || !this.#found.get(ordinal)) return false;
    if (!this.#isCounting) return true;
    const count = this.#blocks[ordinal >> BLOCK_BITS]!.counts[ordinal & (BLOCK_SIZE - 1)]!;
    return count >= this.#plan.minMatches && (this.#plan.maxMatches === null || count <= this.#plan.maxMatches);
  }

  /** Returns the score that an id gives, without the boost: 1 where there are none. */
  score(ordinal: number): number {
    if (!this.#needsScores) return 1;
    const { scores, counts } = this.#blocks[ordinal >> BLOCK_BITS]!;
    const at = ordinal & (BLOCK_SIZE - 1);
    return this.#plan.scoreMode === 'avg' ? Math.fround(scores[at]! / counts[at]!) : scores[at]!;
  }

  #ordinalsOf(view: SegmentView): SegmentOrdinals | null {
    const column = view.reader.ordinals(this.#plan.field);
    if (column === null) return null;
    const map = this.#ordinals!.map(view);
    return (docs, count, out) => {
      column.read(docs, count, out);
      if (map !== null) for (let i = 0; i < count; i++) if (out[i]! >= 0) out[i] = map[out[i]!]!;
    };
  }

  #openNext(): Open | null {
    while (this.#next < this.#searcher.segments.length) {
      const view = this.#searcher.segments[this.#next++]!;
      const ordinals = this.#ordinalsOf(view);
      const matcher = ordinals === null ? null : this.#weight.matcher(view, this.#needsScores);
      if (ordinals !== null && matcher !== null) return { view, matcher, ordinals, from: 0 };
    }
    return null;
  }

  #collect(open: Open, charge?: (bytes: number) => void): void {
    const { view, matcher, ordinals } = open;
    const { docs, scores } = this.#buffer;
    for (let i = 0; i < STEP_WINDOWS && open.from < view.maxDoc; i++) {
      const to = windowEnd(open.from, view.maxDoc);
      const into = this.#needsScores ? scores : null;
      let count = matcher.window(open.from, to, docs, into);
      if (view.live !== null) count = keepBits(view.live.words, docs, count, into, 1);
      ordinals(docs, count, this.#own);
      for (let k = 0; k < count; k++) if (this.#own[k]! >= 0) this.#take(this.#own[k]!, scores[k]!, charge);
      open.from = to;
    }
    if (open.from >= view.maxDoc) this.#open = null;
  }

  #take(ordinal: number, score: number, charge?: (bytes: number) => void): void {
    this.#found.set(ordinal);
    if (!this.#isCounting) return;
    const at = ordinal & (BLOCK_SIZE - 1);
    const { counts, scores } = (this.#blocks[ordinal >> BLOCK_BITS] ??= newBlock(charge));
    const isFirst = counts[at]!++ === 0;
    if (!this.#needsScores) return;
    if (isFirst) scores[at] = score;
    else if (this.#plan.scoreMode === 'min') scores[at] = Math.min(scores[at]!, score);
    else if (this.#plan.scoreMode === 'max') scores[at] = Math.max(scores[at]!, score);
    else scores[at]! += score;
  }
}

function newBlock(charge?: (bytes: number) => void): Block {
  charge?.(BLOCK_SIZE * 8);
  return { scores: new Float32Array(BLOCK_SIZE), counts: new Int32Array(BLOCK_SIZE) };
}
