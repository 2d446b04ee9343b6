const BYTES = new DataView(new ArrayBuffer(8));

/** The bits of a number of binary16; exact for numbers that it can hold. */
function halfBits(value: number): bigint {
  BYTES.setFloat32(0, value);
  const bits = BYTES.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  if (exponent > 30) return BigInt(sign | 0x7c00);
  // Below 2^-14 numbers are multiples of 2^-24.
  const rest = exponent > 0 ? (exponent << 10) | ((bits >>> 13) & 0x3ff) : Math.round(Math.abs(value) * 2 ** 24);
  return BigInt(sign | rest);
}

function rawBits(value: number, bits: 16 | 32 | 64): bigint {
  if (bits === 16) return halfBits(value);
  if (bits === 32) BYTES.setFloat32(0, value);
  else BYTES.setFloat64(0, value);
  return bits === 32 ? BigInt(BYTES.getUint32(0)) : BYTES.getBigUint64(0);
}

/**
 * The signed integer by which Lucene sorts a number of IEEE 754 binary16, binary32 or binary64: its bits, all but the
 * sign inverted if it is negative.
 */
export function sortableBits(value: number, bits: 16 | 32 | 64): bigint {
  const raw = BigInt.asIntN(bits, rawBits(value, bits));
  return raw >= 0n ? raw : BigInt.asIntN(bits, raw ^ ((1n << BigInt(bits - 1)) - 1n));
}

function numberOf(sortable: bigint, bits: 16 | 32 | 64): number {
  const raw = BigInt.asUintN(bits, sortable >= 0n ? sortable : sortable ^ ((1n << BigInt(bits - 1)) - 1n));
  if (bits === 64) BYTES.setBigUint64(0, raw);
  else if (bits === 32) BYTES.setUint32(0, Number(raw));
  else return halfNumber(Number(raw));
  return bits === 64 ? BYTES.getFloat64(0) : BYTES.getFloat32(0);
}

function halfNumber(raw: number): number {
  const exponent = (raw >>> 10) & 0x1f;
  const fraction = raw & 0x3ff;
  const size =
    exponent === 0 ? fraction * 2 ** -24 : exponent === 31 ? Infinity : (1024 + fraction) * 2 ** (exponent - 25);
  return (raw & 0x8000) === 0 ? size : -size;
}

/** An end of a range of numbers of some width. */
interface SortableBound {
  readonly sortable: bigint;
  readonly value: number;
}

/** The number of `bits` bits that ends a range at `value` within it: the next one above a low end, below a high end. */
export function sortableBound(value: number, bits: 16 | 32 | 64, isLow: boolean): SortableBound {
  const near = sortableBits(value, bits);
  const number = numberOf(near, bits);
  const sortable = isLow && number < value ? near + 1n : !isLow && number > value ? near - 1n : near;
  return { sortable, value: numberOf(sortable, bits) };
}
