/** A map of so many entries; the one that was not used for longest makes room for a new one. */
export class RecentMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #max: number;

  /** `max`: entries that are kept. */
  constructor(max: number) {
    this.#max = max;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    // Deleted and inserted, an entry becomes the youngest: the order of a map is that of its insertions.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    if (this.#entries.size >= this.#max && !this.#entries.has(key))
      this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(key, value);
  }
}
