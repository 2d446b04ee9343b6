import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { GraphBuilder } from './graph-builder.js';
import { NearestRows } from './graph-walk.js';
import { NodeHeap } from './node-heap.js';
import { quantisationScale, quantise } from './quantise.js';
import { type RowForm, RowMemory } from './row-memory.js';

const whole = fc.integer({ min: -128, max: 127 });
const vectors = fc.integer({ min: 1, max: 70 }).chain((dims) => {
  const vector = fc.array(whole, { minLength: dims, maxLength: dims });
  return fc.record({
    element: fc.constantFrom('float' as const, 'byte' as const),
    query: vector,
    rows: fc.array(vector, { minLength: 1, maxLength: 6 }),
    byRow: fc.boolean(),
  });
});
type Given = typeof vectors extends fc.Arbitrary<infer T> ? T : never;

const bytesOf = (values: readonly number[], element: RowForm['element']): Uint8Array =>
  new Uint8Array(element === 'float' ? Float32Array.from(values).buffer : Int8Array.from(values).buffer);

function compared(isDistance: boolean) {
  return ({ element, query, rows, byRow }: Given): number[] => {
    const memory = new RowMemory({ dims: query.length, element, isDistance }, rows.length + 1);
    rows.forEach((row, i) => memory.set(i, bytesOf(row, element), 1));
    memory.set(rows.length, bytesOf(query, element), 1);
    if (byRow) memory.queryRow(rows.length);
    else memory.query(bytesOf(query, element), 1);
    const last = rows.length - 1;
    for (let i = 0; i <= last; i++) memory.list[i] = last - i;
    memory.nearness(rows.length);
    return [...memory.out.subarray(0, rows.length)].map((near) => near + 0).reverse();
  };
}

const plain =
  (of: (a: number, b: number) => number) =>
  ({ query, rows }: Given): number[] =>
    rows.map((row) => row.reduce((sum, value, i) => sum + of(query[i]!, value), 0) + 0);

kernelContract(
  'rows in memory are compared by their product',
  compared(false),
  plain((a, b) => a * b),
  vectors,
);
kernelContract(
  'rows in memory are compared by their squared distance',
  compared(true),
  plain((a, b) => -((a - b) ** 2)),
  vectors,
);

test('a heap gives nodes back in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 300 }), (values) => {
      for (const root of ['nearest', 'farthest'] as const) {
        const heap = new NodeHeap(root, 1);
        for (const [node, near] of values.entries()) heap.push(node, near);
        const out: number[] = [];
        for (; heap.size > 0; heap.pop()) {
          assert.equal(values[heap.node], heap.near);
          out.push(heap.near);
        }
        assert.deepEqual(
          out,
          [...values].sort((a, b) => (root === 'nearest' ? b - a : a - b)),
        );
      }
    }),
  );
});

test('the nearest rows are taken, with those that rounding may have put behind them', () => {
  const nearest = (): NearestRows => {
    const rows = new NearestRows(6, (row) => row !== 3);
    [0.5, 0.9, 0.90001, 0.99, 0.7, 0.89995, 0.2, 0.1].forEach((near, row) => rows.offer(row, near));
    return rows;
  };
  assert.deepEqual([...nearest().take()], [2, 1, 5, 4, 0, 6]);
  assert.deepEqual([...nearest().take(1)], [2, 1, 5]);
  assert.deepEqual([...nearest().take(4)], [2, 1, 5, 4]);
  assert.deepEqual([...nearest().take(7)], [2, 1, 5, 4, 0, 6]);
});

const DIMS = 16;

/** Vectors around some centres, as texts of a few subjects have. */
function cluster(count: number, seed: number): Float32Array {
  const values = new Float32Array(count * DIMS);
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  };
  const centres = Float32Array.from({ length: 20 * DIMS }, random);
  for (let i = 0; i < count; i++) {
    const centre = i % 20;
    for (let d = 0; d < DIMS; d++) values[i * DIMS + d] = centres[centre * DIMS + d]! + random() * 0.7;
  }
  return values;
}

function builtOver(values: Float32Array, isDistance: boolean): { memory: RowMemory; builder: GraphBuilder } {
  const count = values.length / DIMS;
  const memory = new RowMemory({ dims: DIMS, element: 'float', isDistance }, count);
  for (let i = 0; i < count; i++) memory.set(i, new Uint8Array(values.buffer, i * DIMS * 4, DIMS * 4), 1);
  const builder = new GraphBuilder(memory, count, { m: 8, efConstruction: 60 });
  for (let i = 0; i < count; i++) builder.insert(i);
  return { memory, builder };
}

function nearestOf(memory: RowMemory, count: number, k: number): number[] {
  for (let i = 0; i < count; i++) memory.list[i] = i;
  memory.nearness(count);
  const near = memory.out.slice(0, count);
  return Array.from({ length: count }, (_, i) => i)
    .sort((a, b) => near[b]! - near[a]!)
    .slice(0, k);
}

test('a graph finds nearly all nearest neighbours, and more with more candidates', () => {
  for (const isDistance of [false, true]) {
    const { memory, builder } = builtOver(cluster(2000, 7), isDistance);
    const queries = cluster(40, 8);
    const recallAt = (ef: number): number => {
      let hits = 0;
      for (let q = 0; q < 40; q++) {
        memory.query(new Uint8Array(queries.buffer, q * DIMS * 4, DIMS * 4), 1);
        const expected = new Set(nearestOf(memory, 2000, 10));
        const nodes = new Int32Array(10);
        const count = builder.search(ef, nodes, new Float32Array(10));
        for (let i = 0; i < count; i++) if (expected.has(nodes[i]!)) hits++;
      }
      return hits / 400;
    };
    const few = recallAt(10);
    const many = recallAt(100);
    assert.ok(many > 0.9, `recall ${many}`);
    assert.ok(few < many, `recall ${few}, then ${many}`);
  }
});

test('the same rows give the same graph, with no more links than allowed', () => {
  const values = cluster(800, 3);
  const [one, two] = [builtOver(values, true).builder, builtOver(values, true).builder];
  const links = (graph: GraphBuilder, node: number, level: number): number[] => {
    const into = new Int32Array(64);
    return [...into.subarray(0, graph.neighbours(node, level, into))];
  };
  assert.equal(one.entry, two.entry);
  for (let node = 0; node < 800; node++) {
    assert.equal(one.levelOf(node), two.levelOf(node));
    for (let level = 0; level <= one.levelOf(node); level++) {
      const own = links(one, node, level);
      assert.deepEqual(own, links(two, node, level));
      assert.ok(own.length <= (level === 0 ? 16 : 8) && new Set(own).size === own.length && !own.includes(node));
    }
  }
});

test('bytes hold the share of elements that is asked for, and cut off the others', () => {
  const elements = Float32Array.from({ length: 100 }, (_, i) => i + 1);
  assert.equal(quantisationScale(elements.slice(), 1), 100 / 127);
  assert.equal(quantisationScale(elements.slice(), 0.9), Math.fround(90) / 127);
  assert.equal(quantisationScale(new Float32Array(4), 0.9), 1);
  const bytes = new Int8Array(4);
  quantise(Float32Array.of(1, -2, 300, -300), 4, 1, bytes);
  assert.deepEqual([...bytes], [1, -2, 127, -127]);
});
