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

const formats = await searchFixture({
  mapping: {
    k: { type: 'keyword' },
    p: { type: 'geo_point' },
    d: { type: 'date' },
    f: { type: 'flattened', null_value: 'nil' },
  },
  documents: [],
});

/** Texts are those of Elasticsearch 8.12.0. */
test('formats are refused once there is a document, whether it has a value or not', () => {
  const fetch = (field: string, format: string) =>
    fieldFetcher([{ field, format, includeUnmapped: false }], formats.mapping, null);
  const refused = [
    ['k', 'yyyy', "error fetching [k]: Field [k] of type [keyword] doesn't support formats."],
    ['k*', 'yyyy', "error fetching [k] which matched [k*]: Field [k] of type [keyword] doesn't support formats."],
    ['f', 'yyyy', "error fetching [f]: Field [f] doesn't support formats."],
    ['p', 'wkb', 'error fetching [p]: Unrecognized geometry format [wkb].'],
    ['p', '', 'error fetching [p]: Unrecognized geometry format [].'],
  ] as const;
  for (const [field, format, reason] of refused) assert.throws(() => fetch(field, format)({}, () => []), { reason });
  const point = { p: { lat: 1, lon: 2 } };
  assert.deepEqual(fetch('p', 'wkt')(point, () => []).fields, { p: ['POINT (2.0 1.0)'] });
  assert.deepEqual(fetch('p', 'geojson')(point, () => []).fields, { p: [{ type: 'Point', coordinates: [2, 1] }] });
  assert.deepEqual(fetch('d', 'yyyy')({ d: '2024-02-01' }, () => []).fields, { d: ['2024'] });
});

test('each format is checked, though of several that name a field the last one counts', () => {
  const fetch = fieldFetcher(
    [
      { field: 'k', format: 'yyyy', includeUnmapped: false },
      { field: '*', format: null, includeUnmapped: false },
    ],
    formats.mapping,
    null,
  );
  assert.throws(() => fetch({}, () => []), { reason: /^error fetching \[k\]/ });
});

test('a null of a flattened field shows no null_value', () => {
  const fetch = fieldFetcher([{ field: '*', format: null, includeUnmapped: false }], formats.mapping, null);
  assert.deepEqual(fetch({ f: null, k: 'a' }, () => []).fields, { k: ['a'] });
});

test('columns of points and keywords take no format', () => {
  for (const [name, type] of [
    ['p', 'geo_point'],
    ['k', 'keyword'],
  ] as const)
    assert.throws(() => formats.mapping.field(name)!.format('wkt', null), {
      reason: `Field [${name}] of type [${type}] does not support custom formats`,
    });
});
