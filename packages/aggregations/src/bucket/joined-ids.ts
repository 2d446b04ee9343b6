import { growInts } from '../collect/growable.js';

/** Buckets of an id beyond which they are looked up in a set instead of one after the other. */
const LISTED_MAX = 16;
/** About how many bytes an entry of a set takes. */
const SET_ENTRY_BYTES = 32;

/** Pairs (id, bucket) without repeats. Ids are global ordinals; the buckets of each are a linked list. */
export class JoinedIds {
  readonly #charge: (bytes: number) => void;
  /** Newest entry of each id, -1 for none. */
  readonly #heads: Int32Array;
  #next = new Int32Array(0);
  #buckets = new Int32Array(0);
  #count = 0;
  /** Buckets of those ids that have many. */
  readonly #many = new Map<number, Set<number>>();

  constructor(ids: number, charge: (bytes: number) => void) {
    this.#charge = charge;
    charge(ids * 4);
    this.#heads = new Int32Array(ids).fill(-1);
  }

  /** Adds a pair unless it is there. */
  add(id: number, bucket: number): void {
    if (this.#has(id, bucket)) return;
    if (this.#count === this.#next.length) this.#grow();
    this.#next[this.#count] = this.#heads[id]!;
    this.#buckets[this.#count] = bucket;
    this.#heads[id] = this.#count++;
  }

  /** The first entry of an id, -1 for none. */
  first(id: number): number {
    return this.#heads[id]!;
  }

  /** The entry of the same id behind another, -1 at the end. */
  next(entry: number): number {
    return this.#next[entry]!;
  }

  bucket(entry: number): number {
    return this.#buckets[entry]!;
  }

  #has(id: number, bucket: number): boolean {
    const many = this.#many.get(id);
    if (many !== undefined) {
      if (many.has(bucket)) return true;
      many.add(bucket);
      this.#charge(SET_ENTRY_BYTES);
      return false;
    }
    let length = 0;
    for (let entry = this.first(id); entry >= 0; entry = this.next(entry), length++)
      if (this.#buckets[entry] === bucket) return true;
    if (length >= LISTED_MAX) this.#gather(id, bucket, length);
    return false;
  }

  #gather(id: number, bucket: number, length: number): void {
    const many = new Set<number>([bucket]);
    for (let entry = this.first(id); entry >= 0; entry = this.next(entry)) many.add(this.#buckets[entry]!);
    this.#charge((length + 1) * SET_ENTRY_BYTES);
    this.#many.set(id, many);
  }

  #grow(): void {
    const length = this.#next.length * 2 + 64;
    this.#charge((length - this.#next.length) * 8);
    this.#next = growInts(this.#next, length);
    this.#buckets = growInts(this.#buckets, length);
  }
}
