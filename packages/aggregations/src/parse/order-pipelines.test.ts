import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AggregationTree } from '../aggregation-type.js';
import { PIPELINE_CHAIN_MAX } from './order-pipelines.js';
import { parseAggregations } from './parse-tree.js';

const parse = (aggs: object): AggregationTree =>
  parseAggregations(aggs, { aggs }, { maxNestedDepth: 30, allowExpensiveQueries: true });

/** Pipelines of which each reads the one after it, so that they run from the last to the first. */
function chain(length: number): Record<string, object> {
  const reads = (i: number): string => (i === length - 1 ? 'm' : `p${i + 1}`);
  const pipelines = Array.from({ length }, (_, i) => [`p${i}`, { cumulative_sum: { buckets_path: reads(i) } }]);
  return { m: { max: { field: 'n' } }, ...Object.fromEntries(pipelines) };
}

const histogramOf = (aggs: object): object => ({ h: { histogram: { field: 'n', interval: 1 }, aggs } });

test('pipelines are ordered once, when a request is parsed, so that each follows those that it reads', () => {
  const names = parse(histogramOf(chain(PIPELINE_CHAIN_MAX))).nodes[0]!.pipelines.map(({ name }) => name);
  assert.deepEqual(
    names,
    Array.from({ length: PIPELINE_CHAIN_MAX }, (_, i) => `p${PIPELINE_CHAIN_MAX - 1 - i}`),
  );
});

test('pipelines that read each other in a longer row than can be followed are refused', () => {
  for (const length of [PIPELINE_CHAIN_MAX + 1, 20_000])
    assert.throws(() => parse(histogramOf(chain(length))), {
      type: 'illegal_argument_exception',
      message: /more than \[1000\] pipeline aggregations read each other in a row/,
    });
});
