/** A document with its score. `group` is the document around a nested object, else the document itself. */
interface Entry {
  readonly doc: number;
  readonly group: number;
  readonly score: number;
}

/** Returns whether an entry is worse than another: by score, then by number. */
const isWorse = (a: Entry, b: Entry): boolean => a.score < b.score || (a.score === b.score && a.doc > b.doc);

/**
 * The best entries of those offered, at most one of a group: a better entry of a group takes the place of the one that
 * it has. A binary heap with the worst entry at the root, and the places of groups by number.
 */
export class NearestHeap {
  readonly #capacity: number;
  readonly #heap: Entry[] = [];
  readonly #places = new Map<number, number>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns whether an entry with the score may be among the best. */
  mayEnter(score: number): boolean {
    return this.#heap.length < this.#capacity || score >= this.#heap[0]!.score;
  }

  /** Score that an entry has to exceed, or to equal with a smaller number; -Infinity while there is room. */
  leastScore(): number {
    return this.#heap.length < this.#capacity ? -Infinity : this.#heap[0]!.score;
  }

  /** Offers an entry; returns whether it is now among the best. */
  offer(doc: number, group: number, score: number): boolean {
    const entry = { doc, group, score };
    const known = this.#places.get(group);
    if (known !== undefined) return isWorse(this.#heap[known]!, entry) && this.#improve(known, entry);
    if (this.#heap.length < this.#capacity) {
      this.#heap.push(entry);
      this.#up(this.#heap.length - 1, entry);
      return true;
    }
    if (this.#capacity === 0 || !isWorse(this.#heap[0]!, entry)) return false;
    this.#places.delete(this.#heap[0]!.group);
    this.#down(0, entry);
    return true;
  }

  /** The entries, in no order. */
  entries(): readonly Entry[] {
    return this.#heap;
  }

  #improve(place: number, entry: Entry): true {
    this.#down(place, entry);
    return true;
  }

  #put(place: number, entry: Entry): void {
    this.#heap[place] = entry;
    this.#places.set(entry.group, place);
  }

  #up(from: number, entry: Entry): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(entry, this.#heap[parent]!)) break;
      this.#put(at, this.#heap[parent]!);
      at = parent;
    }
    this.#put(at, entry);
  }

  #down(from: number, entry: Entry): void {
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#heap.length) break;
      if (child + 1 < this.#heap.length && isWorse(this.#heap[child + 1]!, this.#heap[child]!)) child++;
      if (!isWorse(this.#heap[child]!, entry)) break;
      this.#put(at, this.#heap[child]!);
      at = child;
    }
    this.#put(at, entry);
  }
}
