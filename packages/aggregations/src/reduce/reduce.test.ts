import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryIndex } from '@shoal/query/testing';
import { stringify } from '@shoal/json';
import { parseAggregations } from '../parse/parse-tree.js';
import { collectShard } from '../testing/aggregation-fixture.js';
import { reduceInSteps } from './reduce.js';

const DOCUMENTS = 300;
const index = memoryIndex({
  mapping: { n: { type: 'long' }, k: { type: 'keyword' }, when: { type: 'date' } },
  documents: Array.from({ length: DOCUMENTS }, (_, i) => ({ n: i, k: `k${i}`, when: i * 3_600_000 })),
});
const shard = await index.searcher([Array.from({ length: DOCUMENTS }, (_, i) => i)]);

/** The answer of a request, and the steps in which it was made. */
async function stepsOf(aggs: object): Promise<{ steps: number; answer: unknown }> {
  const tree = parseAggregations(aggs, { aggs }, { maxNestedDepth: 30, allowExpensiveQueries: true });
  const partial = await collectShard(tree, shard, { match_all: {} }, true);
  const steps = reduceInSteps(tree, [partial], { typedKeys: false, maxBuckets: 65_536, now: () => 0 });
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done === true) return { steps: count, answer: JSON.parse(stringify(value)) };
  }
}

const below = (aggs: object) => ({ k: { terms: { field: 'k', size: DOCUMENTS }, aggs } });

test('buckets are reduced, piped and rendered in steps, between which the thread is given back', async () => {
  const plain = await stepsOf(below({ m: { max: { field: 'n' } } }));
  assert.ok(plain.steps > DOCUMENTS, `${plain.steps} steps`);
  const nested = await stepsOf(below({ a: { auto_date_histogram: { field: 'when' }, aggs: below({}) } }));
  assert.ok(nested.steps > 3 * DOCUMENTS, `${nested.steps} steps`);
  const script = { bucket_script: { buckets_path: { m: 'm' }, script: 'params.m * 2' } };
  const scripted = await stepsOf(below({ m: { max: { field: 'n' } }, s: script }));
  assert.ok(scripted.steps >= plain.steps + DOCUMENTS, `${scripted.steps} steps`);
});

test('moving_fn gives the thread back between two buckets', async () => {
  const moving = { moving_fn: { buckets_path: 'm', window: 1000, script: 'MovingFunctions.max(values)' } };
  const aggs = (more: object) => ({
    h: { histogram: { field: 'n', interval: 1 }, aggs: { m: { max: { field: 'n' } }, ...more } },
  });
  const plain = await stepsOf(aggs({}));
  const moved = await stepsOf(aggs({ f: moving }));
  assert.ok(moved.steps >= plain.steps + DOCUMENTS, `${moved.steps} and ${plain.steps} steps`);
});

test('buckets are ordered by what is below them once that is reduced', async () => {
  const terms = { field: 'k', size: 2, order: { 's>m': 'desc' } };
  const s = { filter: { range: { n: { lt: 250 } } }, aggs: { m: { max: { field: 'n' } } } };
  const { answer } = await stepsOf({ k: { terms, aggs: { s } } });
  const bucket = (n: number) => ({ key: `k${n}`, doc_count: 1, s: { doc_count: 1, m: { value: n } } });
  assert.deepEqual(answer, {
    k: { doc_count_error_upper_bound: 0, sum_other_doc_count: DOCUMENTS - 2, buckets: [bucket(249), bucket(248)] },
  });
  const multi = await stepsOf({
    k: {
      multi_terms: { terms: [{ field: 'k' }, { field: 'n' }], size: 1, order: { m: 'desc' } },
      aggs: { m: { max: { field: 'n' } }, t: { terms: { field: 'n' } } },
    },
  });
  const { buckets } = (multi.answer as { k: { buckets: { key_as_string: string; t: { buckets: unknown[] } }[] } }).k;
  assert.deepEqual([buckets.length, buckets[0]!.key_as_string, buckets[0]!.t.buckets.length], [1, 'k299|299', 1]);
});
