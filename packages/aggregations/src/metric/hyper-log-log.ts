/**
 * HyperLogLog on 53-bit hashes. Each of 2^p registers holds the longest run of leading zeros. Counts are estimated by
 * the improved raw estimator of O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017), which
 * needs no bias tables.
 */

/** Bits of hashes. */
const HASH_BITS = 53;

/**
 * Chooses the precision as Elasticsearch does, 4 to 18: registers take as much memory as a table of `threshold` hashes.
 */
export function precisionOf(threshold: number): number {
  const entries = Math.ceil(Math.min(threshold, 40_000) / 0.75);
  const bits = 32 - Math.clz32(Math.max(1, entries * 4 - 1));
  return Math.min(18, Math.max(4, bits));
}

/** Records a hash, an integer below 2^53. */
export function addHash(registers: Uint8Array, precision: number, hash: number): void {
  const restBits = HASH_BITS - precision;
  const scale = 2 ** restBits;
  const index = Math.floor(hash / scale);
  const rest = hash - index * scale;
  const zeros = rest === 0 ? restBits : restBits - 1 - Math.floor(Math.log2(rest));
  if (zeros + 1 > registers[index]!) registers[index] = zeros + 1;
}

/** Ertl's σ: the contribution of empty registers. */
function sigma(x: number): number {
  if (x === 1) return Number.POSITIVE_INFINITY;
  let [power, y, z] = [x, 1, x];
  for (;;) {
    power *= power;
    const before = z;
    z += power * y;
    y += y;
    if (z === before) return z;
  }
}

/** Ertl's τ: the contribution of full registers. */
function tau(x: number): number {
  if (x === 0 || x === 1) return 0;
  let [root, y, z] = [x, 1, 1 - x];
  for (;;) {
    root = Math.sqrt(root);
    const before = z;
    y *= 0.5;
    z -= (1 - root) ** 2 * y;
    if (z === before) return z / 3;
  }
}

/** The estimated number of distinct hashes. */
export function estimate(registers: Uint8Array, precision: number): number {
  const m = registers.length;
  const q = HASH_BITS - precision;
  const histogram = new Float64Array(q + 2);
  for (const register of registers) histogram[register]!++;
  let z = m * tau(1 - histogram[q + 1]! / m);
  for (let k = q; k >= 1; k--) z = 0.5 * (z + histogram[k]!);
  z += m * sigma(histogram[0]! / m);
  return ((m / (2 * Math.LN2)) * m) / z;
}

/** Merges `other` into `registers`: the maximum of each register. */
export function mergeRegisters(registers: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < registers.length; i++) if (other[i]! > registers[i]!) registers[i] = other[i]!;
}
