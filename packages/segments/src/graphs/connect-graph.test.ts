import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { connectGraph } from './connect-graph.js';
import { GraphBuilder } from './graph-builder.js';
import { RowMemory } from './row-memory.js';

const DIMS = 8;

function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

function memoryOf(rows: readonly (readonly number[])[]): RowMemory {
  const memory = new RowMemory({ dims: DIMS, element: 'float', isDistance: true }, rows.length);
  rows.forEach((row, i) => memory.set(i, new Uint8Array(Float32Array.from(row).buffer), 1));
  return memory;
}

/** Links of each node of a level. */
function linksOn(graph: GraphBuilder, rows: number, level: number): Map<number, number[]> {
  const links = new Map<number, number[]>();
  const into = new Int32Array(256);
  for (let node = 0; node < rows; node++)
    if (graph.levelOf(node) >= level) links.set(node, [...into.subarray(0, graph.neighbours(node, level, into))]);
  return links;
}

function reachedFrom(start: number, links: ReadonlyMap<number, readonly number[]>): number {
  const reached = new Set([start]);
  for (const node of reached) for (const next of links.get(node)!) reached.add(next);
  return reached.size;
}

function reversed(links: ReadonlyMap<number, readonly number[]>): Map<number, number[]> {
  const back = new Map<number, number[]>([...links.keys()].map((node) => [node, []]));
  for (const [node, own] of links) for (const next of own) back.get(next)!.push(node);
  return back;
}

/** Checks that on each level every node is reached from every other one, and returns all links. */
function checked(graph: GraphBuilder, rows: number, m: number): Map<number, number[]>[] {
  const levels = Array.from({ length: graph.topLevel + 1 }, (_, level) => linksOn(graph, rows, level));
  for (const [level, links] of levels.entries()) {
    assert.equal(reachedFrom(graph.entry, links), links.size, `nodes of level ${level} reached from the entry`);
    assert.equal(reachedFrom(graph.entry, reversed(links)), links.size, `nodes of level ${level} that lead to it`);
    for (const [node, own] of links) {
      assert.ok(own.length <= (level === 0 ? 2 * m : m), `${own.length} links`);
      assert.ok(new Set(own).size === own.length && !own.includes(node), `links of ${node}: ${own.join(' ')}`);
    }
  }
  return levels;
}

/** Groups of equal or nearly equal rows far from each other, one group after the other. */
function groups(count: number, each: number, spread: number, seed: number): number[][] {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => Array.from({ length: DIMS }, () => 1000 * random())).flatMap((centre) =>
    Array.from({ length: each }, () => centre.map((value) => value + spread * random())),
  );
}

for (const [name, rows] of [
  ['one cloud', groups(1, 1500, 1, 3)],
  ['clouds far from each other', groups(30, 50, 1, 5)],
  ['groups of equal rows', groups(25, 60, 0, 7)],
] as const)
  for (const m of [2, 8])
    test(`every node of each level is reached from every other one: ${name}, m ${m}`, async () => {
      const built = async (): Promise<GraphBuilder> => {
        const graph = new GraphBuilder(memoryOf(rows), rows.length, { m, efConstruction: 40 });
        for (let row = 0; row < rows.length; row++) graph.insert(row);
        await connectGraph(graph, rows.length, m, () => undefined);
        return graph;
      };
      const graph = await built();
      const links = checked(graph, rows.length, m);
      assert.deepEqual(checked(await built(), rows.length, m), links);
      assert.equal(await connectGraph(graph, rows.length, m, () => undefined), 0);
      assert.deepEqual(checked(graph, rows.length, m), links);
    });

test('graphs with any links become connected, without more links than allowed', async () => {
  const given = fc.record({
    seed: fc.integer(),
    m: fc.integer({ min: 1, max: 4 }),
    rows: fc.integer({ min: 1, max: 80 }),
    share: fc.constantFrom(0, 0.3, 1),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ seed, m, rows, share }) => {
      const random = randomOf(seed);
      const memory = memoryOf(Array.from({ length: rows }, () => Array.from({ length: DIMS }, random)));
      const graph = new GraphBuilder(memory, rows, { m, efConstruction: 10 });
      for (let row = 0; row < rows; row++) graph.place(row, Math.floor(random() * random() * 4));
      for (let level = 0; level <= graph.topLevel; level++) {
        const nodes = [...linksOn(graph, rows, level).keys()];
        for (const node of nodes) {
          const limit = Math.ceil((level === 0 ? 2 * m : m) * share);
          const others = nodes.filter((other) => other !== node).sort((a, b) => (a ^ seed) - (b ^ seed));
          const from = Math.floor(random() * others.length);
          const links = Int32Array.from(others.slice(from, from + limit));
          graph.setLinks(node, level, links, links.length);
        }
      }
      await connectGraph(graph, rows, m, () => undefined);
      checked(graph, rows, m);
    }),
    { numRuns: 300 },
  );
});
