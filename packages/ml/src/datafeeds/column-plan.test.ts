import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJob } from '../jobs/job-config.js';
import { chooseColumns } from './column-plan.js';
import { parseDatafeed } from './datafeed-config.js';

const SITE = { nowMs: 0, memoryMostBytes: Number.MAX_SAFE_INTEGER, items: () => new Set<string>() };
const PROPERTIES: Readonly<Record<string, Record<string, unknown>>> = {
  at: { type: 'date' },
  host: { type: 'keyword' },
  v: { type: 'double' },
  port: { type: 'long' },
  f: { type: 'float' },
  folded: { type: 'keyword', normalizer: 'lowercase' },
};
const MAPPING = {
  toJson: () => ({ properties: PROPERTIES }),
  field: (path: string) => ({ typeName: PROPERTIES[path]?.['type'], isAggregatable: true }),
  sourcePaths: (path: string) => [path],
} as unknown as Parameters<typeof chooseColumns>[2][number];

function choose(detectors: readonly object[], analysis: object = {}, feed: object = {}): unknown {
  const body = {
    analysis_config: { bucket_span: '1h', detectors, ...analysis },
    data_description: { time_field: 'at' },
  };
  const job = parseJob('j', body, SITE);
  const choice = chooseColumns(job, parseDatafeed('f', { job_id: 'j', indices: ['i'], ...feed }), [MAPPING]);
  return 'why' in choice ? choice.why : choice.plan;
}

test('sums, counts and distinct values of plain fields come from columns', () => {
  const detectors = [
    { function: 'count', by_field_name: 'host' },
    { function: 'varp', field_name: 'v' },
    { function: 'distinct_count', field_name: 'host' },
    { function: 'high_sum', field_name: 'v', over_field_name: 'host' },
  ];
  assert.deepEqual(choose(detectors), { keys: ['host'], amounts: ['v'], squares: new Set(['v']) });
});

test('what columns do not hold as the source does, or what needs single values, is read from sources', () => {
  const mean = (field: string): object => ({ function: 'mean', field_name: field });
  const notInColumn = (field: string): RegExp => new RegExp(`field \\[${field}\\] are not in a column`);
  assert.match(choose([mean('f')]) as string, notInColumn('f'));
  assert.match(choose([{ function: 'count', by_field_name: 'folded' }]) as string, notInColumn('folded'));
  assert.match(choose([mean('unknown')]) as string, notInColumn('unknown'));
  assert.match(choose([{ function: 'median', field_name: 'v' }]) as string, /\[median\] needs single values/);
  assert.match(choose([mean('v')], { latency: '1h' }) as string, /latency/);
  assert.match(choose([mean('v')], { summary_count_field_name: 'n' }) as string, /summary count/);
  assert.match(choose([mean('v')], {}, { runtime_mappings: { r: { type: 'long' } } }) as string, /runtime/);
});

test('a field that tells rows apart and is added up as well is read from sources', () => {
  const both = /field \[port\] both tells documents apart and is added up/;
  const max = { function: 'max', field_name: 'port' };
  assert.match(choose([{ function: 'distinct_count', field_name: 'port' }, max]) as string, both);
  assert.match(choose([{ ...max, partition_field_name: 'port' }]) as string, both);
  assert.match(choose([max], { influencers: ['port'] }) as string, both);
  assert.deepEqual(choose([max]), { keys: [], amounts: ['port'], squares: new Set() });
});
