const MASK = (1n << 64n) - 1n;
const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;

const rotate = (x: bigint, by: bigint): bigint => ((x << by) | (x >> (64n - by))) & MASK;
const times = (a: bigint, b: bigint): bigint => (a * b) & MASK;

function finish(h: bigint): bigint {
  let k = times(h ^ (h >> 33n), 0xff51afd7ed558ccdn);
  k = times(k ^ (k >> 33n), 0xc4ceb9fe1a85ec53n);
  return k ^ (k >> 33n);
}

const scrambleFirst = (k: bigint): bigint => times(rotate(times(k, C1), 31n), C2);
const scrambleSecond = (k: bigint): bigint => times(rotate(times(k, C2), 33n), C1);

function littleEndian(bytes: Uint8Array, from: number, to: number): bigint {
  let value = 0n;
  for (let i = Math.min(to, bytes.length) - 1; i >= from; i--) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
}

/** MurmurHash3 x64_128 with seed 0 (Appleby), both halves as unsigned numbers. */
export function murmur128(bytes: Uint8Array): readonly [bigint, bigint] {
  let [h1, h2] = [0n, 0n];
  const whole = bytes.length & ~15;
  for (let i = 0; i < whole; i += 16) {
    h1 ^= scrambleFirst(littleEndian(bytes, i, i + 8));
    h1 = (times((rotate(h1, 27n) + h2) & MASK, 5n) + 0x52dce729n) & MASK;
    h2 ^= scrambleSecond(littleEndian(bytes, i + 8, i + 16));
    h2 = (times((rotate(h2, 31n) + h1) & MASK, 5n) + 0x38495ab5n) & MASK;
  }
  if (bytes.length > whole + 8) h2 ^= scrambleSecond(littleEndian(bytes, whole + 8, bytes.length));
  if (bytes.length > whole) h1 ^= scrambleFirst(littleEndian(bytes, whole, whole + 8));
  const length = BigInt(bytes.length);
  h1 ^= length;
  h2 ^= length;
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  h1 = finish(h1);
  h2 = finish(h2);
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  return [h1, h2];
}

/** Part of the id of a result that stands for values: their hash as a signed number, and their length. */
export function valueId(values: readonly (string | null)[]): string {
  const text = values.filter((value) => value !== null).join('');
  const [h1, h2] = murmur128(Buffer.from(text));
  return `${BigInt.asIntN(128, (h1 << 64n) | h2)}_${text.length}`;
}
