import { type Progress, windowEnd } from '@shoal/query';
import { WINDOW_DOCS } from '@shoal/segments';

/** Documents of the first window of a search that may take long for a document. */
const SLOW_DOCS = 1;
/** After a longer window comes a quarter of it, after a shorter one twice of it. */
const LONG_MS = 4;
const SHORT_MS = 1;

/**
 * Sizes of the windows of a search. They follow the time that documents take, so that the thread is given back after a
 * few milliseconds whether a document takes a nanosecond or a millisecond.
 */
export class WindowPace {
  readonly #progress: Progress;
  #docs: number;
  #startMs = 0;

  constructor(progress: Progress, isSlow: boolean) {
    this.#progress = progress;
    this.#docs = isSlow ? SLOW_DOCS : WINDOW_DOCS;
  }

  /** Begins a window; returns its end. */
  begin(from: number, maxDoc: number): number {
    this.#startMs = this.#progress.elapsedMs?.() ?? 0;
    const end = windowEnd(from, maxDoc);
    return this.#docs < WINDOW_DOCS ? Math.min(end, from + this.#docs) : end;
  }

  /** Ends the window that began last. */
  end(): void {
    const tookMs = (this.#progress.elapsedMs?.() ?? 0) - this.#startMs;
    if (tookMs > LONG_MS) this.#docs = Math.max(1, this.#docs >> 2);
    else if (tookMs < SHORT_MS && this.#docs < WINDOW_DOCS) this.#docs *= 2;
  }

  /** Documents that may be collected together. */
  get docs(): number {
    return this.#docs;
  }
}
