import { bySpan, coveredBy, type Span } from './position-lists.js';

/**
 * A window over lists of spans that holds one span of each: the heap of Lucene's SpanNearQuery and
 * UnorderedIntervalsSource, by the beginnings of the current spans. A step takes time in proportion to the logarithm of
 * the number of lists.
 */
export class SpanWindow {
  readonly #lists: readonly (readonly Span[])[];
  /** Lists as a heap: the list whose current span begins first is at the root. */
  readonly #heap: Int32Array;
  /** Keys of the current spans, in the order of `#heap`: by start, then end. */
  readonly #keys: Float64Array;
  /** Place of the current span in each list. */
  readonly #at: Int32Array;
  /** End of the window: the largest end of any span that it has held, as in Lucene. */
  end = 0;
  /** Sum of the lengths of the current spans. */
  covered = 0;

  /** Each of `lists` must have a span. */
  constructor(lists: readonly (readonly Span[])[]) {
    this.#lists = lists;
    this.#at = new Int32Array(lists.length);
    this.#heap = Int32Array.from(lists, (_, i) => i).sort((a, b) => bySpan(lists[a]![0]!, lists[b]![0]!));
    this.#keys = Float64Array.from(this.#heap, (list) => keyOf(lists[list]![0]!));
    for (const [span] of lists) this.#enter(span!);
  }

  /** Beginning of the window. */
  get start(): number {
    return this.#current(this.#heap[0]!).start;
  }

  /** Replaces the span that begins first by the next one of its list; false at the end of that list. */
  advance(): boolean {
    const list = this.#heap[0]!;
    const left = this.#current(list);
    this.covered -= coveredBy(left);
    if (++this.#at[list]! >= this.#lists[list]!.length) return false;
    this.#enter(this.#current(list));
    this.#siftDown();
    return true;
  }

  #current(list: number): Span {
    return this.#lists[list]![this.#at[list]!]!;
  }

  #enter(span: Span): void {
    this.covered += coveredBy(span);
    if (span.end > this.end) this.end = span.end;
  }

  #siftDown(): void {
    const heap = this.#heap;
    const keys = this.#keys;
    const size = heap.length;
    const moved = heap[0]!;
    const key = keyOf(this.#current(moved));
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child++;
      if (key <= keys[child]!) break;
      heap[at] = heap[child]!;
      keys[at] = keys[child]!;
      at = child;
    }
    heap[at] = moved;
    keys[at] = key;
  }
}

/** Lengths above this compare as equal. */
const LENGTH_MAX = 2 ** 22 - 1;

/** Returns a number that orders spans by start, then end. */
function keyOf({ start, end }: Span): number {
  return start * (LENGTH_MAX + 1) + Math.min(end - start, LENGTH_MAX);
}
