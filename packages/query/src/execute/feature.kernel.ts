/** Bits of the fraction of a float that the frequency of a feature leaves out: see `frequencyOfFeature`. */
const DROPPED_BITS = 15;

/** The same memory as bits and as floats: a frequency becomes the value that it stands for. */
const bits = new Int32Array(128);
const values = new Float32Array(bits.buffer);

/**
 * Adds the products of `weight` and the values of features, of which the frequencies of postings [start, end) are
 * kept, to `sums[doc - base]`, and sets the documents' bits. Products are 32-bit floats. At most 128 postings, a block.
 */
export function sumProducts(
  docs: Int32Array,
  freqs: Int32Array,
  start: number,
  end: number,
  base: number,
  weight: number,
  sums: Float64Array,
  words: Int32Array,
): void {
  for (let i = start; i < end; i++) bits[i - start] = freqs[i]! << DROPPED_BITS;
  for (let i = start; i < end; i++) {
    const at = docs[i]! - base;
    sums[at]! += Math.fround(weight * values[i - start]!);
    words[at >> 5]! |= 1 << at;
  }
}
