const MASK = 0xffffffffffffffffn;
const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;

const rotate = (value: bigint, bits: bigint): bigint => ((value << bits) | (value >> (64n - bits))) & MASK;

const scramble = (block: bigint, first: bigint, bits: bigint, second: bigint): bigint =>
  (rotate((block * first) & MASK, bits) * second) & MASK;

function finish(value: bigint): bigint {
  let h = value;
  h = ((h ^ (h >> 33n)) * 0xff51afd7ed558ccdn) & MASK;
  h = ((h ^ (h >> 33n)) * 0xc4ceb9fe1a85ec53n) & MASK;
  return h ^ (h >> 33n);
}

/** The bytes of a tail of less than 16 as a number, the first byte lowest; 0 for none. */
function tailOf(bytes: Uint8Array, from: number, to: number): bigint {
  let value = 0n;
  for (let i = Math.min(to, bytes.length) - 1; i >= from; i--) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
}

/** Returns the first 64 bits of `murmur3Both64`. */
export const murmur3First64 = (bytes: Uint8Array): bigint => murmur3Both64(bytes)[0];

/** Returns both halves of the x64_128 hash of bytes with seed 0 (MurmurHash3 of Austin Appleby), unsigned. */
export function murmur3Both64(bytes: Uint8Array): [first: bigint, second: bigint] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = bytes.length >>> 4;
  let h1 = 0n;
  let h2 = 0n;
  for (let i = 0; i < blocks; i++) {
    h1 ^= scramble(view.getBigUint64(i * 16, true), C1, 31n, C2);
    h1 = ((rotate(h1, 27n) + h2) * 5n + 0x52dce729n) & MASK;
    h2 ^= scramble(view.getBigUint64(i * 16 + 8, true), C2, 33n, C1);
    h2 = ((rotate(h2, 31n) + h1) * 5n + 0x38495ab5n) & MASK;
  }
  const rest = blocks * 16;
  h2 ^= scramble(tailOf(bytes, rest + 8, rest + 16), C2, 33n, C1);
  h1 ^= scramble(tailOf(bytes, rest, rest + 8), C1, 31n, C2);
  const length = BigInt(bytes.length);
  h1 = ((h1 ^ length) + (h2 ^ length)) & MASK;
  h2 = ((h2 ^ length) + h1) & MASK;
  const [last1, last2] = [finish(h1), finish(h2)];
  const first = (last1 + last2) & MASK;
  return [first, (first + last2) & MASK];
}
