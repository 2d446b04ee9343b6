const CAPACITY_MIN = 16;
const FREE = -1;

/**
 * Hash table by request number: open addressing with linear probing, and deletion by moving later entries back (Knuth,
 * The Art of Computer Programming 3, 6.4, algorithm R). It replaces a Map, which every request enters and leaves: V8
 * keeps old hash tables of a busy Map reachable until a major collection, and with them the requests in it (ADR 0010).
 */
export class IdTable<T> {
  #ids: number[] = new Array<number>(CAPACITY_MIN).fill(FREE);
  #values: (T | null)[] = new Array<T | null>(CAPACITY_MIN).fill(null);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: number): boolean {
    return this.#ids[this.#slotOf(id)] === id;
  }

  get(id: number): T | undefined {
    const slot = this.#slotOf(id);
    return this.#ids[slot] === id ? this.#values[slot]! : undefined;
  }

  /** `id` must be a whole number, at least 0. */
  set(id: number, value: T): void {
    let slot = this.#slotOf(id);
    if (this.#ids[slot] !== id) {
      if ((this.#size + 1) * 2 > this.#ids.length) {
        this.#grow();
        slot = this.#slotOf(id);
      }
      this.#size++;
    }
    [this.#ids[slot], this.#values[slot]] = [id, value];
  }

  /** Removes an entry; false if there was none. */
  delete(id: number): boolean {
    let hole = this.#slotOf(id);
    if (this.#ids[hole] !== id) return false;
    const mask = this.#ids.length - 1;
    for (let slot = (hole + 1) & mask; this.#ids[slot] !== FREE; slot = (slot + 1) & mask) {
      const fromHome = (slot - (this.#ids[slot]! & mask)) & mask;
      if (fromHome < ((slot - hole) & mask)) continue;
      [this.#ids[hole], this.#values[hole]] = [this.#ids[slot]!, this.#values[slot]!];
      hole = slot;
    }
    [this.#ids[hole], this.#values[hole]] = [FREE, null];
    this.#size--;
    return true;
  }

  /** The present entries, by rising number. */
  entries(): (readonly [number, T])[] {
    const all = this.#ids.flatMap((id, slot): (readonly [number, T])[] =>
      id === FREE ? [] : [[id, this.#values[slot]!]],
    );
    return all.sort(([a], [b]) => a - b);
  }

  /** Slot of the number, or the free slot where it would be inserted. */
  #slotOf(id: number): number {
    const mask = this.#ids.length - 1;
    let slot = id & mask;
    while (this.#ids[slot] !== id && this.#ids[slot] !== FREE) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const all = this.entries();
    const capacity = this.#ids.length * 2;
    this.#ids = new Array<number>(capacity).fill(FREE);
    this.#values = new Array<T | null>(capacity).fill(null);
    this.#size = 0;
    for (const [id, value] of all) this.set(id, value);
  }
}
