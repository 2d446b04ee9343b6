import type { Scratch } from '@shoal/query';
import { findPairs, hashPair } from './bucket-table.kernel.js';
import { growDoubles, growInts } from './growable.js';

/**
 * Numbers distinct pairs (bucket of the parent, key) in order of first appearance: open addressing with linear probing.
 */
export interface BucketTable {
  readonly size: number;
  /** Returns the number of a pair, and gives it the next free number if it is new. */
  add(owner: number, key: number): number;
  /** Writes the numbers of `count` pairs to `ids`, which may be the array `owners`. `owners` null means 0 for all. */
  addAll(owners: Int32Array | null, keys: Float64Array, count: number, ids: Int32Array): void;
  /** Returns the number of a pair, -1 if it is new. */
  find(owner: number, key: number): number;
  readonly owners: Int32Array;
  readonly keys: Float64Array;
}

const FIRST_SLOTS = 64;
/** Factor by which the table grows. A large one, as each growth hashes all pairs again. */
const SLOTS_GROWTH = 4;

const NO_OWNERS = new Int32Array(0);
const NO_KEYS = new Float64Array(0);

/** Makes an array of free slots (-1), whose length is a power of two. */
function freeSlots(count: number, scratch: Scratch | undefined): Int32Array<ArrayBuffer> {
  return (scratch?.ints(count) ?? new Int32Array(count)).fill(-1);
}

class PairTable implements BucketTable {
  readonly #charge: (bytes: number) => void;
  readonly #scratch: Scratch | undefined;
  #slots: Int32Array<ArrayBuffer>;
  owners: Int32Array<ArrayBuffer> = NO_OWNERS;
  keys: Float64Array<ArrayBuffer> = NO_KEYS;
  size = 0;

  constructor(charge: (bytes: number) => void, scratch: Scratch | undefined) {
    this.#charge = charge;
    this.#scratch = scratch;
    this.#slots = freeSlots(FIRST_SLOTS, scratch);
  }

  #slotOf(owner: number, key: number): number {
    const slots = this.#slots;
    const { keys, owners } = this;
    const mask = slots.length - 1;
    let slot = hashPair(owner, key) & mask;
    for (let id = slots[slot]!; id >= 0 && (keys[id] !== key || owners[id] !== owner); id = slots[slot]!)
      slot = (slot + 1) & mask;
    return slot;
  }

  #rehash(): void {
    const { length } = this.#slots;
    this.#charge(length * 4 * (SLOTS_GROWTH - 1) + length * 12);
    this.#slots = freeSlots(length * SLOTS_GROWTH, this.#scratch);
    for (let id = 0; id < this.size; id++) this.#slots[this.#slotOf(this.owners[id]!, this.keys[id]!)] = id;
  }

  #insert(slot: number, owner: number, key: number): number {
    const id = this.size++;
    this.owners = growInts(this.owners, this.size, 0, this.#scratch);
    this.keys = growDoubles(this.keys, this.size, 0, this.#scratch);
    this.owners[id] = owner;
    this.keys[id] = key;
    this.#slots[slot] = id;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  add(owner: number, key: number): number {
    const slot = this.#slotOf(owner, key);
    const id = this.#slots[slot]!;
    return id >= 0 ? id : this.#insert(slot, owner, key);
  }

  addAll(given: Int32Array | null, values: Float64Array, count: number, ids: Int32Array): void {
    for (let i = 0; i < count; i++) {
      i = findPairs(this.#slots, this.owners, this.keys, given, values, i, count, ids);
      if (i === count) return;
      const owner = given === null ? 0 : given[i]!;
      ids[i] = this.#insert(this.#slotOf(owner, values[i]!), owner, values[i]!);
    }
  }

  find(owner: number, key: number): number {
    return this.#slots[this.#slotOf(owner, key)]!;
  }
}

/**
 * Makes an empty table. `charge` is called with the bytes that it allocates; arrays are borrowed from `scratch` if
 * given.
 */
export function bucketTable(charge: (bytes: number) => void, scratch?: Scratch): BucketTable {
  return new PairTable(charge, scratch);
}
