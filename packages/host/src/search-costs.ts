/** Shapes that are remembered; the one that was not seen for longest is forgotten. */
const SHAPES_MAX = 2_000;
/** Weight of the newest search in the mean of its shape. */
const NEWEST_WEIGHT = 0.2;
/** Shapes that are kept from other threads; the one kept first is let go. */
const KEPT_MAX = 200;

/** What searches of the same shape on the same index have taken: a moving mean. */
export class SearchCosts {
  readonly #ms = new Map<string, number>();
  readonly #kept = new Set<string>();

  /** Returns the milliseconds that a search is expected to take; undefined if none of its shape has been seen. */
  expectedMs(shape: string): number | undefined {
    return this.#ms.get(shape);
  }

  note(shape: string, ms: number): void {
    const before = this.#ms.get(shape);
    this.#ms.delete(shape);
    this.#ms.set(shape, before === undefined ? ms : before + (ms - before) * NEWEST_WEIGHT);
    if (this.#ms.size > SHAPES_MAX) this.#ms.delete(this.#ms.keys().next().value!);
  }

  /** From now on searches of the shape stay on the thread of their shard: another thread ended while it ran one. */
  keep(shape: string): void {
    this.#kept.add(shape);
    if (this.#kept.size > KEPT_MAX) this.#kept.delete(this.#kept.values().next().value!);
  }

  isKept(shape: string): boolean {
    return this.#kept.has(shape);
  }
}
