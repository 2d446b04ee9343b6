import type { SegmentOutput } from '../storage/part-writer.js';

/** Number of postings, positions or values after which a merge may yield: 1-3 ms of work. */
const SLICE_UNITS = 75_000;

/** Counts the work of a merge and pauses it, so that other work of the thread runs. */
export class WorkBudget {
  #left = SLICE_UNITS;
  readonly #output: SegmentOutput;
  readonly #pause: (() => Promise<void> | void) | undefined;

  constructor(output: SegmentOutput, pause: (() => Promise<void> | void) | undefined) {
    this.#output = output;
    this.#pause = pause;
  }

  /** Counts `units` of work; returns true if the merge should call `rest`. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left <= 0;
  }

  /** Writes full chunks to the sink and yields. */
  async rest(): Promise<void> {
    this.#left = SLICE_UNITS;
    await this.#output.drain();
    await this.#pause?.();
  }
}
