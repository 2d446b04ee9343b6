import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { growPairs, place, PROBES_MAX, textHash } from './hash-slots.kernel.js';

/** Returns the (entry, hash) pairs of a table, sorted. */
const entriesOf = (pairs: Int32Array): (readonly [entry: number, hash: number])[] =>
  Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i]!, pairs[2 * i + 1]!] as const)
    .filter(([entry]) => entry !== 0)
    .sort((a, b) => a[0] - b[0]);

const SLOTS = 128;

kernelContract(
  'place keeps what finds a slot near enough, and a larger table keeps all of it',
  (hashes) => {
    const pairs = new Int32Array(2 * SLOTS);
    const placed = hashes.map((hash, i) => place(pairs, hash, i + 1));
    const lost: number[] = [];
    const grown = growPairs(pairs, (entry) => lost.push(entry));
    return {
      placed,
      entries: entriesOf(pairs),
      grown: [...entriesOf(grown).map(([entry]) => entry), ...lost].sort((a, b) => a - b),
      size: grown.length,
    };
  },
  (hashes) => {
    const taken = new Map<number, number>();
    const placed = hashes.map((hash, i) => {
      for (let probe = 0; probe < PROBES_MAX; probe++) {
        const slot = ((((hash % SLOTS) + SLOTS) % SLOTS) + probe) % SLOTS;
        if (taken.has(slot)) continue;
        taken.set(slot, i + 1);
        return true;
      }
      return false;
    });
    const kept = hashes.map((hash, i) => [i + 1, hash] as const).filter((_, i) => placed[i]);
    return { placed, entries: kept, grown: kept.map(([entry]) => entry), size: 4 * SLOTS };
  },
  fc.array(fc.oneof(fc.integer(), fc.constantFrom(5, 6, -1)), { maxLength: 110, size: 'max' }),
);

kernelContract(
  'textHash is FNV-1a over UTF-16 units, begun with the length, its high bits folded in',
  textHash,
  (text) => {
    let hash = BigInt(text.length);
    for (let i = 0; i < text.length; i++) hash = BigInt.asUintN(32, (hash ^ BigInt(text.charCodeAt(i))) * 0x01000193n);
    const folded = Number(BigInt.asIntN(32, hash));
    return folded ^ (folded >>> 15);
  },
  fc.string({ unit: 'binary' }),
);
