import type { VectorLayout, VectorRows, VectorSimilarity } from '../segment-reader.js';
import { dotProduct, squareDistance } from './compare-vectors.kernel.js';
import type { SimdRows } from './simd-rows.js';

/** Scores of rows beside one vector; higher is nearer, as Lucene's VectorSimilarityFunction has it. */
export interface VectorComparison {
  /** Returns the score of a row of a piece. */
  score(rows: VectorRows, row: number): number;
  /**
   * Writes the scores of all rows of a piece to `out`; null for vectors of bytes, which `simd` cannot compare. Sums are
   * made of floats: a score may differ in its last digit from that of `score`.
   */
  readonly scoreAll: ((rows: VectorRows, simd: SimdRows, out: Float64Array) => void) | null;
  /** Returns the score of two vectors whose similarity, before it is made a score, is the given one. */
  scoreOf(similarity: number): number;
}

/** Product of two bytes of the largest size, by which 8.12 scales dot products of bytes. */
const BYTE_SCALE = 32_768;

/** Half of one and a number, in floats as 8.12 has it. */
const halfOfOneAnd = (raw: number): number => Math.max(0, Math.fround(1 + Math.fround(raw)) / 2);

/** Returns how a raw similarity (for `l2_norm` a distance) becomes a score that is never negative. */
function scoreFunction({ dims, element, similarity }: VectorLayout): (raw: number) => number {
  switch (similarity) {
    case 'l2_norm':
      return (distance) => 1 / (1 + distance * distance);
    case 'max_inner_product':
      return (dot) => (dot < 0 ? 1 / (1 - dot) : dot + 1);
    case 'dot_product':
      return element === 'byte' ? (dot) => 0.5 + dot / (dims * BYTE_SCALE) : halfOfOneAnd;
    default:
      return halfOfOneAnd;
  }
}

/**
 * Returns the comparison of a vector, a row of the same layout, with other rows. Scores are floats, as in Lucene. Rows
 * of bytes are not stored with length 1, so their cosine divides by both lengths.
 */
export function compareWith(vector: Uint8Array, layout: VectorLayout): VectorComparison {
  const own = vector.slice();
  const floats = new Float32Array(own.buffer);
  const scoreOf = scoreFunction(layout);
  const raw = layout.element === 'byte' ? compareBytes(own, floats, layout) : compareFloats(floats, layout);
  return {
    scoreOf: (similarity) => Math.fround(scoreOf(similarity)),
    score: (rows, row) => Math.fround(scoreOf(raw(rows, row))),
    scoreAll: layout.element === 'byte' ? null : allScores(floats, layout, scoreOf),
  };
}

function allScores(
  own: Float32Array,
  { dims, similarity }: VectorLayout,
  scoreOf: (raw: number) => number,
): NonNullable<VectorComparison['scoreAll']> {
  const isDistant = isDistance(similarity);
  return ({ floats, stride, count }, simd, out) => {
    const raw = simd[isDistant ? 'squares' : 'dots'](own, floats, stride, count, dims);
    for (let i = 0; i < count; i++) out[i] = Math.fround(scoreOf(isDistant ? Math.sqrt(raw[i]!) : raw[i]!));
  };
}

type Raw = (rows: VectorRows, row: number) => number;

const isDistance = (similarity: VectorSimilarity): boolean => similarity === 'l2_norm';

function compareFloats(own: Float32Array, { dims, similarity }: VectorLayout): Raw {
  if (isDistance(similarity))
    return ({ floats, first, stride }, row) => Math.sqrt(squareDistance(own, 0, floats, (row - first) * stride, dims));
  return ({ floats, first, stride }, row) => dotProduct(own, 0, floats, (row - first) * stride, dims);
}

const squareOf = (length: number): number => Math.round(length * length);

function compareBytes(vector: Uint8Array, lengths: Float32Array, { dims, similarity }: VectorLayout): Raw {
  const own = new Int8Array(vector.buffer);
  if (isDistance(similarity))
    return ({ bytes, first, stride }, row) =>
      Math.sqrt(squareDistance(own, 0, bytes, (row - first) * stride * 4, dims));
  const dot: Raw = ({ bytes, first, stride }, row) => dotProduct(own, 0, bytes, (row - first) * stride * 4, dims);
  if (similarity !== 'cosine') return dot;
  // The square of a length is a whole number, which its float tells: 8.12 rounds once, after dividing by the root.
  const squares = squareOf(lengths[lengths.length - 1]!);
  return (rows, row) => {
    const other = rows.floats[(row - rows.first + 1) * rows.stride - 1]!;
    return dot(rows, row) / Math.sqrt(squares * squareOf(other));
  };
}
