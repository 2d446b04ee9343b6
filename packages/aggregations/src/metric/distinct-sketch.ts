import { addHash, estimate, mergeRegisters } from './hyper-log-log.js';

/**
 * Partial result of a cardinality: hashes `h`; HyperLogLog registers `r` if there are many; only the number `n` if the
 * shard is the only one; null without values.
 */
export type SketchPartial = { readonly h: Float64Array } | { readonly r: Uint8Array } | { readonly n: number } | null;

/** Merges partial results and counts distinct values. */
export interface DistinctSketch {
  add(partial: SketchPartial): void;
  cardinality(): number;
}

/** Makes an empty sketch: exact up to `threshold` distinct hashes, then HyperLogLog with 2^precision registers. */
export function distinctSketch(threshold: number, precision: number): DistinctSketch {
  let exact: Set<number> | null = new Set();
  let registers: Uint8Array | null = null;
  let alone = 0;
  const toRegisters = (): Uint8Array => {
    if (registers) return registers;
    const fresh = new Uint8Array(2 ** precision);
    for (const hash of exact!) addHash(fresh, precision, hash);
    exact = null;
    return (registers = fresh);
  };
  const addHashes = (hashes: Float64Array): void => {
    for (const hash of hashes) {
      if (registers) addHash(registers, precision, hash);
      else if (exact!.add(hash).size > threshold) toRegisters();
    }
  };
  return {
    add(partial) {
      if (!partial) return;
      if ('n' in partial) alone += partial.n;
      else if ('h' in partial) addHashes(partial.h);
      else mergeRegisters(toRegisters(), partial.r);
    },
    cardinality: () => alone + (exact ? exact.size : Math.round(estimate(registers!, precision))),
  };
}
