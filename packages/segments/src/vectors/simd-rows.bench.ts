import { bench } from '@shoal/testing';
import { compareWith } from './compare-vectors.js';
import { simdRows } from './simd-rows.js';
import { encodeVector, vectorRows, vectorStride } from './vector-row.js';
import type { VectorLayout } from '../segment-reader.js';

const ROWS = 100_000;
for (const dims of [100, 768]) {
  const layout: VectorLayout = { dims, element: 'float', similarity: 'cosine' };
  const stride = vectorStride(layout);
  const perPiece = Math.floor(16_382 / stride);
  const piece = Float32Array.from({ length: perPiece * stride }, (_, i) => Math.sin(i));
  const rows = vectorRows(new Uint8Array(piece.buffer), 0, perPiece, stride);
  const comparison = compareWith(
    encodeVector(
      Array.from({ length: dims }, (_, i) => Math.cos(i)),
      layout,
    ),
    layout,
  );
  const simd = simdRows();
  const out = new Float64Array(perPiece);
  let sum = 0;
  bench(`scores of ${ROWS} rows of ${dims} floats, a piece at once`, ROWS, () => {
    for (let row = 0; row < ROWS; row += perPiece) comparison.scoreAll!(rows, simd, out);
  });
  bench(`scores of ${ROWS} rows of ${dims} floats, one after the other`, ROWS, () => {
    for (let row = 0; row < ROWS; row++) sum += comparison.score(rows, row % perPiece);
  });
  process.stdout.write(`${sum}\n`);
}
