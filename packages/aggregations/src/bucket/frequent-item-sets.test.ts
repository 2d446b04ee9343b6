import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

const LOW = 'compressor low pressure';
const HOT = 'engine overheated';
const CARS: readonly (readonly [features: string, error: string, day: number])[] = [
  ['turbocharger,electric mirror,heated steering wheel,matrix led,gps,sunroof,autopilot,air condition', LOW, 1],
  ['pink wheels,turbocharger,lane assist,matrix led,coming home,heated seats,blind spot,air condition', HOT, 2],
  ['awd,tow-bar,matrix led,gps,sunroof,air condition', LOW, 30],
  ['rwd,tow-bar,turbocharger,lane assist,pink wheels', HOT, 16],
  ['pink wheels,sunroof,air condition', LOW, 5],
  ['turbocharger,pink wheels,air condition', HOT, 2],
  ['awd,heated steering wheel,sunroof,air condition', LOW, 7],
  ['turbocharger,sunroof,autopilot,air condition', LOW, 1],
  ['rwd,turbocharger,autopilot,pink wheels', HOT, 23],
  [
    'fwd,tow-bar,turbocharger,pink wheels,electric mirror,heated steering wheel,lane assist,sunroof,autopilot,' +
      'air condition',
    'low tire pressure',
    9,
  ],
];
const index = await aggregationFixture({
  mapping: {
    features: { type: 'keyword' },
    error: { type: 'keyword' },
    day: { type: 'date' },
    n: { type: 'long' },
    place: { type: 'geo_point' },
  },
  documents: CARS.map(([features, error, day], i) => ({
    features: features.split(','),
    error,
    day: day * 86_400_000,
    n: i % 3,
  })),
});

const FIELDS = [{ field: 'features' }, { field: 'error' }];
interface Bucket {
  readonly key: { readonly features?: readonly string[]; readonly error?: readonly string[] };
  readonly doc_count: number;
  readonly support: number;
}
const setsOf = async (body: object): Promise<readonly Bucket[]> => {
  const request = { minimum_set_size: 3, minimum_support: 0.3, fields: FIELDS, ...body };
  return (await index.answer({ x: { frequent_item_sets: request } })).x.buckets;
};

test('frequent_item_sets finds closed sets, the most frequent first', async () => {
  const sets = await setsOf({});
  assert.deepEqual(
    sets.map(({ doc_count }) => doc_count),
    [5, 4, 3, 3, 3, 3],
  );
  assert.deepEqual(sets[0], {
    key: { features: ['air condition', 'sunroof'], error: [LOW] },
    doc_count: 5,
    support: 0.5,
  });
  assert.deepEqual(sets[1], {
    key: { features: ['turbocharger', 'pink wheels'], error: [HOT] },
    doc_count: 4,
    support: 0.4,
  });
  assert.equal((await setsOf({ minimum_support: 0.2, size: 10 })).length, 10);
  assert.equal((await setsOf({ size: 2 })).length, 2);
});

test('frequent_item_sets leaves out values and documents', async () => {
  const withoutPink = await setsOf({ filter: { bool: { must_not: { term: { features: 'pink wheels' } } } } });
  assert.deepEqual(
    withoutPink.map(({ doc_count, support }) => [doc_count, support]),
    [[4, 0.4]],
  );
  const excluded = await setsOf({ fields: [{ field: 'features' }, { field: 'error', exclude: HOT }] });
  assert.deepEqual(
    excluded.map(({ doc_count }) => doc_count),
    [5, 3, 3, 3, 3],
  );
  const included = await setsOf({ fields: [{ field: 'features' }, { field: 'error', include: 'en.*ed' }] });
  assert.deepEqual([included.length, included[0]!.key.error], [5, [HOT]]);
});

test('frequent_item_sets reads numbers and dates, also below other buckets', async () => {
  const { x } = await index.answer({
    x: {
      terms: { field: 'n' },
      aggs: {
        y: {
          frequent_item_sets: {
            fields: [{ field: 'n', include: [0, 1] }, { field: 'day' }],
            minimum_support: 0.5,
            minimum_set_size: 2,
          },
        },
      },
    },
  });
  assert.deepEqual(
    x.buckets.map((one: { y: { buckets: object[] } }) => one.y.buckets),
    [[], [], []],
  );
  const { y } = await index.answer({
    y: { frequent_item_sets: { fields: [{ field: 'n', exclude: [2] }, { field: 'day' }], minimum_support: 0.2 } },
  });
  assert.deepEqual(y.buckets, [
    { key: { n: [0] }, doc_count: 4, support: 0.4 },
    { key: { n: [1] }, doc_count: 3, support: 0.3 },
    { key: { day: ['1970-01-02T00:00:00.000Z'] }, doc_count: 2, support: 0.2 },
    { key: { day: ['1970-01-03T00:00:00.000Z'] }, doc_count: 2, support: 0.2 },
  ]);
});

test('frequent_item_sets refuses wrong bodies', () =>
  index.refuses([
    [{ frequent_item_sets: {} }, 'illegal_argument_exception: Required [fields]'],
    [
      { frequent_item_sets: { fields: [{ field: 'place' }] } },
      'illegal_argument_exception: Field [place] of type [geo_point] is not supported for aggregation ' +
        '[frequent_item_sets]',
    ],
    [
      { frequent_item_sets: { fields: FIELDS }, aggs: { s: { sum: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [frequent_item_sets] cannot accept ' +
        'sub-aggregations',
    ],
    [
      { frequent_item_sets: { fields: FIELDS, minimum_support: 0 } },
      'illegal_argument_exception: [minimum_support] must be greater than 0 and less or equal to 1. Found [0] in [x]',
    ],
    [
      { frequent_item_sets: { fields: [{ field: 'n', include: 'a.*' }] } },
      'illegal_argument_exception: Aggregation [x] cannot support regular expression style include/exclude settings ' +
        'as they can only be applied to string fields. Use an array of numeric values for include/exclude clauses ' +
        'used to filter numeric fields',
    ],
  ]));
