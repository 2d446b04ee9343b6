import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import type { Progress } from '../searcher.js';
import { FIXTURE_NOW_MS, memoryIndex } from '../testing/memory-index.js';
import { fetchHits, parseHitsRequest } from './fetch-hits.js';

const index = memoryIndex({
  mapping: {
    j: { type: 'join', relations: { q: ['a', 'c'], a: 'v' } },
    n: { type: 'integer' },
    k: { type: 'keyword' },
    t: { type: 'text' },
  },
  routing: '1',
  documents: [
    { j: 'q' },
    { n: 3, k: 'z', t: 'fox', j: { name: 'a', parent: '1' } },
    { n: 4, k: 'x', t: 'fox fox', j: { name: 'a', parent: '1' } },
    { n: 5, k: 'y', t: 'hen', j: { name: 'a', parent: '1' } },
    { n: 6, j: { name: 'c', parent: '1' } },
    { n: 7, j: { name: 'v', parent: '2' } },
    { n: 8, k: 'w', t: 'fox', j: { name: 'a', parent: '1' } },
  ],
  deleted: ['7'],
});
const progress: Progress = { check: () => false, sliceOver: () => false, yield: () => Promise.resolve() };

/** Inner hits of one document: `id:sort or score` of each, behind the total. */
async function innerHits(query: object, doc: number): Promise<Record<string, string[]>> {
  // Children lie in several segments, whose terms have other ordinals.
  const searcher = await index.searcher([
    [0, 1],
    [2, 6],
    [3, 4, 5],
  ]);
  const request = { ...parseHitsRequest({ _source: false }, parseContext()), query: parseQuery(query, parseContext()) };
  const place = searcher.segments.flatMap(({ docBase, maxDoc }) =>
    Array.from({ length: maxDoc }, (_, i) => docBase + i),
  );
  const global = place.find((at) => searcher.stored(at).id === String(doc))!;
  const docs = Int32Array.of(global);
  const hits = { docs, scores: Float32Array.of(1), sortValues: null, nestedPath: null };
  const [hit] = await fetchHits(searcher, request, hits, {
    now: () => FIXTURE_NOW_MS,
    parse: parseContext(),
    progress,
  });
  const { inner_hits: inner } = JSON.parse(Buffer.from(hit!).toString()) as { inner_hits: Record<string, Inner> };
  return Object.fromEntries(
    Object.entries(inner).map(([name, { hits: page }]) => [
      name,
      [
        `${page.total.value} ${page.max_score === null ? 'null' : page.max_score.toFixed(2)}`,
        ...page.hits.map(({ _id, _score, sort }) => `${_id}:${sort?.join() ?? _score?.toFixed(2)}`),
      ],
    ]),
  );
}
interface Inner {
  readonly hits: {
    readonly total: { readonly value: number };
    readonly max_score: number | null;
    readonly hits: readonly { readonly _id: string; readonly _score: number | null; readonly sort?: unknown[] }[];
  };
}

const child = (inner: object, query: object = { match_all: {} }): object => ({
  has_child: { type: 'a', query, inner_hits: inner },
});

test('inner hits of has_child are the matching children of the hit, over all segments', async () => {
  assert.deepEqual(await innerHits(child({}), 1), { a: ['3 1.00', '2:1.00', '3:1.00', '4:1.00'] });
  assert.deepEqual(await innerHits(child({ name: 'x', size: 1, from: 1 }), 1), { x: ['3 1.00', '3:1.00'] });
  assert.deepEqual(await innerHits(child({}, { match: { t: 'fox' } }), 1), { a: ['2 0.42', '3:0.42', '2:0.39'] });
  assert.deepEqual(await innerHits(child({}), 5), { a: ['0 null'] });
});

test('inner hits of has_child are sorted by terms of several segments', async () => {
  assert.deepEqual(await innerHits(child({ sort: ['k'] }), 1), { a: ['3 null', '3:x', '4:y', '2:z'] });
  assert.deepEqual(await innerHits(child({ sort: [{ n: 'desc' }], size: 2 }), 1), { a: ['3 null', '4:5', '3:4'] });
  assert.deepEqual(await innerHits(child({ sort: ['k'], size: 0 }), 1), { a: ['3 null'] });
  // A key by score sorts, and shows scores as sort values only.
  assert.deepEqual(await innerHits(child({ sort: ['k', '_score'] }), 1), { a: ['3 null', '3:x,1', '4:y,1', '2:z,1'] });
});

test('inner hits of has_parent are the parent of the hit', async () => {
  const query = (parentType: string): object => ({
    has_parent: { parent_type: parentType, query: { match_all: {} }, inner_hits: {} },
  });
  assert.deepEqual(await innerHits(query('q'), 3), { q: ['1 1.00', '1:1.00'] });
  assert.deepEqual(await innerHits(query('a'), 6), { a: ['1 1.00', '2:1.00'] });
});
