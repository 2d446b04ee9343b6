import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryIndex } from '@shoal/query/testing';
import { parseAggregations } from '../parse/parse-tree.js';
import { aggregationFixture } from '../testing/aggregation-fixture.js';
import { fittingDocs } from './fan-out.js';

const options = {
  mapping: {
    v: { type: 'long' },
    k: { type: 'keyword' },
    g: { type: 'geo_point' },
    one: { type: 'long' },
    o: { type: 'nested', properties: { n: { type: 'long' } } },
  },
  documents: [1, 1, 1, 5, 60, 60, 60, 150].map((count, i) => ({
    v: Array.from({ length: count }, (_, j) => j % 75),
    k: Array.from({ length: count }, (_, j) => `k${j % 70}`),
    g: Array.from({ length: count }, (_, j) => [j % 90, j % 45]),
    one: i,
    ...(i > 0 ? { o: Array.from({ length: count }, (_, j) => ({ n: j % 3 })) } : {}),
  })),
} as const;

const searcher = await memoryIndex(options).searcher([[0, 1, 2, 3, 4, 5, 6, 7]]);
const view = searcher.segments[0]!;
const roots = Int32Array.from({ length: view.maxDoc }, (_, doc) => doc).filter(
  (doc) => view.reader.roots === null || view.reader.roots.get(doc),
);

/** How many documents of the index fit at a time. */
function pieces(aggs: object): number[] | null {
  const { nodes } = parseAggregations(aggs, { aggs }, { maxNestedDepth: 30, allowExpensiveQueries: true });
  const fits = fittingDocs(nodes, view);
  if (fits === null) return null;
  const sizes: number[] = [];
  for (let at = 0; at < roots.length; at += sizes.at(-1)!) {
    const rest = roots.subarray(at);
    sizes.push(fits(rest, rest.length));
  }
  return sizes;
}

const terms = (field: string, below?: object): object => ({
  a: { terms: { field, size: 1 }, ...(below === undefined ? {} : { aggs: below }) },
});
const ranges = (count: number, below?: object): object => ({
  a: {
    range: { field: 'one', ranges: Array.from({ length: count }, () => ({ from: -1 })) },
    ...(below === undefined ? {} : { aggs: below }),
  },
});

test('documents are collected by the buckets that their values put them into, in turns', () => {
  assert.equal(pieces(terms('one', terms('one', terms('one')))), null);
  assert.equal(pieces(terms('v', { m: { max: { field: 'v' } } })), null);
  assert.deepEqual(pieces(terms('v', terms('k'))), [8]);
  assert.deepEqual(pieces(terms('v', terms('k', terms('one')))), [8]);
  // 60 values in each of three levels are 219,660 buckets.
  assert.deepEqual(pieces(terms('v', terms('k', terms('g')))), [4, 1, 1, 1, 1]);
  assert.deepEqual(pieces({ a: { composite: { size: 10, sources: [{ v: { terms: { field: 'v' } } }] } } }), null);
  assert.deepEqual(pieces(ranges(500, ranges(100))), [3, 3, 2]);
  assert.deepEqual(pieces(ranges(1000, ranges(1000))), [1, 1, 1, 1, 1, 1, 1, 1]);
  assert.deepEqual(
    pieces({ a: { nested: { path: 'o' }, aggs: { b: { terms: { field: 'o.n' }, aggs: ranges(1000) } } } }),
    [7, 1],
  );
});

test('a document that is put into millions of buckets is refused, whatever the kinds of aggregations', async () => {
  const index = await aggregationFixture({ ...options, documents: options.documents.slice(7) });
  const refused = (buckets: number): string =>
    `illegal_argument_exception: The values of a document put it into [${buckets}] buckets of nested aggregations, ` +
    'more than [2000000]';
  await index.refuses([
    [{ multi_terms: { terms: ['v', 'k', 'v', 'k'].map((field) => ({ field })) } }, refused(27_562_500)],
    [ranges(1000, ranges(1000, ranges(1000)))['a' as never], refused(1_001_001_000)],
  ]);
});
