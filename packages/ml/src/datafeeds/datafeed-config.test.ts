import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { histogramInterval, parseDatafeed } from './datafeed-config.js';

const FEED = { job_id: 'j', indices: ['logs'] };

test('a datafeed is read as it was written, with a delay that does not change', () => {
  const { json } = parseDatafeed('f', {
    ...FEED,
    frequency: '90s',
    chunking_config: { mode: 'manual', time_span: '3h' },
  });
  assert.equal(json['frequency'], '90s');
  assert.deepEqual(parseDatafeed('f', json).json, json);
});

const REFUSED: readonly [what: string, body: Record<string, unknown>, reason: RegExp][] = [
  ['no job', { indices: ['a'] }, /^\[job_id\] must not be null$/],
  ['no indices', { job_id: 'j' }, /^Invalid indices value/],
  ['a negative page', { ...FEED, scroll_size: -1 }, /^Invalid scroll_size value '-1'/],
  ['chunks without length', { ...FEED, chunking_config: { mode: 'manual' } }, /^when chunk mode is manual/],
  ['an unknown member', { ...FEED, frequence: '1s' }, /^\[datafeed_config\] unknown field \[frequence\]/],
  ['no aggregation', { ...FEED, aggregations: {} }, /^\[datafeed_config\] failed to parse field \[aggregations\]$/],
  ['no aggregation by the short name', { ...FEED, aggs: {} }, /failed to parse field \[aggs\]$/],
  ['both ways to make fields', { ...FEED, aggs: { a: {} }, script_fields: {} }, /cannot be used in combination/],
];

for (const [what, body, reason] of REFUSED) {
  test(`${what}: refused with 400`, () => {
    assert.throws(
      () => parseDatafeed('f', body),
      (error: unknown) => isApiError(error) && error.status === 400 && reason.test(error.reason ?? ''),
    );
  });
}

test('a datafeed that was stored with no aggregation is still read', () => {
  assert.equal(parseDatafeed('f', { ...FEED, aggregations: {} }, true).aggregations, null);
});

test('the interval is that of the date histogram, at whatever depth', () => {
  const histogram = { date_histogram: { field: 'at', fixed_interval: '5m' } };
  assert.equal(histogramInterval({ buckets: histogram }), 300_000);
  assert.equal(histogramInterval({ hosts: { terms: { field: 'h' }, aggs: { buckets: histogram } } }), 300_000);
  assert.equal(histogramInterval({ hosts: { terms: { field: 'h' } } }), null);
});
