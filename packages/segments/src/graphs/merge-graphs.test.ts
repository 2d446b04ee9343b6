import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { decodeValue } from '@shoal/codec';
import { bitSet } from '../bit-set.js';
import { type MemorySegment, memorySegment } from '../memory-segment.js';
import { mergeSegments } from '../merge/merge.js';
import type { GraphLimits } from '../merge/merge-columns.js';
import type { MergeInput } from '../merge/merge-input.js';
import { openSegment } from '../segment.js';
import type { SegmentReader, VectorColumn, VectorLayout } from '../segment-reader.js';
import { compareWith } from '../vectors/compare-vectors.js';
import { encodeVector } from '../vectors/vector-row.js';
import { plainVectors } from '../testing/plain-vectors.js';
import { ColumnNearness } from './column-nearness.js';
import { VectorRowCache } from './held-rows.js';
import { GraphWalk, NearestRows } from './graph-walk.js';

const DIMS = 12;
const LAYOUT: VectorLayout = { dims: DIMS, element: 'float', similarity: 'cosine' };
const LIMITS: GraphLimits = { rowsMin: 50, bytesMax: 1 << 24 };

const vectorOf = (i: number): number[] =>
  Array.from({ length: DIMS }, (_, d) => Math.sin(i * 12.9898 + d * (1 + (i % 13)) * 78.233) + (d === i % 7 ? 1 : 0));
const from = (first: number, count: number): number[][] => Array.from({ length: count }, (_, i) => vectorOf(first + i));

async function merged(inputs: readonly MergeInput[], graphs?: GraphLimits): Promise<MemorySegment> {
  const memory = memorySegment();
  await mergeSegments(inputs, memory, { graphs });
  return memory;
}

const open = (memory: MemorySegment): SegmentReader => openSegment(memory.source('s'));

/** The rows that walks through all graphs of a column find nearest, scored by its rows. */
function walked(
  column: VectorColumn,
  query: Uint8Array,
  ef: number,
  accepts: ((row: number) => boolean) | null = null,
  rowCache = new VectorRowCache(1 << 24),
) {
  const memory = rowCache.of(column);
  const comparison = compareWith(query, column.layout);
  const rows = column.graphs!.flatMap((graph) => {
    const results = new NearestRows(ef, accepts);
    const walk = new GraphWalk(graph, new ColumnNearness(column, memory, query), results);
    while (walk.step(10));
    return [...results.take()];
  });
  const scored = rows.map((row) => ({ row, score: comparison.score(column.rows(row), row) }));
  return scored.sort((a, b) => b.score - a.score || a.row - b.row);
}

function recall(column: VectorColumn, ef: number, accepts: (row: number) => boolean = () => true): number {
  let hits = 0;
  for (let q = 0; q < 30; q++) {
    const query = encodeVector(vectorOf(100_000 + q), column.layout);
    const comparison = compareWith(query, column.layout);
    const all = Array.from({ length: column.docsWithField }, (_, row) => row).filter(accepts);
    const scores = all.map((row) => comparison.score(column.rows(row), row)).sort((a, b) => b - a);
    const least = scores[Math.min(9, scores.length - 1)]!;
    hits += walked(column, query, ef, accepts)
      .slice(0, 10)
      .filter(({ score }) => score >= least).length;
  }
  return hits / 300;
}

test('a segment without graphs is written as before, and a small one gets none', async () => {
  const input = plainVectors(LAYOUT, from(0, 49));
  assert.deepEqual((await merged([input])).parts, (await merged([input], LIMITS)).parts);
  assert.deepEqual(open(await merged([input], LIMITS)).vectors('v')!.graphs, []);
});

const KINDS: readonly (readonly [string, VectorLayout])[] = [
  ['floats by cosine', LAYOUT],
  ['floats by distance', { ...LAYOUT, similarity: 'l2_norm', graph: { m: 4, efConstruction: 40 } }],
  ['floats by product', { ...LAYOUT, similarity: 'max_inner_product' }],
  ['quantised floats', { ...LAYOUT, graph: { m: 16, efConstruction: 100, confidence: 0.99 } }],
];

for (const [name, layout] of KINDS) {
  test(`a walk finds the nearest vectors: ${name}`, async () => {
    const reader = open(await merged([plainVectors(layout, from(0, 900))], LIMITS));
    assert.deepEqual(reader.layout('v')!.vectors, layout);
    const column = reader.vectors('v')!;
    assert.equal(column.graphs!.length, 1);
    assert.equal(column.quantised !== null, layout.graph?.confidence !== undefined);
    assert.ok(recall(column, 80) > 0.93, `recall ${recall(column, 80)}`);
    const curve = column.graphs![0]!.recall;
    assert.equal(curve[0]!.candidates, 10);
    assert.ok(curve.at(-1)!.recall > 0.97 && curve[0]!.recall <= curve.at(-1)!.recall, JSON.stringify(curve));
  });
}

test('a walk finds the nearest vectors of bytes', async () => {
  const bytes = from(0, 500).map((vector) => vector.map((value) => Math.round(value * 60)));
  for (const similarity of ['cosine', 'l2_norm', 'dot_product'] as const) {
    const layout: VectorLayout = { dims: DIMS, element: 'byte', similarity };
    const column = open(await merged([plainVectors(layout, bytes)], LIMITS)).vectors('v')!;
    const query = encodeVector(
      vectorOf(7777).map((value) => Math.round(value * 60)),
      layout,
    );
    const comparison = compareWith(query, layout);
    const best = Math.max(...bytes.map((_, row) => comparison.score(column.rows(row), row)));
    assert.equal(walked(column, query, 60)[0]!.score, best);
  }
});

test('a filter leaves the walk its way, and rows that it refuses are not found', async () => {
  const column = open(await merged([plainVectors(LAYOUT, from(0, 900))], LIMITS)).vectors('v')!;
  const tenth = (row: number): boolean => row % 10 === 3;
  assert.ok(recall(column, 40, tenth) > 0.9);
  assert.ok(walked(column, encodeVector(vectorOf(1), LAYOUT), 40, tenth).every(({ row }) => tenth(row)));
});

test('a merge takes the largest graph over, adds the other rows, and closes gaps of deleted ones', async () => {
  const large = open(await merged([plainVectors(LAYOUT, from(0, 700))], LIMITS));
  const small = open(await merged([plainVectors(LAYOUT, from(700, 200))], LIMITS));
  const live = bitSet(700);
  for (let doc = 0; doc < 700; doc++) if (doc % 6 !== 5) live.set(doc);
  const inputs = [
    { reader: small, live: null, maxDoc: 200 },
    { reader: large, live, maxDoc: 700 },
  ];
  const column = open(await merged(inputs, LIMITS)).vectors('v')!;
  assert.deepEqual([column.graphs!.length, column.graphs![0]!.rows], [1, 784]);
  assert.ok(recall(column, 80) > 0.95, `recall ${recall(column, 80)}`);
  const again = open(await merged(inputs, LIMITS)).vectors('v')!;
  const query = encodeVector(vectorOf(5), LAYOUT);
  assert.deepEqual(walked(again, query, 20), walked(column, query, 20));
  const whole = await merged([{ reader: large, live: null, maxDoc: 700 }], LIMITS);
  const { parts } = await merged([plainVectors(LAYOUT, from(0, 700))], LIMITS);
  assert.deepEqual(whole.parts.get('graphs'), parts.get('graphs'), 'a graph alone is taken over as it is');
});

/** Number of nodes of each level that links lead to from the entry. */
function reached({ graphs }: VectorColumn): { readonly nodes: number; readonly reached: number }[] {
  return graphs!.flatMap((graph) => {
    const into = new Int32Array(2 * graph.m);
    let start = graph.entry;
    return Array.from({ length: graph.topLevel + 1 }, (_, i) => {
      const level = graph.topLevel - i;
      if (i > 0) start = graph.below(level + 1, start);
      const known = new Set([start]);
      for (const rank of known) for (let k = graph.neighbours(level, rank, into); k > 0; ) known.add(into[--k]!);
      return { nodes: graph.nodesOn(level), reached: known.size };
    });
  });
}

test('every vector is reached, also after a part of them was deleted', async () => {
  const layout: VectorLayout = { ...LAYOUT, similarity: 'l2_norm', graph: { m: 3, efConstruction: 20 } };
  const large = open(await merged([plainVectors(layout, from(0, 1200))], LIMITS));
  const small = open(await merged([plainVectors(layout, from(1200, 300))], LIMITS));
  const live = bitSet(1200);
  for (let doc = 0; doc < 1200; doc++) if (doc % 7 > 1 || doc < 20) live.set(doc);
  const inputs = [
    { reader: large, live, maxDoc: 1200 },
    { reader: small, live: null, maxDoc: 300 },
  ];
  for (const reader of [large, small, open(await merged(inputs, LIMITS))]) {
    const levels = reached(reader.vectors('v')!);
    assert.ok(levels.length > 1);
    assert.deepEqual(
      levels.map((level) => level.reached),
      levels.map(({ nodes }) => nodes),
    );
  }
});

test('rows beyond the memory for one graph get several, and whole ones are kept by a merge', async () => {
  const limits = { rowsMin: 50, bytesMax: 300 * 64 };
  const reader = open(await merged([plainVectors(LAYOUT, from(0, 800))], limits));
  const column = reader.vectors('v')!;
  const sizes = column.graphs!.map(({ first, rows }) => [first, rows]);
  assert.ok(sizes.length > 3, JSON.stringify(sizes));
  assert.equal(
    column.graphs!.reduce((next, { first, rows }) => (first === next ? first + rows : -1), 0),
    800,
  );
  assert.ok(recall(column, 40) > 0.95);
  const copy = open(await merged([{ reader, live: null, maxDoc: 800 }], limits)).vectors('v')!;
  assert.deepEqual(
    copy.graphs!.map(({ first, rows }) => [first, rows]),
    sizes,
  );
});

test('a damaged graph is refused', async () => {
  const memory = await merged([plainVectors(LAYOUT, from(0, 300))], LIMITS);
  const source = memory.source('s');
  const damaged = (damage: (chunk: Uint8Array) => Uint8Array): VectorColumn =>
    openSegment({
      ...source,
      chunk: (part, i) => (part === 'graphs' ? damage(source.chunk(part, i).slice()) : source.chunk(part, i)),
    }).vectors('v')!;
  const query = encodeVector(vectorOf(1), LAYOUT);
  for (const damage of [
    (chunk: Uint8Array) => chunk.fill(255),
    (chunk: Uint8Array) => chunk.subarray(0, 20),
    (chunk: Uint8Array) => chunk.subarray(0, 4),
  ])
    assert.throws(() => walked(damaged(damage), query, 20), { type: 'corrupt_index_exception' });
});

test('making a graph pauses after every few nodes', async () => {
  let pauses = 0;
  await mergeSegments([plainVectors(LAYOUT, from(0, 900))], memorySegment(), {
    graphs: LIMITS,
    pause: () => void pauses++,
  });
  assert.ok(pauses > 15, `${pauses} pauses`);
});

/** Written by the first writer of version 3: 120 quantised vectors and their graph. */
const GOLDEN = new URL('../../golden/v3/segment.bin', import.meta.url);

test('a segment of format version 3 is read', () => {
  const parts = decodeValue(fs.readFileSync(GOLDEN)) as Record<string, Uint8Array[]>;
  const memory = memorySegment();
  for (const [part, chunks] of Object.entries(parts)) for (const chunk of chunks) void memory.write(part, chunk);
  const column = open(memory).vectors('v')!;
  assert.deepEqual(column.layout.graph, { m: 4, efConstruction: 40, confidence: 0.99 });
  assert.deepEqual([column.graphs!.length, column.graphs![0]!.rows, column.graphs![0]!.m], [1, 120, 4]);
  assert.equal(walked(column, encodeVector(vectorOf(17), column.layout), 20)[0]!.row, 17);
});
