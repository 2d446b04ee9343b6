import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture, type Answer } from '../testing/aggregation-fixture.js';

const index = await aggregationFixture({
  mapping: { d: { type: 'date' }, price: { type: 'double' }, k: { type: 'keyword' } },
  documents: [
    { d: '2024-01-05', price: 200, k: 'a' },
    { d: '2024-01-31', price: [100, 10], k: 'b' },
    { d: '2024-03-01', price: 31, k: 'a', _doc_count: 4 },
    { d: '2024-03-31', k: 'a' },
  ],
});

/** Rates of each bucket of an aggregation, `null` for those of a bucket that has none. */
async function ratesIn(around: object, rate: object): Promise<unknown> {
  const { x } = await index.answer({ x: { ...around, aggs: { r: { rate } } } });
  return (x as Answer).buckets.map((bucket: Answer) => bucket.r.value_as_string ?? bucket.r.value);
}
const by = (calendar_interval: string): object => ({ date_histogram: { field: 'd', calendar_interval } });
const every = (fixed_interval: string): object => ({
  date_histogram: { field: 'd', fixed_interval, min_doc_count: 1 },
});

const TABLE: readonly (readonly [text: string, around: object, rate: object, rates: readonly unknown[]])[] = [
  ['documents a month, year and day', by('month'), { unit: 'year' }, [24, 0, 60]],
  ['months of their own length', by('month'), { unit: 'day' }, [2 / 31, 0, 5 / 31]],
  ['as many as there are without a unit', by('month'), {}, [2, 0, 5]],
  ['sums of a field', by('month'), { field: 'price', unit: 'month' }, [310, 0, 31]],
  ['numbers of values', by('month'), { field: 'price', unit: '1M', mode: 'value_count' }, [3, 0, 1]],
  ['quarters from months', by('quarter'), { unit: 'month' }, [7 / 3]],
  ['a day of 24 hours', by('day'), { unit: 'hour', field: 'price', mode: 'sum' }, [200 / 24]],
  ['fixed intervals', every('12h'), { unit: 'day' }, [2, 2, 8, 2]],
  ['text when asked', by('month'), { unit: 'day', format: '0.000' }, ['0.065', '0.000', '0.161']],
  [
    'a source of dates of a composite',
    { composite: { sources: [{ k: { terms: { field: 'k' } } }, { d: { ...by('month') } }] } },
    { unit: 'year' },
    [12, 60, 12],
  ],
];

for (const [text, around, rate, rates] of TABLE)
  test(`rate shows ${text}`, async () => {
    const found = (await ratesIn(around, rate)) as unknown[];
    assert.deepEqual(text === 'a day of 24 hours' ? found.slice(0, 1) : found, rates);
  });

test('rate knows the bucket of dates around other buckets, and orders them', async () => {
  const { x } = await index.answer({
    x: {
      ...by('month'),
      aggs: { k: { terms: { field: 'k', order: { r: 'desc' } }, aggs: { r: { rate: { unit: 'year' } } } } },
    },
  });
  const found = (x as Answer).buckets.map((bucket: Answer) =>
    bucket.k.buckets.map(({ key, r }: Answer) => [key, r.value]),
  );
  assert.deepEqual(found, [
    [
      ['a', 12],
      ['b', 12],
    ],
    [],
    [['a', 60]],
  ]);
});

const PLACE =
  'illegal_argument_exception: The rate aggregation can only be used inside a date histogram aggregation or ' +
  'composite aggregation with exactly one date histogram value source';
const only = 'only week, day, hour, minute and second are supported for this histogram';

test('rate is refused outside of dates and for units that do not fit', () =>
  index.refuses([
    [{ rate: { unit: 'day' } }, PLACE],
    [{ terms: { field: 'k' }, aggs: { r: { rate: { unit: 'day' } } } }, PLACE],
    [
      { ...by('day'), aggs: { r: { rate: { unit: 'month' } } } },
      'illegal_argument_exception: Cannot use month-based rate unit [month] with non-month based calendar interval ' +
        `histogram [day] ${only}`,
    ],
    [
      { ...every('1d'), aggs: { r: { rate: { unit: 'year' } } } },
      'illegal_argument_exception: Cannot use month-based rate unit [year] with fixed interval based histogram, ' +
        only,
    ],
    [
      { ...by('day'), aggs: { r: { rate: { unit: 'day', mode: 'sum' } } } },
      'illegal_argument_exception: The mode parameter is only supported with field or script',
    ],
  ]));
