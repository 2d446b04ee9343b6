import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CALL, fakeCoordinator, stateWith } from '../fake-cluster.js';

const SHARDS = [['n1']];
const mapping = (properties: Record<string, unknown>) => ({ properties });
const ask = (
  names: readonly (readonly [name: string, properties: Record<string, unknown>])[],
  signal = CALL.signal,
) => {
  const state = stateWith(names.map(([name, properties]) => ({ name, shards: SHARDS, mapping: mapping(properties) })));
  const indices = [...state.indices.values()].map((index) => ({ index, limits: null }));
  const request = { fields: ['*'], includeUnmapped: true, filters: ['-metadata'], types: [], runtimeMappings: null };
  return fakeCoordinator(state, {}).fieldCaps(indices, request, { ...CALL, signal });
};

test('indices are named in order where their fields differ, also those with equal mappings', async () => {
  const [one, other] = [{ v: { type: 'long' }, only: { type: 'date' } }, { v: { type: 'keyword', doc_values: false } }];
  const { indices, fields } = await ask([
    ['d', other],
    ['c', one],
    ['b', { ...other, v: { type: 'keyword' } }],
    ['a', one],
  ]);
  const plain = { metadata_field: false, searchable: true, aggregatable: true };
  assert.deepEqual(indices, ['a', 'b', 'c', 'd']);
  assert.deepEqual(fields, {
    v: {
      long: { type: 'long', ...plain, indices: ['a', 'c'] },
      keyword: {
        type: 'keyword',
        ...plain,
        aggregatable: false,
        indices: ['b', 'd'],
        non_aggregatable_indices: ['d'],
      },
    },
    only: {
      date: { type: 'date', ...plain, indices: ['a', 'c'] },
      unmapped: {
        type: 'unmapped',
        metadata_field: false,
        searchable: false,
        aggregatable: false,
        indices: ['b', 'd'],
      },
    },
  });
});

test('many fields of many mappings are looked at in turns, which end when the caller has gone', async () => {
  const gone = new AbortController();
  const fields = (i: number) =>
    Object.fromEntries(Array.from({ length: 400 }, (_, k) => [`f_${k}`, { type: k === i ? 'long' : 'keyword' }]));
  const names = Array.from({ length: 40 }, (_, i) => [`i-${i}`, fields(i)] as const);
  const state = stateWith(names.map(([name, properties]) => ({ name, shards: SHARDS, mapping: mapping(properties) })));
  const coordinator = fakeCoordinator(state, {});
  let looks = 0;
  coordinator.clock.monotonic = () => looks++ * 10;
  const request = { fields: ['*'], includeUnmapped: false, filters: [], types: [], runtimeMappings: null };
  const indices = [...state.indices.values()].map((index) => ({ index, limits: null }));
  const answer = coordinator.fieldCaps(indices, request, { ...CALL, signal: gone.signal });
  gone.abort(new Error('gone'));
  await assert.rejects(answer, /gone/);
  assert.ok(looks < 10, `${looks}`);
});
