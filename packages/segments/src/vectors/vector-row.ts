import type { VectorLayout, VectorRows } from '../segment-reader.js';

/** Returns the floats from one row of a layout to the next: the elements, padded, and the vector's length. */
export function vectorStride({ dims, element }: VectorLayout): number {
  return (element === 'float' ? dims : Math.ceil(dims / 4)) + 1;
}

/** Returns the square of the Euclidean length of a vector, a sum of floats as 8.12 has it. */
export function squaredLength(values: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const value = Math.fround(values[i]!);
    squares = Math.fround(squares + Math.fround(value * value));
  }
  return squares;
}

/**
 * Returns the length that is kept with a vector. Documents of earlier builds have vectors whose squared length is
 * beyond a float; a sum of doubles is not.
 */
function lengthOf(values: ArrayLike<number>, mustDivide: boolean): number {
  const squares = squaredLength(values);
  if (Number.isFinite(squares) && !(mustDivide && squares === 0)) return Math.fround(Math.sqrt(squares));
  let exact = 0;
  for (let i = 0; i < values.length; i++) exact += values[i]! * values[i]!;
  return Math.sqrt(exact);
}

/**
 * Returns a vector as a row of its column: the elements and the vector's length as a float. Floats that are compared by
 * cosine are divided by the length, as 8.12 does: comparing them is then a dot product.
 */
export function encodeVector(values: ArrayLike<number>, layout: VectorLayout): Uint8Array {
  const floats = new Float32Array(vectorStride(layout));
  if (layout.element === 'byte') new Int8Array(floats.buffer).set(values);
  else floats.set(values);
  const isDivided = layout.element === 'float' && layout.similarity === 'cosine';
  const length = lengthOf(layout.element === 'byte' ? values : floats, isDivided);
  if (isDivided && length > 0) for (let i = 0; i < values.length; i++) floats[i]! /= length;
  floats[floats.length - 1] = length;
  return new Uint8Array(floats.buffer);
}

/** Returns rows over bytes, copied if they do not lie at a multiple of four. */
export function vectorRows(bytes: Uint8Array, first: number, count: number, stride: number): VectorRows {
  const length = count * stride * Float32Array.BYTES_PER_ELEMENT;
  const isAligned = bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0;
  // `slice` of a Buffer would not copy.
  const aligned = isAligned ? bytes : new Uint8Array(bytes.subarray(0, length));
  return {
    first,
    count,
    stride,
    floats: new Float32Array(aligned.buffer, aligned.byteOffset, count * stride),
    bytes: new Int8Array(aligned.buffer, aligned.byteOffset, length),
  };
}
