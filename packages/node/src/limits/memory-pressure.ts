import type { Collection } from './collect-garbage.js';

/**
 * Shares of the budget from which on young garbage is collected, and an incremental collection of everything begins.
 */
const MINOR_SHARE = 0.7;
const BEGIN_SHARE = 0.75;
/**
 * Share of the budget from which on everything is collected at once. A pause of 100-160 ms is better than a container
 * that is killed.
 */
const MAJOR_SHARE = 0.95;
/** Share of the budget by which memory must grow before a collection is repeated early. */
const GROWTH_SHARE = 0.05;
/** Milliseconds after which a collection is repeated without such growth. */
const PATIENCE_MS = 10_000;

/** Budget in bytes, and effects to measure memory and to collect garbage. */
export interface MemoryPressureOptions {
  readonly budgetBytes: number;
  /** Resident bytes of the process without mapped files. */
  readonly resident: () => number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly collect: (kind: Collection) => void;
}

/**
 * Collects garbage when the process nears its budget. V8 reacts to its own heap, and late to buffers outside of it.
 * Answers of 0.5 MB, 400 a second, grew a process from 300 MB to 800 MB, which a container of 512 MB kills.
 */
export class MemoryPressure {
  readonly #options: MemoryPressureOptions;
  #leftAt = 0;
  #quietUntilMs = -Infinity;

  constructor(options: MemoryPressureOptions) {
    this.#options = options;
  }

  /** Measures memory once, and collects if needed. */
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
