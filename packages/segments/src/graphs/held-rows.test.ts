import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memorySegment } from '../memory-segment.js';
import { mergeSegments } from '../merge/merge.js';
import { openSegment } from '../segment.js';
import type { VectorColumn, VectorLayout } from '../segment-reader.js';
import { plainVectors } from '../testing/plain-vectors.js';
import { compareWith } from '../vectors/compare-vectors.js';
import { encodeVector } from '../vectors/vector-row.js';
import { ColumnNearness } from './column-nearness.js';
import { VectorRowCache } from './held-rows.js';

const DIMS = 24;
const COUNT = 300;
const vectorOf = (i: number): number[] => Array.from({ length: DIMS }, (_, d) => Math.round(60 * Math.sin(i * 7 + d)));
const LAYOUTS: readonly VectorLayout[] = [
  { dims: DIMS, element: 'float', similarity: 'cosine' },
  { dims: DIMS, element: 'byte', similarity: 'cosine' },
  { dims: DIMS, element: 'byte', similarity: 'l2_norm' },
];

/** A column with a graph, whose rows the block cache reads `reads.count` times. */
async function columnOf(layout: VectorLayout, first: number): Promise<{ column: VectorColumn; reads: { n: number } }> {
  const memory = memorySegment();
  const vectors = Array.from({ length: COUNT }, (_, i) => vectorOf(first + i));
  await mergeSegments([plainVectors(layout, vectors)], memory, { graphs: { rowsMin: 50, bytesMax: 1 << 20 } });
  const column = openSegment(memory.source('s')).vectors('v')!;
  const reads = { n: 0 };
  const rowBytes = column.rowBytes!.bind(column);
  column.rowBytes = (row, bytes) => {
    reads.n++;
    return rowBytes(row, bytes);
  };
  return { column, reads };
}

/** Nearness is another measure than the score, with the same order. */
function order(values: readonly number[]): number[] {
  return values.map((_, i) => i).sort((a, b) => values[b]! - values[a]! || a - b);
}

function nearnessOf(column: VectorColumn, cache: VectorRowCache, query: Uint8Array, rows: Int32Array): number[] {
  const out = new Float32Array(rows.length);
  new ColumnNearness(column, cache.of(column), query).read(rows, rows.length, out);
  return [...out];
}

for (const layout of LAYOUTS)
  test(`rows of two columns that share slots are not mixed up: ${layout.element} ${layout.similarity}`, async () => {
    const columns = [await columnOf(layout, 0), await columnOf(layout, 5000)];
    const cache = new VectorRowCache(0);
    const rows = Int32Array.from({ length: 200 }, (_, i) => (i * 37) % COUNT);
    for (let q = 0; q < 6; q++) {
      const { column } = columns[q % 2]!;
      const query = encodeVector(vectorOf(1000 + q), layout);
      const comparison = compareWith(query, layout);
      const near = nearnessOf(column, cache, query, rows);
      const scores = Array.from(rows, (row) => comparison.score(column.rows(row), row));
      const [byNear, byScore] = [order(near), order(scores)];
      for (let i = 0; i < rows.length; i++)
        assert.ok(Math.abs(scores[byNear[i]!]! - scores[byScore[i]!]!) < 1e-5, `place ${i} of query ${q}`);
    }
  });

test('a row that is held is not read again, unless others took its slot', async () => {
  const [layout] = LAYOUTS;
  const { column, reads } = await columnOf(layout!, 0);
  const rows = Int32Array.from({ length: COUNT }, (_, i) => i);
  const query = encodeVector(vectorOf(77), layout!);
  const large = new VectorRowCache(1 << 20);
  const first = nearnessOf(column, large, query, rows);
  assert.equal(reads.n, COUNT);
  assert.deepEqual(nearnessOf(column, large, query, rows), first);
  assert.equal(reads.n, COUNT);
  large.clear();
  assert.deepEqual(nearnessOf(column, large, query, rows), first);
  assert.equal(reads.n, 2 * COUNT);
  assert.deepEqual(nearnessOf(column, new VectorRowCache(0), query, rows), first);
});

test('forms of rows share the memory, and the one used longest ago makes room', async () => {
  const cache = new VectorRowCache(1 << 20);
  const memories = [];
  for (let dims = 8; dims < 20; dims++) {
    const layout: VectorLayout = { dims, element: 'float', similarity: 'cosine' };
    const vectors = Array.from({ length: 60 }, (_, i) => vectorOf(i).slice(0, dims));
    const memory = memorySegment();
    await mergeSegments([plainVectors(layout, vectors)], memory, { graphs: { rowsMin: 50, bytesMax: 1 << 20 } });
    memories.push(cache.of(openSegment(memory.source('s')).vectors('v')!));
    assert.ok(cache.bytes <= 1 << 20, `${cache.bytes}`);
  }
  assert.ok(memories.every(({ slots }) => slots >= 64));
});
