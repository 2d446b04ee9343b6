import type { Collection } from './collect-garbage.js';

/**
 * Parts of the budget from which on young garbage is collected, and collecting all of it begun, before V8 would do it
 * by itself.
 */
const MINOR_SHARE = 0.7;
const BEGIN_SHARE = 0.75;
/**
 * From here on all of it is collected at once: a pause of 100-160 ms is better than a container that ends the process.
 */
const MAJOR_SHARE = 0.95;
/** A collection that did not help is not repeated before so much more of the budget is taken … */
const GROWTH_SHARE = 0.05;
/** … or so much time has passed. */
const PATIENCE_MS = 10_000;

export interface MemoryPressureOptions {
  readonly budgetBytes: number;
  /** Bytes that the process has of the machine's memory, mapped files left out. */
  readonly resident: () => number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly collect: (kind: Collection) => void;
}

/**
 * Collects garbage when the process nears its budget. V8 looks at its own heap and waits long with buffers outside of
 * it: answers of half a megabyte at
 * 400 a second made a process of 300 MB one of 800 MB, which a container of 512 MB ends.
 */
export class MemoryPressure {
  readonly #options: MemoryPressureOptions;
  #leftAt = 0;
  #quietUntilMs = -Infinity;

  constructor(options: MemoryPressureOptions) {
    this.#options = options;
  }

  /** One look. */
  look(): void {
    const { resident, collect, now, budgetBytes } = this.#options;
    const before = resident();
    if (before < budgetBytes * MINOR_SHARE) {
      this.#quietUntilMs = -Infinity;
      return;
    }
    if (now() < this.#quietUntilMs && before < this.#leftAt + budgetBytes * GROWTH_SHARE) return;
    collect('minor');
    const left = resident();
    if (left >= budgetBytes * MAJOR_SHARE) collect('major');
    else if (left >= budgetBytes * BEGIN_SHARE) collect('begin');
    this.#leftAt = resident();
    this.#quietUntilMs = now() + PATIENCE_MS;
  }
}
