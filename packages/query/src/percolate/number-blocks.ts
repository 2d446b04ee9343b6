const BITS = 64;
const view = new DataView(new ArrayBuffer(8));

/** Returns the bits of a double such that unsigned order is that of the numbers. */
function sortableBits(value: number): bigint {
  // Adding zero makes -0 the same number as 0.
  view.setFloat64(0, value + 0);
  const bits = view.getBigUint64(0);
  return bits >> 63n === 0n ? bits | (1n << 63n) : BigInt.asUintN(BITS, ~bits);
}

const blockTerm = (level: number, prefix: bigint): string => `${level}:${prefix.toString(36)}`;

/**
 * Returns names of the blocks of doubles that make up a range, both ends included: at most two of each size, where
 * blocks of level n have the upper 64 - n bits in common (the prefix terms of numeric ranges of early Lucene).
 */
export function rangeBlocks(low: number, high: number): string[] {
  const found: string[] = [];
  let from = sortableBits(low);
  let to = sortableBits(high);
  for (let level = 0; from <= to; level++, from >>= 1n, to >>= 1n) {
    if ((from & 1n) === 1n) found.push(blockTerm(level, from++));
    if (from <= to && (to & 1n) === 0n) found.push(blockTerm(level, to--));
    if (from === to && level === BITS) break;
  }
  return found;
}

/** Returns the names of all blocks that a number is in. */
export function blocksAround(value: number): string[] {
  const bits = sortableBits(value);
  return Array.from({ length: BITS + 1 }, (_, level) => blockTerm(level, bits >> BigInt(level)));
}
