import { bench } from '@shoal/testing';
import { dotProduct, squareDistance } from './compare-vectors.kernel.js';

const ROWS = 10_000;
for (const dims of [100, 768]) {
  const query = Float32Array.from({ length: dims }, (_, i) => Math.sin(i));
  const rows = Float32Array.from({ length: ROWS * dims }, (_, i) => Math.cos(i));
  let sum = 0;
  bench(`dot products of ${ROWS} rows of ${dims} floats`, ROWS, () => {
    for (let row = 0; row < ROWS; row++) sum += dotProduct(query, 0, rows, row * dims, dims);
  });
  bench(`distances of ${ROWS} rows of ${dims} floats`, ROWS, () => {
    for (let row = 0; row < ROWS; row++) sum += squareDistance(query, 0, rows, row * dims, dims);
  });
  process.stdout.write(`${sum}\n`);
}
