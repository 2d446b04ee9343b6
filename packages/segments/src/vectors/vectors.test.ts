import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { decodeValue } from '@shoal/codec';
import fc from 'fast-check';
import {
  bitSet,
  encodeVector,
  memorySegment,
  type MergeInput,
  mergeSegments,
  mergeSorted,
  NO_MORE_DOCS,
  openSegment,
  type SegmentReader,
  type VectorColumn,
  type VectorLayout,
  vectorRows,
  vectorsOf,
  vectorStride,
} from '../index.js';
import { compareWith } from './compare-vectors.js';
import { layoutOf, plainVectors, readerOf } from '../testing/plain-vectors.js';

const FLOATS: VectorLayout = { dims: 3, element: 'float', similarity: 'l2_norm' };

async function sealed(inputs: readonly MergeInput[]): Promise<SegmentReader> {
  const memory = memorySegment();
  await mergeSegments(inputs, memory);
  return openSegment(memory.source('s'));
}

/** The vector of each document of a reader as numbers. */
function read(column: VectorColumn, maxDoc: number): (number[] | null)[] {
  const { dims, element } = column.layout;
  return Array.from({ length: maxDoc }, (_, doc) => {
    const row = column.rowOf(doc);
    if (row < 0) return null;
    assert.equal(column.docsOfRows()?.[row] ?? row, doc);
    const { first, floats, bytes, stride } = column.rows(row);
    const at = (row - first) * stride;
    return [...(element === 'float' ? floats.subarray(at, at + dims) : bytes.subarray(4 * at, 4 * at + dims))];
  });
}

const element = fc.integer({ min: -100, max: 100 });

test('a segment gives back the vectors that were written, of all documents or of some', async () => {
  const inputs = fc.record({
    element: fc.constantFrom('float' as const, 'byte' as const),
    vectors: fc.array(fc.option(fc.tuple(element, element, element, element, element), { freq: 4 }), { minLength: 1 }),
    times: fc.constantFrom(1, 900),
  });
  await fc.assert(
    fc.asyncProperty(inputs, async ({ element: kind, vectors, times }) => {
      const layout: VectorLayout = { dims: 5, element: kind, similarity: 'l2_norm' };
      const all = Array.from({ length: times }, () => vectors).flat();
      const reader = await sealed([plainVectors(layout, all)]);
      assert.deepEqual(reader.layout('v'), layoutOf(layout));
      assert.deepEqual(read(reader.vectors('v')!, all.length), all);
    }),
    { numRuns: 30 },
  );
});

test('vectors go over the ends of chunks, and a merge leaves deleted documents out', async () => {
  const layout: VectorLayout = { dims: 1000, element: 'float', similarity: 'dot_product' };
  const vectors = Array.from({ length: 50 }, (_, i) => Array.from({ length: 1000 }, (__, j) => i + j));
  const one = await sealed([plainVectors(layout, vectors)]);
  const live = bitSet(50);
  for (let doc = 0; doc < 50; doc += 3) live.set(doc);
  const merged = await sealed([
    { reader: one, live, maxDoc: 50 },
    { reader: one, live: null, maxDoc: 20 },
  ]);
  const kept = [...vectors.filter((_, i) => i % 3 === 0), ...vectors.slice(0, 20)];
  assert.deepEqual(read(merged.vectors('v')!, merged.maxDoc), kept);
});

test('an index sort moves vectors with their documents', async () => {
  const vectors = [[1, 1, 1], null, [3, 3, 3], [4, 4, 4]];
  const memory = memorySegment();
  await mergeSorted([plainVectors(FLOATS, vectors)], () => Int32Array.of(3, 1, 0, 2), memory);
  const reader = openSegment(memory.source('sorted'));
  assert.deepEqual(read(reader.vectors('v')!, 4), [[4, 4, 4], null, [1, 1, 1], [3, 3, 3]]);
});

test('vectors of format 1, which have no lengths, are read and merged as the mapping has them', async () => {
  const bare = readerOf(
    2,
    {
      binary: () => ({
        isSingleValued: true,
        docsWithField: 1,
        valueCount: 1,
        nextDocWithField: (target) => (target <= 1 ? 1 : NO_MORE_DOCS),
        get: (doc) => (doc === 1 ? new Uint8Array(Float32Array.of(3, 0, 4).buffer) : null),
      }),
    },
    { name: 'v', terms: null, column: 'binary', points: false },
  );
  const old = await sealed([{ reader: bare, live: null, maxDoc: 2 }]);
  const layout: VectorLayout = { dims: 3, element: 'float', similarity: 'cosine' };
  assert.equal(old.vectors('v'), null);
  const column = vectorsOf(old, layoutOf(layout))!;
  const unit = [Math.fround(0.6), 0, Math.fround(0.8)];
  assert.deepEqual(read(column, 2), [null, unit]);
  assert.equal(column.rows(0).floats[3], 5);
  const merged = await sealed([{ reader: old, live: null, maxDoc: 2 }, plainVectors(layout, [[0, 2, 0]])]);
  assert.deepEqual(read(merged.vectors('v')!, 3), [null, unit, [0, 1, 0]]);
  assert.throws(() => vectorsOf(old, layoutOf({ ...layout, dims: 4 }))!.rows(0), /corrupt|4 dimensions has 12 bytes/);
});

test('a segment with too few rows is refused', async () => {
  const memory = memorySegment();
  await mergeSegments(
    [
      plainVectors(FLOATS, [
        [1, 2, 3],
        [4, 5, 6],
      ]),
    ],
    memory,
  );
  const source = memory.source('s');
  const short = openSegment({
    ...source,
    chunk: (part, i) => (part === 'vectors' ? source.chunk(part, i).subarray(0, 20) : source.chunk(part, i)),
  });
  assert.throws(() => short.vectors('v')!.rows(1), { type: 'corrupt_index_exception' });
  const none = openSegment({
    ...source,
    chunk: (part, i) => {
      if (part === 'vectors') throw new Error('no such chunk');
      return source.chunk(part, i);
    },
  });
  assert.throws(() => none.vectors('v')!.rows(0), /no such chunk/);
});

test('a column holds one piece at a time, so that the cache bounds the memory of its vectors', async () => {
  const layout: VectorLayout = { ...FLOATS, dims: 4000 };
  const vectors = Array.from({ length: 12 }, (_, i) => new Array<number>(4000).fill(i + 1));
  const memory = memorySegment();
  await mergeSegments([plainVectors(layout, vectors)], memory);
  const source = memory.source('s');
  const reads: number[] = [];
  const reader = openSegment({
    ...source,
    chunk(part, i) {
      if (part === 'vectors') reads.push(i);
      return source.chunk(part, i);
    },
  });
  const column = reader.vectors('v')!;
  for (const row of [0, 1, 11, 11, 0])
    assert.equal(column.rows(row).floats[(row - column.rows(row).first) * 4001], row + 1);
  const [first, last] = [reads[0], reads[1]];
  assert.notEqual(first, last);
  assert.deepEqual(reads, [first, last, first]);
});

/** Written by the first writer of version 2: documents 0 to 39, of which each third has no `floats`. */
const GOLDEN = new URL('../../golden/v2/segment.bin', import.meta.url);

test('a segment of format version 2 is read', () => {
  const parts = decodeValue(fs.readFileSync(GOLDEN)) as Record<string, Uint8Array[]>;
  const memory = memorySegment();
  for (const [part, chunks] of Object.entries(parts)) for (const chunk of chunks) void memory.write(part, chunk);
  const reader = openSegment(memory.source('golden'));
  const vectors = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? null : [i, -i, 0.5]));
  assert.deepEqual(reader.layout('v'), layoutOf(FLOATS));
  assert.deepEqual(read(reader.vectors('v')!, 40), vectors);
});

test('scores are those of Lucene', () => {
  const score = (
    similarity: VectorLayout['similarity'],
    kind: VectorLayout['element'],
    a: number[],
    b: number[],
  ): number => {
    const layout: VectorLayout = { dims: 2, element: kind, similarity };
    const rows = vectorRows(encodeVector(b, layout), 7, 1, vectorStride(layout));
    return Number(compareWith(encodeVector(a, layout), layout).score(rows, 7).toPrecision(6));
  };
  assert.equal(score('l2_norm', 'float', [0, 0], [3, 4]), Number((1 / 26).toPrecision(6)));
  assert.equal(score('cosine', 'float', [2, 0], [5, 5]), Number(((1 + Math.SQRT1_2) / 2).toPrecision(6)));
  assert.equal(score('cosine', 'byte', [2, 0], [-5, 0]), 0);
  assert.equal(score('dot_product', 'float', [1, 0], [0.6, 0.8]), 0.8);
  assert.equal(score('dot_product', 'byte', [127, 0], [127, 0]), Number((0.5 + 16129 / 65536).toPrecision(6)));
  assert.equal(score('max_inner_product', 'float', [1, 1], [2, 3]), 6);
  assert.equal(score('max_inner_product', 'float', [1, 1], [-2, -2]), 0.2);
});
