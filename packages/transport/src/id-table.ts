const CAPACITY_MIN = 16;
const FREE = -1;

/**
 * What is under way on a link, by the number of its request: open addressing with linear probing, and deletion by
 * moving back what follows (Knuth, The Art of Computer Programming 3, 6.4, algorithm R). Not a Map: one that every
 * request enters and leaves is laid out anew for every few of them, and each layout leads to the one after it, so that
 * once one is old all that stood in later ones survives until the whole heap is collected.
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

  /** `id` is a whole number from 0 on. */
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

  /** Whether there was one. */
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

  /** Those of now, in rising order of their numbers. */
  entries(): (readonly [number, T])[] {
    const all = this.#ids.flatMap((id, slot): (readonly [number, T])[] =>
      id === FREE ? [] : [[id, this.#values[slot]!]],
    );
    return all.sort(([a], [b]) => a - b);
  }

  /** Where it stands, or the free slot where it would. */
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
