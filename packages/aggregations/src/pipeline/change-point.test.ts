import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

const MINUTE = 60_000;
/** Values of a minute each: 3 or 4, from the 40th on 53 or 54. */
const index = await aggregationFixture({
  mapping: { at: { type: 'date' }, n: { type: 'long' }, m: { type: 'long' } },
  documents: Array.from({ length: 60 }, (_, i) => ({
    at: i * MINUTE,
    n: i,
    m: (i >= 40 ? 50 : 0) + 3 + (i % 2),
  })),
});

const byMinute = {
  date_histogram: { field: 'at', fixed_interval: '1m' },
  aggs: { s: { sum: { field: 'm' } }, c: { value_count: { field: 'm' } } },
};

test('change_point shows the bucket of a step with its sub-aggregations', async () => {
  const { change } = await index.answer({ t: byMinute, change: { change_point: { buckets_path: 't>s' } } });
  assert.deepEqual(change.bucket, {
    key: '1970-01-01T00:40:00.000Z',
    doc_count: 1,
    s: { value: 53 },
    c: { value: 1 },
  });
  assert.equal(change.type.step_change.change_point, 40);
  assert.ok(change.type.step_change.p_value < 1e-6);
  const text = await index.text({ t: byMinute, change: { change_point: { buckets_path: 't>s' } } });
  assert.match(text, /"change_point":40\}/);
  assert.match(text, /"s":\{"value":53\.0\},"c":\{"value":1\}/);
});

test('change_point of a spike among numbers, of nothing, and of too few buckets', async () => {
  const byNumber = { histogram: { field: 'n', interval: 1 }, aggs: { s: { max: { field: 'm' } } } };
  const spike = { filter: { range: { n: { lt: 40 } } }, aggs: { h: byNumber } };
  const answer = await index.answer({ f: spike, p: { change_point: { buckets_path: 'f>h>s' } } });
  assert.deepEqual(answer.p, { type: { stationary: {} } });
  const few = { filter: { range: { n: { lt: 21 } } }, aggs: { h: byNumber } };
  assert.deepEqual((await index.answer({ f: few, p: { change_point: { buckets_path: 'f>h>s' } } })).p, {
    type: {
      indeterminable: {
        reason: 'not enough buckets to calculate change_point. Requires at least [22]; found [21]',
      },
    },
  });
});

test('change_point refuses wrong bodies', () =>
  index.refuses([
    [{ change_point: {} }, 'illegal_argument_exception: Required [buckets_path]'],
    [
      { change_point: { buckets_path: 'x', bound: 1 } },
      'x_content_parse_exception: [change_point] unknown field [bound]',
    ],
    [
      { change_point: { buckets_path: 'foo' } },
      'action_request_validation_exception: Validation Failed: 1: No aggregation found for path [foo];',
    ],
  ]));
