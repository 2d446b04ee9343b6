import type { SegmentOutput } from '../storage/part-writer.js';

/** Postings, positions or values after which a merge lets others run: 2-5 ms of work. */
const SLICE_UNITS = 150_000;

/** Counts work and makes the pauses. */
export class WorkBudget {
  #left = SLICE_UNITS;
  readonly #output: SegmentOutput;
  readonly #pause: (() => Promise<void> | void) | undefined;

  constructor(output: SegmentOutput, pause: (() => Promise<void> | void) | undefined) {
    this.#output = output;
    this.#pause = pause;
  }

  /** Notes work; true when it is time to `rest`. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left <= 0;
  }

  /** Hands full chunks to the sink and lets others run. */
  async rest(): Promise<void> {
    this.#left = SLICE_UNITS;
    await this.#output.drain();
    await this.#pause?.();
  }
}
