import type { Scratch } from '@shoal/query';
import { findPairs, hashPair } from './bucket-table.kernel.js';
import { growDoubles, growInts } from './growable.js';

/** Numbers distinct pairs (bucket of the parent, key) in order of first appearance: open addressing with linear probing. */
export interface BucketTable {
  readonly size: number;
  /** The number of a pair, a new one when it is new. */
  add(owner: number, key: number): number;
  /** The numbers of `count` pairs into `ids`, which may be `owners`; `owners` null means 0 for all. */
  addAll(owners: Int32Array | null, keys: Float64Array, count: number, ids: Int32Array): void;
  /** The number of a pair, -1 when it is new. */
  find(owner: number, key: number): number;
  readonly owners: Int32Array;
  readonly keys: Float64Array;
}

const FIRST_SLOTS = 64;
/** Few steps to a large table: each hashes all pairs anew. */
const SLOTS_GROWTH = 4;

const NO_OWNERS = new Int32Array(0);
const NO_KEYS = new Float64Array(0);

/** A power of two of free slots. */
function freeSlots(count: number, scratch: Scratch | undefined): Int32Array<ArrayBuffer> {
  return (scratch?.ints(count) ?? new Int32Array(count)).fill(-1);
}

/** An empty table; `charge` is told of its memory, which is borrowed from `scratch` where there is one. */
export function bucketTable(charge: (bytes: number) => void, scratch?: Scratch): BucketTable {
  let slots = freeSlots(FIRST_SLOTS, scratch);
  let owners: Int32Array<ArrayBuffer> = NO_OWNERS;
  let keys: Float64Array<ArrayBuffer> = NO_KEYS;
  let size = 0;
  const slotOf = (owner: number, key: number): number => {
    const mask = slots.length - 1;
    let slot = hashPair(owner, key) & mask;
    for (let id = slots[slot]!; id >= 0 && (keys[id] !== key || owners[id] !== owner); id = slots[slot]!) slot = (slot + 1) & mask;
    return slot;
  };
  const rehash = (): void => {
    charge(slots.length * 4 * (SLOTS_GROWTH - 1) + slots.length * 12);
    slots = freeSlots(slots.length * SLOTS_GROWTH, scratch);
    for (let id = 0; id < size; id++) slots[slotOf(owners[id]!, keys[id]!)] = id;
  };
  const insert = (slot: number, owner: number, key: number): number => {
    const id = size++;
    owners = growInts(owners, size, 0, scratch);
    keys = growDoubles(keys, size, 0, scratch);
    owners[id] = owner;
    keys[id] = key;
    slots[slot] = id;
    if (size * 2 > slots.length) rehash();
    return id;
  };
  return {
    get size() {
      return size;
    },
    get owners() {
      return owners;
    },
    get keys() {
      return keys;
    },
    add(owner, key) {
      const slot = slotOf(owner, key);
      const id = slots[slot]!;
      return id >= 0 ? id : insert(slot, owner, key);
    },
    addAll(given, values, count, ids) {
      for (let i = 0; i < count; i++) {
        i = findPairs(slots, owners, keys, given, values, i, count, ids);
        if (i === count) return;
        const owner = given === null ? 0 : given[i]!;
        ids[i] = insert(slotOf(owner, values[i]!), owner, values[i]!);
      }
    },
    find: (owner, key) => slots[slotOf(owner, key)]!,
  };
}
