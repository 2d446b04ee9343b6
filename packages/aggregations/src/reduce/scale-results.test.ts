import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AggregationNode } from '../aggregation-type.js';
import { namedNumbers } from '../metric/stats.js';
import { numberResult, type Reduced, type ReducedBucket, type RenderBuckets } from './reduced.js';
import { scaleResults } from './scale-results.js';

const node = (name: string, type: string, subs: readonly AggregationNode[] = []): AggregationNode =>
  ({ name, type, subs }) as unknown as AggregationNode;

const RENDER: RenderBuckets = {
  list: (buckets) => buckets.map((bucket) => ({ ...bucket.head(), ...RENDER.subs(bucket.subs) })),
  keyed: () => ({}),
  subs: (subs) => Object.fromEntries([...subs].map(([name, one]) => [name, one.render(RENDER)])),
};

test('counts and sums grow with the inverse of the probability, averages stay', () => {
  const subs = new Map([
    ['s', numberResult('sum', 15)],
    ['c', numberResult('value_count', 283)],
    ['a', numberResult('avg', 5)],
  ]);
  scaleResults(subs, [node('s', 'sum'), node('c', 'value_count'), node('a', 'avg')], 0.3);
  assert.deepEqual(RENDER.subs(subs), { s: { value: 50 }, c: { value: 943 }, a: { value: 5 } });
});

test('buckets, what is below them and what they leave out are scaled once', () => {
  const bucket: ReducedBucket = {
    key: 'k',
    keyText: 'k',
    docCount: 3,
    subs: new Map([['s', numberResult('sum', 2)]]),
    head: () => ({ key: 'k', doc_count: 3 }),
  };
  const terms: Reduced = {
    typedName: 'sterms',
    buckets: [bucket],
    render(render) {
      return { sum_other_doc_count: 7, buckets: render.list(this.buckets!) };
    },
  };
  const subs = new Map([['t', terms]]);
  scaleResults(subs, [node('t', 'terms', [node('s', 'sum')])], 0.5);
  assert.deepEqual(RENDER.subs(subs), {
    t: { sum_other_doc_count: 14, buckets: [{ key: 'k', doc_count: 6, s: { value: 4 } }] },
  });
  assert.equal(subs.get('t')!.buckets![0]!.docCount, 6);
});

test('numbers of stats are scaled where they are printed and where paths read them', () => {
  const stats = namedNumbers('stats', { count: 4, min: 1, max: 3, avg: 2, sum: 8 });
  const subs = new Map([['s', stats]]);
  scaleResults(subs, [node('s', 'stats')], 0.25);
  assert.deepEqual(RENDER.subs(subs), { s: { count: 16, min: 1, max: 3, avg: 2, sum: 32 } });
  assert.deepEqual(
    ['count', 'sum', 'avg'].map((name) => subs.get('s')!.value!(name)),
    [16, 32, 2],
  );
});
