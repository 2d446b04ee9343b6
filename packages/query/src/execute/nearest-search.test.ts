import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryIndex } from '../testing/memory-index.js';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import { planQuery } from '../plan-query.js';
import { profileQuery } from '../profile-plan.js';
import type { Searcher } from '../searcher.js';
import { NearestSearch } from './nearest-search.js';
import type { PlanOf } from './plan-of.js';
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

const GRAPH_COUNT = 3000;
const GRAPH_DIMS = 24;
const pointOf = (i: number): number[] =>
  Array.from(
    { length: GRAPH_DIMS },
    (_, j) => Math.sin(i * 12.9898 + j * 78.233 * (1 + (i % 11))) + (j === i % 9 ? 2 : 0),
  );
const graphed = memoryIndex({
  mapping: {
    v: {
      type: 'dense_vector',
      dims: GRAPH_DIMS,
      similarity: 'l2_norm',
      index_options: { type: 'hnsw', m: 8, ef_construction: 80 },
    },
    n: { type: 'long' },
  },
  documents: Array.from({ length: GRAPH_COUNT }, (_, i) => ({ v: pointOf(i), n: i })),
  deleted: ['5', '43'],
  graphs: { rowsMin: 100, bytesMax: 1 << 24 },
});

/** A search through the steps of its preparations, and how it went. */
function searchGraphs(searcher: Searcher, body: object): { docs: number[]; report: NearestSearch['report'] } {
  const parsed = parseQuery({ knn: { field: 'v', num_candidates: 10, ...body } }, parseContext());
  const plan = planQuery(parsed, { searcher, now: () => 0, nestedPath: null, innerHits: [] });
  assert.equal(plan.kind, 'nearest');
  const { filter } = plan as PlanOf<'nearest'>;
  const weight = filter === null ? null : createWeight(filter, searcher, { needsScores: false });
  const search = new NearestSearch(plan as PlanOf<'nearest'>, weight, searcher);
  const docs = searcher.segments.flatMap((view) => {
    const found = search.found(view);
    return found === null
      ? []
      : [...found.docs].map((doc, i) => ({ doc: view.docBase + doc, score: found.scores[i]! }));
  });
  return { docs: docs.sort((a, b) => b.score - a.score).map(({ doc }) => doc), report: search.report };
}

function nearestPoints(query: readonly number[], k: number, takes: (i: number) => boolean): number[] {
  const distance = (i: number): number => pointOf(i).reduce((sum, value, j) => sum + (value - query[j]!) ** 2, 0);
  const all = Array.from({ length: GRAPH_COUNT }, (_, i) => i).filter((i) => i !== 4 && i !== 42 && takes(i));
  const distances = new Map(all.map((i) => [i, distance(i)]));
  return all.sort((a, b) => distances.get(a)! - distances.get(b)!).slice(0, k);
}

const shareOf = (found: readonly number[], expected: readonly number[]): number =>
  expected.filter((doc) => found.includes(doc)).length / expected.length;

test('a walk through a graph compares fewer vectors, and finds nearly all of the nearest', async () => {
  const searcher = await graphed.searcher([Array.from({ length: GRAPH_COUNT }, (_, i) => i)]);
  let share = 0;
  for (let q = 0; q < 20; q++) {
    const query = pointOf(50_000 + q);
    const { docs, report } = searchGraphs(searcher, { query_vector: query, num_candidates: 25 });
    assert.deepEqual([report.walkedSegments, report.exactSegments, report.candidates], [1, 0, 25]);
    assert.ok(report.compared < GRAPH_COUNT / 2, `${report.compared} compared`);
    assert.ok(report.recall! > 0.5 && report.recall! <= 1);
    share +=
      shareOf(
        docs.slice(0, 10),
        nearestPoints(query, 10, () => true),
      ) / 20;
  }
  assert.ok(share > 0.85, `recall ${share}`);
});

test('a wide filter is applied on the walk, a narrow one leaves vectors that are all compared', async () => {
  const searcher = await graphed.searcher([Array.from({ length: GRAPH_COUNT }, (_, i) => i)]);
  const query = pointOf(50_001);
  const wide = searchGraphs(searcher, { query_vector: query, filter: { range: { n: { gte: 300 } } } });
  assert.equal(wide.report.walkedSegments, 1);
  assert.ok(wide.docs.every((doc) => doc >= 300) && wide.docs.length === 10);
  const narrow = searchGraphs(searcher, { query_vector: query, filter: { range: { n: { lt: 60 } } } });
  assert.deepEqual([narrow.report.walkedSegments, narrow.report.exactSegments, narrow.report.recall], [0, 1, 1]);
  assert.deepEqual(
    narrow.docs,
    nearestPoints(query, 10, (i) => i < 60),
  );
});

/** Documents of a share of all, spread over them as if by chance. */
const sampled = (i: number, share: number): boolean => (Math.imul(i + 1, 0x9e3779b1) >>> 8) / 2 ** 24 < share;
const shared = memoryIndex({
  mapping: {
    v: { type: 'dense_vector', dims: GRAPH_DIMS, similarity: 'l2_norm' },
    half: { type: 'boolean' },
    twentieth: { type: 'boolean' },
    few: { type: 'boolean' },
  },
  documents: Array.from({ length: GRAPH_COUNT }, (_, i) => ({
    v: pointOf(i),
    half: sampled(i, 0.5),
    twentieth: sampled(i, 0.05),
    few: sampled(i, 0.005),
  })),
  deleted: Array.from({ length: GRAPH_COUNT }, (_, i) => i)
    .filter((i) => i % 4 === 1)
    .map((i) => String(i + 1)),
  graphs: { rowsMin: 100, bytesMax: 1 << 24 },
});

/** Least recall of the ten nearest, over queries, that searches with a filter have to reach with these candidates. */
const FLOORS: readonly (readonly [filter: string | null, share: number, candidates: number, floor: number])[] = [
  [null, 1, 10, 0.75],
  [null, 1, 50, 0.99],
  [null, 1, 100, 0.99],
  ['half', 0.5, 10, 0.93],
  ['half', 0.5, 50, 0.99],
  ['twentieth', 0.05, 10, 1],
  ['twentieth', 0.05, 50, 1],
  ['few', 0.005, 10, 1],
];

test('searches with and without filters reach a recall among the documents that are left', async () => {
  const searcher = await shared.searcher([Array.from({ length: GRAPH_COUNT }, (_, i) => i)]);
  for (const [filter, share, candidates, floor] of FLOORS) {
    const takes = (i: number): boolean => i % 4 !== 1 && sampled(i, share);
    let recall = 0;
    for (let q = 0; q < 30; q++) {
      const query = pointOf(70_000 + q);
      const body = { query_vector: query, num_candidates: candidates };
      const { docs } = searchGraphs(
        searcher,
        filter === null ? body : { ...body, filter: { term: { [filter]: true } } },
      );
      const expected = nearestPoints(query, 10, takes);
      assert.ok(docs.every(takes), 'deleted documents and those that the filter refuses are not found');
      assert.ok(docs.length >= expected.length);
      recall += shareOf(docs.slice(0, 10), expected) / 30;
    }
    assert.ok(recall >= floor - 1e-9, `filter ${filter}, ${candidates} candidates: recall ${recall}`);
  }
});

test('all vectors are compared on demand, or with more candidates than a walk is good for', async () => {
  const searcher = await graphed.searcher([Array.from({ length: GRAPH_COUNT }, (_, i) => i)]);
  const query = pointOf(50_002);
  for (const body of [{ exact: true }, { num_candidates: GRAPH_COUNT }]) {
    const { docs, report } = searchGraphs(searcher, { query_vector: query, ...body });
    assert.deepEqual([report.walkedSegments, report.recall], [0, 1]);
    assert.deepEqual(
      docs.slice(0, 10),
      nearestPoints(query, 10, () => true),
    );
  }
});

test('a profile shows how many vectors were compared, and the estimated recall', async () => {
  const searcher = await graphed.searcher([Array.from({ length: GRAPH_COUNT }, (_, i) => i)]);
  const body = { field: 'v', query_vector: pointOf(50_004), num_candidates: 10 };
  const context = { searcher, now: () => 0, nestedPath: null, innerHits: [] };
  const plan = planQuery(parseQuery({ knn: body }, parseContext()), context);
  const { json } = profileQuery(plan, searcher, {
    check: () => false,
    sliceOver: () => false,
    yield: async () => {},
    charge: () => {},
  });
  const debug = json['debug'] as Record<string, number>;
  assert.deepEqual([debug['segments_walked'], debug['segments_exact'], debug['num_candidates']], [1, 0, 10]);
  assert.ok(debug['vectors_compared']! > 10 && debug['estimated_recall']! > 0.5);
});

test('of a narrow filter only the vectors that it takes are compared', async () => {
  const all = Array.from({ length: GRAPH_COUNT }, (_, i) => i);
  const query = pointOf(77.5);
  for (const segments of [[all], [all.slice(0, 2000), all.slice(2000)]]) {
    const searcher = await graphed.searcher(segments);
    const { docs, report } = searchGraphs(searcher, {
      query_vector: query,
      filter: { range: { n: { gte: 1990, lt: 2020 } } },
    });
    assert.deepEqual(
      docs,
      nearestPoints(query, 10, (i) => i >= 1990 && i < 2020),
    );
    assert.equal(report.compared, 30);
  }
});

test('a wanted recall chooses the candidates of each segment, and a higher one more of them', async () => {
  const all = Array.from({ length: GRAPH_COUNT }, (_, i) => i);
  const searcher = await graphed.searcher([all.slice(0, 2500), all.slice(2500)]);
  const query = pointOf(50_003);
  const low = searchGraphs(searcher, { query_vector: query, recall: 0.6 });
  const high = searchGraphs(searcher, { query_vector: query, recall: 0.999 });
  assert.ok(low.report.recall! >= 0.6, `${low.report.recall}`);
  assert.ok(high.report.recall! >= 0.999, `${high.report.recall}`);
  assert.ok(low.report.compared < high.report.compared, JSON.stringify([low.report, high.report]));
});

const PASSAGES = 3;
const passageOf = (i: number, passage: number): number[] => pointOf(i * PASSAGES + passage);
const nested = memoryIndex({
  mapping: {
    p: {
      type: 'nested',
      properties: { v: { type: 'dense_vector', dims: GRAPH_DIMS, similarity: 'l2_norm' } },
    },
    n: { type: 'long' },
  },
  documents: Array.from({ length: GRAPH_COUNT / PASSAGES }, (_, i) => ({
    p: Array.from({ length: PASSAGES }, (__, passage) => ({ v: passageOf(i, passage) })),
    n: i,
  })),
  graphs: { rowsMin: 100, bytesMax: 1 << 24 },
});

test('a walk finds the best nested object of each document, with and without a filter of documents', async () => {
  const searcher = await nested.searcher([Array.from({ length: nested.documentCount }, (_, i) => i)]);
  for (const [filter, least] of [
    [[], 0],
    [[{ range: { n: { gte: 200 } } }], 200],
  ] as const) {
    let share = 0;
    for (let q = 0; q < 10; q++) {
      const query = pointOf(60_000 + q);
      const { docs, report } = searchGraphs(searcher, { field: 'p.v', query_vector: query, filter });
      assert.equal(report.walkedSegments, 1);
      // A document has its passages before it: four numbers each.
      const roots = docs.map((doc) => Math.floor(doc / (PASSAGES + 1)));
      assert.equal(new Set(roots).size, 10);
      const distance = (i: number, passage: number): number =>
        passageOf(i, passage).reduce((sum, value, j) => sum + (value - query[j]!) ** 2, 0);
      const best = Array.from({ length: nested.documentCount }, (_, i) => i)
        .filter((i) => i >= least)
        .map((i) => ({ i, at: Math.min(...[0, 1, 2].map((passage) => distance(i, passage))) }))
        .sort((a, b) => a.at - b.at)
        .slice(0, 10);
      share += shareOf(
        roots,
        best.map(({ i }) => i),
      );
    }
    assert.ok(share > 8, `recall ${share / 10}`);
  }
});

test('of a narrow filter of documents only the nested objects of these are compared', async () => {
  const searcher = await nested.searcher([Array.from({ length: nested.documentCount }, (_, i) => i)]);
  const query = pointOf(60_011);
  const filter = { range: { n: { gte: 200, lt: 230 } } };
  const { docs, report } = searchGraphs(searcher, { field: 'p.v', query_vector: query, filter });
  const distance = (i: number): number =>
    Math.min(
      ...[0, 1, 2].map((passage) => passageOf(i, passage).reduce((sum, value, j) => sum + (value - query[j]!) ** 2, 0)),
    );
  const best = Array.from({ length: 30 }, (_, i) => 200 + i).sort((a, b) => distance(a) - distance(b));
  assert.deepEqual(
    docs.map((doc) => Math.floor(doc / (PASSAGES + 1))),
    best.slice(0, 10),
  );
  assert.equal(report.compared, 30 * PASSAGES);
});
