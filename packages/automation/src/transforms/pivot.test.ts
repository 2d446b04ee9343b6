import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pivotPage } from './pivot.js';
import { parseTransform } from './transform-config.js';

const config = (pivot: object, settings: object = {}): ReturnType<typeof parseTransform> =>
  parseTransform('t', { source: { index: 'a' }, dest: { index: 'b' }, pivot, settings });

const page = (given: ReturnType<typeof config>, ...buckets: readonly object[]): ReturnType<typeof pivotPage> =>
  pivotPage(
    { aggregations: { _transform: { buckets, after_key: { k: 'z' } } } },
    given.function as Parameters<typeof pivotPage>[1],
    given.settings,
  );

test('results of aggregations become values of documents', () => {
  const given = config({
    group_by: { k: { terms: { field: 'k' } }, 'time.day': { date_histogram: { field: 'at', fixed_interval: '1d' } } },
    aggregations: {
      first: { min: { field: 'at' } },
      p: { percentiles: { field: 'n' } },
      kinds: { terms: { field: 'kind' } },
      paid: { filter: { term: { paid: true } } },
      top: { top_metrics: { metrics: { field: 'n' }, sort: { at: 'desc' } } },
      'o.s': { stats: { field: 'n' } },
      select: { bucket_selector: { buckets_path: {}, script: 'true' } },
    },
  });
  const { documents, after, read } = page(given, {
    key: { k: 'x', 'time.day': 0 },
    doc_count: 7,
    first: { value: 5, value_as_string: '1970-01-01T00:00:00.005Z' },
    p: { values: { '50.0': 1, '99.9': 2 } },
    kinds: { buckets: [{ key: 'a.b', doc_count: 3 }] },
    paid: { doc_count: 2 },
    top: { top: [{ sort: [1], metrics: { n: 9 } }] },
    'o.s': { count: 1, min: 1, max: 1, avg: 1, sum: 1 },
  });
  assert.deepEqual(documents[0]!.source, {
    k: 'x',
    time: { day: '1970-01-01T00:00:00.000Z' },
    first: '1970-01-01T00:00:00.005Z',
    p: { '50': 1, '99_9': 2 },
    kinds: { a_b: 3 },
    paid: 2,
    top: { n: 9 },
    o: { s: { count: 1, min: 1, max: 1, avg: 1, sum: 1 } },
  });
  assert.deepEqual([after, read], [{ k: 'z' }, 7]);
});

test('dates are numbers if the transform says so', () => {
  const given = config(
    {
      group_by: { at: { date_histogram: { field: 'at', fixed_interval: '1d' } } },
      aggregations: { last: { max: { field: 'at' } } },
    },
    { dates_as_epoch_millis: true },
  );
  const { documents } = page(given, { key: { at: 0 }, doc_count: 1, last: { value: 5, value_as_string: 'five' } });
  assert.deepEqual(documents[0]!.source, { at: 0, last: 5 });
});

test('a group has the same document for ever, and another one than any other group', () => {
  const given = config({
    group_by: { k: { terms: { field: 'k' } } },
    aggregations: { n: { value_count: { field: 'k' } } },
  });
  const idOf = (k: unknown): string => page(given, { key: { k }, doc_count: 1 }).documents[0]!.id;
  assert.equal(idOf('a'), idOf('a'));
  assert.equal(new Set(['a', 'b', 1, '1', null, true, 'true'].map(idOf)).size, 7);
  assert.match(idOf('a'), /^[\w-]{22}$/);
});
