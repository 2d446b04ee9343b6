import { type Progress, windowEnd } from '@shoal/query';
import { WINDOW_DOCS } from '@shoal/segments';

/** Windows may take this long for their documents, or as long as they take without any. */
const LONG_MS = 4;

/**
 * Sizes of the windows of a search. They follow the time that documents take, so that the thread is given back after a
 * few milliseconds whether a document takes a nanosecond or a millisecond. A window takes some time whatever its size:
 * ten thousand aggregations are asked for each one. It is estimated from windows of two sizes, and not saved at.
 */
export class WindowPace {
  readonly #progress: Progress;
  readonly #docsMax: number;
  #docs: number;
  #startMs: number;
  /** Time of a window besides that of its documents, and the least that a window took. */
  #fixedMs = 0;
  #leastMs = Number.POSITIVE_INFINITY;
  /** Size and time of the window before; 0 for none. */
  #lastDocs = 0;
  #lastMs = 0;

  /**
   * If documents may be slow, the first windows have one and two of them. `docsMax`: documents of a window at most,
   * where a few cheap ones say nothing about those that follow.
   */
  constructor(progress: Progress, isSlow: boolean, docsMax: number = WINDOW_DOCS) {
    this.#progress = progress;
    this.#docsMax = docsMax;
    this.#docs = isSlow ? 1 : WINDOW_DOCS;
    this.#startMs = this.#now();
  }

  /** Returns the end of the window that begins at `from`. */
  endFrom(from: number, maxDoc: number): number {
    const end = windowEnd(from, maxDoc);
    return this.#docs < WINDOW_DOCS ? Math.min(end, from + this.#docs) : end;
  }

  /** Notes that a window with so many matches is over, and that the next one begins. */
  next(matches: number): void {
    const now = this.#now();
    const tookMs = now - this.#startMs;
    this.#startMs = now;
    if (matches === 0) return;
    if (tookMs < LONG_MS && this.#docs === this.#docsMax) return;
    this.#estimate(tookMs);
    const isFirst = this.#lastDocs === 0;
    this.#lastDocs = this.#docs;
    this.#lastMs = tookMs;
    const limitMs = Math.max(LONG_MS, this.#fixedMs);
    const ownMs = tookMs - this.#fixedMs;
    if (isFirst && this.#docs === 1) this.#docs = 2;
    else if (ownMs > limitMs) this.#docs = Math.max(1, this.#docs >> 2);
    else if (ownMs < limitMs / 4) this.#docs = Math.min(this.#docsMax, this.#docs * 2);
  }

  /** Takes a line through the times of two sizes. */
  #estimate(tookMs: number): void {
    this.#leastMs = Math.min(this.#leastMs, tookMs);
    if (this.#lastDocs === 0 || this.#lastDocs === this.#docs) return;
    const docMs = Math.max(0, (tookMs - this.#lastMs) / (this.#docs - this.#lastDocs));
    this.#fixedMs = Math.min(this.#leastMs, Math.max(0, tookMs - docMs * this.#docs));
  }

  /** Notes that time has passed that no window took. */
  resume(): void {
    this.#startMs = this.#now();
  }

  /** Whether windows have all documents that they may have. */
  get isWhole(): boolean {
    return this.#docs === WINDOW_DOCS;
  }

  #now(): number {
    return this.#progress.elapsedMs?.() ?? 0;
  }
}
