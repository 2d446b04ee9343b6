/** How long names are kept. */
const KEPT_MS = 30_000;
/** Names of a kind that are offered. */
const NAMES_MAX = 1_000;
/** Lists that are kept at once: one of indices, and those of the fields of indices. */
const LISTS_MAX = 20;

/** A name of the cluster and what it is. */
export interface ClusterName {
  readonly name: string;
  readonly detail: string;
}

interface Kept {
  readonly untilMs: number;
  readonly names: Promise<readonly ClusterName[]>;
}

/** Lists of names that were asked for; each is kept for 30 s. */
export class KeptNames {
  readonly #now: () => number;
  readonly #lists = new Map<string, Kept>();

  /** `now` returns milliseconds that only grow. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns a list. `read` resolves to null for what cannot be read now: it is empty, and asked for next time. */
  get(key: string, read: () => Promise<readonly ClusterName[] | null>): Promise<readonly ClusterName[]> {
    const known = this.#lists.get(key);
    if (known !== undefined && known.untilMs > this.#now()) return known.names;
    const forget = (): readonly ClusterName[] => {
      if (this.#lists.get(key) === kept) this.#lists.delete(key);
      return [];
    };
    const names = read().then((all) => all?.slice(0, NAMES_MAX) ?? forget(), forget);
    const kept = { untilMs: this.#now() + KEPT_MS, names };
    this.#lists.delete(key);
    this.#lists.set(key, kept);
    if (this.#lists.size > LISTS_MAX) this.#lists.delete(this.#lists.keys().next().value!);
    return names;
  }
}
