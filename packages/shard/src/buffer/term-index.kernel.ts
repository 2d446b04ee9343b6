import { growPairs, place, PROBES_MAX } from './hash-slots.kernel.js';

const INITIAL_SLOTS = 32;

/**
 * Term numbers by text: open addressing over pairs (number + 1, hash), at most half of the slots taken. Costs half of a
 * `Map`, which hashes each new string in the runtime and compares more strings.
 */
export interface TermIndex {
  pairs: Int32Array;
  count: number;
  readonly overflow: Map<string, number>;
}

/** Returns an index without terms. */
export const termIndex = (): TermIndex => ({ pairs: new Int32Array(2 * INITIAL_SLOTS), count: 0, overflow: new Map() });

/** Returns the number of `term`, or -1. `hash` is its `textHash`; `terms` has the texts by number. */
export function findIndexed(index: TermIndex, terms: readonly string[], term: string, hash: number): number {
  const { pairs } = index;
  const mask = pairs.length - 1;
  let at = (hash << 1) & mask;
  for (let probe = 0; probe < PROBES_MAX; probe++) {
    const entry = pairs[at]!;
    if (entry === 0) break;
    if (pairs[at + 1] === hash && terms[entry - 1] === term) return entry - 1;
    at = (at + 2) & mask;
  }
  // A free slot does not rule out the map: the table may have grown since the term was put there.
  return index.overflow.size === 0 ? -1 : (index.overflow.get(term) ?? -1);
}

/**
 * Writes to `found`, for each hash, the number of the first term with this hash, -1 for none. The term may be a
 * different one. All terms of a document are looked up at once: their slots are far apart in memory, and independent
 * loads overlap their cache misses.
 */
export function findCandidates(index: TermIndex, hashes: Int32Array, count: number, found: Int32Array): void {
  const { pairs } = index;
  const mask = pairs.length - 1;
  for (let i = 0; i < count; i++) {
    const hash = hashes[i]!;
    let at = (hash << 1) & mask;
    let entry = pairs[at]!;
    for (let probe = 1; entry !== 0 && pairs[at + 1] !== hash && probe < PROBES_MAX; probe++) {
      at = (at + 2) & mask;
      entry = pairs[at]!;
    }
    found[i] = pairs[at + 1] === hash ? entry - 1 : -1;
  }
}

/** Adds a term that the index lacks. `terms` must have its text already. */
export function addIndexed(index: TermIndex, terms: readonly string[], hash: number, id: number): void {
  if (++index.count * 4 > index.pairs.length)
    index.pairs = growPairs(index.pairs, (entry) => index.overflow.set(terms[entry - 1]!, entry - 1));
  if (!place(index.pairs, hash, id + 1)) index.overflow.set(terms[id]!, id);
}

/** Estimated memory of a map entry, in bytes. */
const OVERFLOW_BYTES = 48;

/** Returns the memory of an index in bytes, estimated for its overflow map. */
export const termIndexBytes = (index: TermIndex): number =>
  index.pairs.byteLength + index.overflow.size * OVERFLOW_BYTES;
