/** Shapes that are remembered; the one that was not seen for longest is forgotten. */
const SHAPES_MAX = 2_000;
/**
 * Weights of the newest search in the mean of its shape. One that took longer counts less: time in which other
 * processes had the processor is in what searches take, and on a machine that others use all of them would seem long.
 */
const SHORTER_WEIGHT = 0.3;
const LONGER_WEIGHT = 0.1;
/** Shapes that are kept from other threads; the one kept first is let go. */
const KEPT_MAX = 200;

const moved = (before: number, ms: number): number =>
  before + (ms - before) * (ms < before ? SHORTER_WEIGHT : LONGER_WEIGHT);

/** What searches of the same shape on the same index have taken: a moving mean that leans to the shorter ones. */
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
    this.#ms.set(shape, before === undefined ? ms : moved(before, ms));
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
