import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf } from '../../testing/section-table.js';

test('aggregations are parsed by what the context has for them, under either name', () => {
  assert.equal(searchOf({}).aggregations, null);
  assert.deepEqual(searchOf({ aggs: { a: {} } }).aggregations?.json, { a: {} });
  assert.deepEqual(searchOf({ aggregations: { b: {} } }).aggregations?.json, { b: {} });
  assert.deepEqual(searchOf({ aggregations: { b: {} }, aggs: { a: {} } }).aggregations?.json, { a: {} });
});

test('whether shards without a match are needed is for the aggregations to say', () => {
  const effects = (aggs: object): boolean[] => {
    const { gathersMore, needsAllShards } = searchOf({ aggs });
    return [gathersMore, needsAllShards];
  };
  assert.deepEqual(effects({ a: {} }), [true, false]);
  assert.deepEqual(effects({ global: {} }), [true, true]);
});
