import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareWith } from './compare-vectors.js';
import { simdRows } from './simd-rows.js';
import { encodeVector, vectorRows, vectorStride } from './vector-row.js';
import type { VectorLayout } from '../segment-reader.js';

const simd = simdRows();
const whole = fc.integer({ min: -64, max: 64 });

/** Whole numbers, whose sums are exact as floats. */
const inputs = fc
  .integer({ min: 1, max: 70 })
  .chain((dims) =>
    fc.tuple(
      fc.array(whole, { minLength: dims, maxLength: dims }),
      fc.array(fc.array(whole, { minLength: dims, maxLength: dims }), { maxLength: 5 }),
      fc.nat(3),
    ),
  );

test('the loops add up what plain ones do, whatever the number of elements and the distance of rows', () => {
  fc.assert(
    fc.property(inputs, ([query, rows, gap]) => {
      const dims = query.length;
      const floats = Float32Array.from(rows.flatMap((row) => [...row, ...new Array<number>(gap).fill(99)]));
      const given = [Float32Array.from(query), floats, dims + gap, rows.length, dims] as const;
      const expected = (of: (a: number, b: number) => number): number[] =>
        rows.map((row) => row.reduce((sum, value, i) => sum + of(query[i]!, value), 0));
      assert.deepEqual(
        [...simd.dots(...given).subarray(0, rows.length)],
        expected((a, b) => a * b),
      );
      assert.deepEqual(
        [...simd.squares(...given).subarray(0, rows.length)],
        expected((a, b) => (a - b) ** 2),
      );
    }),
  );
});

test('a piece of the largest size, and vectors of the most dimensions, fit into the memory of the loops', () => {
  const ones = new Float32Array(16_382).fill(1);
  assert.deepEqual([...simd.dots(ones.subarray(0, 4096), ones, 4097, 3, 4096).subarray(0, 3)], [4096, 4096, 4096]);
  assert.ok(
    simd
      .squares(Float32Array.of(3), ones, 2, 8191, 1)
      .subarray(0, 8191)
      .every((value) => value === 4),
  );
});

test('scores of all rows at once are those of one after the other, but for the last digit', () => {
  for (const similarity of ['l2_norm', 'cosine', 'dot_product', 'max_inner_product'] as const) {
    const layout: VectorLayout = { dims: 37, element: 'float', similarity };
    const vectors = [0, 1, 2].map((i) =>
      encodeVector(
        Array.from({ length: 37 }, (_, j) => Math.sin(7 * i + j) / 6),
        layout,
      ),
    );
    const rows = vectorRows(Buffer.concat(vectors.slice(1)), 0, 2, vectorStride(layout));
    const comparison = compareWith(vectors[0]!, layout);
    const out = new Float64Array(2);
    comparison.scoreAll!(rows, simd, out);
    for (let row = 0; row < 2; row++) assert.ok(Math.abs(out[row]! - comparison.score(rows, row)) < 1e-6, similarity);
  }
  assert.equal(compareWith(new Uint8Array(8), { dims: 4, element: 'byte', similarity: 'l2_norm' }).scoreAll, null);
});
