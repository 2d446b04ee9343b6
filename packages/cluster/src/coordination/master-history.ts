import type { Clock } from '@shoal/doors';
import type { NodeInfo } from '@shoal/state';

const AGE_MS_MAX = 1_800_000;
/** Limit for entries: enough to detect an unstable master. */
const ENTRIES_MAX = 50;

/** The masters that a node followed recently. */
export class MasterHistory {
  readonly #clock: Clock;
  #seen: { readonly master: NodeInfo | null; readonly atMs: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records that the node follows `master`, null for none. */
  note(master: NodeInfo | null): void {
    const last = this.#seen.at(-1);
    if (last !== undefined && last.master?.id === master?.id) return;
    this.#seen = [...this.#seen, { master, atMs: this.#clock.monotonic() }].slice(-ENTRIES_MAX);
  }

  /** In the last half hour, oldest first, null for times without one; begins with who was followed when it began. */
  recent(): readonly (NodeInfo | null)[] {
    const from = this.#clock.monotonic() - AGE_MS_MAX;
    return this.#seen
      .filter((_, i) => (this.#seen[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) > from)
      .map(({ master }) => master);
  }
}
