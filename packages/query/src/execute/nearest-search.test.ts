import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryIndex } from '../testing/memory-index.js';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import { planQuery } from '../plan-query.js';
import type { Searcher } from '../searcher.js';
import { createWeight } from './weight.js';
import type { Preparation } from './weight-context.js';

const DIMS = 1024;
const COUNT = 700;
const vectorOf = (i: number): number[] => Array.from({ length: DIMS }, (_, j) => Math.sin(i * 31 + j * (1 + (i % 7))));
const index = memoryIndex({
  mapping: { v: { type: 'dense_vector', dims: DIMS, similarity: 'l2_norm' }, n: { type: 'long' } },
  documents: Array.from({ length: COUNT }, (_, i) => (i % 10 === 9 ? { n: i } : { v: vectorOf(i), n: i })),
  deleted: ['5', '43'],
});

/** Numbers of the nearest documents that a filter takes, by comparing all. */
function expected(query: readonly number[], k: number, takes: (i: number) => boolean): number[] {
  const distance = (i: number): number => vectorOf(i).reduce((sum, value, j) => sum + (value - query[j]!) ** 2, 0);
  const all = Array.from({ length: COUNT }, (_, i) => i).filter((i) => i % 10 !== 9 && i !== 4 && i !== 42 && takes(i));
  return all.sort((a, b) => distance(a) - distance(b)).slice(0, k);
}

function found(searcher: Searcher, body: object): { docs: number[]; steps: number } {
  const parsed = parseQuery({ knn: { field: 'v', num_candidates: 20, ...body } }, parseContext());
  const plan = planQuery(parsed, { searcher, now: () => 0, nestedPath: null, innerHits: [] });
  const preparations: Preparation[] = [];
  const weight = createWeight(plan, searcher, { needsScores: true, preparations });
  let steps = 1;
  for (const step of preparations) while (step()) steps++;
  const docs = new Int32Array(4096);
  const scores = new Float64Array(4096);
  const hits = searcher.segments.flatMap((view) => {
    const count = weight.matcher(view, true)?.window(0, view.maxDoc, docs, scores) ?? 0;
    return Array.from({ length: count }, (_, i) => ({ doc: view.docBase + docs[i]!, score: scores[i]! }));
  });
  return { docs: hits.sort((a, b) => b.score - a.score).map(({ doc }) => doc), steps };
}

test('a large segment is compared in steps, and gives the same as comparing every vector', async () => {
  const all = Array.from({ length: COUNT }, (_, i) => i);
  const query = vectorOf(12.5);
  const low = { range: { n: { lt: 100 } } };
  const high = { range: { n: { gte: 100 } } };
  for (const segments of [[all], [all.slice(0, 600), all.slice(600)]]) {
    const searcher = await index.searcher(segments);
    const { docs, steps } = found(searcher, { query_vector: query });
    assert.deepEqual(
      docs,
      expected(query, 20, () => true),
    );
    assert.ok(steps >= 3, `${steps} steps`);
    assert.deepEqual(
      found(searcher, { query_vector: query, filter: low }).docs,
      expected(query, 20, (i) => i < 100),
    );
    assert.deepEqual(
      found(searcher, { query_vector: query, filter: high }).docs,
      expected(query, 20, (i) => i >= 100),
    );
  }
});
