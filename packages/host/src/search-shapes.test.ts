import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SearchSource, sourceOf } from '@shoal/shard';
import { shapeOf } from './search-shapes.js';

const shape = (body: unknown): ReturnType<typeof shapeOf> => shapeOf(sourceFor(body));
const sourceFor = (body: unknown): SearchSource =>
  sourceOf({ options: new Uint8Array(0), body: Buffer.from(JSON.stringify(body)) }, null);

test('searches that differ in values have one shape, those that differ in fields or sizes do not', () => {
  const terms = (field: string, size: number) => ({ size: 0, aggs: { t: { terms: { field, size } } } });
  const match = (text: string) => ({ query: { match: { description: text } } });
  assert.equal(shape(match('a')).text, shape(match('some other words')).text);
  assert.equal(shape(terms('a', 9)).text, shape(terms('a', 10)).text);
  assert.notEqual(shape(terms('a', 10)).text, shape(terms('b', 10)).text);
  assert.notEqual(shape(terms('a', 10)).text, shape(terms('a', 10_000)).text);
});

test('a search that looks at every match is told from one for the best hits', () => {
  assert.equal(shape({ query: { match_all: {} } }).isExhaustive, false);
  assert.equal(shape({ sort: [{ n: 'asc' }] }).isExhaustive, true);
  assert.equal(shape({ size: 0, aggs: { a: { avg: { field: 'n' } } } }).isExhaustive, true);
});

test('searches with scripts, stored queries, runtime fields or a profile stay on the thread of their shard', () => {
  const stays = [
    { query: { script_score: { query: { match_all: {} }, script: '1' } } },
    { sort: { _script: { type: 'number', script: '1' } } },
    { script_fields: { a: { script: '1' } } },
    { aggs: { a: { scripted_metric: { init_script: '', map_script: '', combine_script: '', reduce_script: '' } } } },
    { aggs: { a: { avg: { field: 'n', script: '1' } } } },
    { query: { percolate: { field: 'q', document: {} } } },
    { runtime_mappings: { r: { type: 'long' } } },
    { profile: true },
    { query: { terms: { n: Array.from({ length: 500 }, (_, i) => i) } } },
  ];
  for (const body of stays) assert.equal(shape(body).isMovable, false, JSON.stringify(body).slice(0, 80));
  const moves = [
    { query: { match: { description: 'script' } } },
    { aggs: { a: { terms: { field: 'subscription' } } } },
  ];
  for (const body of moves) assert.equal(shape(body).isMovable, true, JSON.stringify(body));
});
