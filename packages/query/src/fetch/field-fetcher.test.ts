import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';
import { fieldFetcher } from './field-fetcher.js';

const { mapping } = await searchFixture({ mapping: { a: { type: 'keyword' } }, documents: [{ a: 'x' }] });
const patterns = (names: readonly string[]): Parameters<typeof fieldFetcher>[0] =>
  names.map((field) => ({ field, format: null, includeUnmapped: false }));

test('a pattern that comes many times is looked up once', () => {
  const fetch = fieldFetcher(patterns(new Array<string>(100_000).fill('a*')), mapping, null);
  assert.deepEqual(fetch({ a: 'x' }, () => []).fields, { a: ['x'] });
});

test('more than 256 different patterns are refused, names are not', () => {
  const names = Array.from({ length: 1000 }, (_, i) => `a${i}`);
  assert.doesNotThrow(() => fieldFetcher(patterns(names), mapping, null));
  assert.throws(() => fieldFetcher(patterns(names.map((name) => `${name}*`)), mapping, null), {
    type: 'illegal_argument_exception',
    reason: 'Trying to retrieve fields by too many patterns. Must be less than or equal to: [256] but was [1000]',
  });
});
