import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnCalls } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { parseJob } from '../jobs/job-config.js';
import { parseDatafeed } from './datafeed-config.js';
import { Extractor } from './extract.js';

const SITE = { nowMs: 0, memoryMostBytes: Number.MAX_SAFE_INTEGER, items: () => new Set<string>() };
const HOUR_MS = 3_600_000;
const PLAN = { keys: [], amounts: ['v'], squares: new Set<string>() };

/** A datafeed over two documents, whose searches for columns fail or return rows of one document each. */
function extractorOf(columns: Error | readonly JsonObject[]) {
  const detectors = [{ function: 'mean', field_name: 'v' }];
  const body = { analysis_config: { bucket_span: '1h', detectors }, data_description: { time_field: 'at' } };
  const searched: string[] = [];
  const calls = {
    searchPlain: async (_: readonly string[], search: JsonObject): Promise<JsonObject> => {
      const aggs = (search['aggs'] ?? {}) as JsonObject;
      searched.push(aggs['rows'] !== undefined ? 'columns' : search['size'] === 0 ? 'plan' : 'documents');
      if (columns instanceof Error && aggs['rows'] !== undefined) throw columns;
      const hits = [1, 2].map((at) => ({ sort: [at * 1000, at], fields: { v: [at] } }));
      const aggregations = { first: { value: 1000 }, last: { value: 2000 }, rows: { buckets: columns } };
      return { hits: { total: { value: 2 }, hits }, aggregations } as unknown as JsonObject;
    },
  } as unknown as OwnCalls;
  const feed = parseDatafeed('f', { job_id: 'j', indices: ['i'] });
  return { searched, extractor: new Extractor(feed, parseJob('j', body, SITE), calls, { plan: PLAN }) };
}

const TOO_MANY = 'Trying to create too many buckets';
const REFUSALS = {
  'has too many buckets': [
    errors.searchPhaseExecution('', { status: 400, cause: errors.tooManyBuckets(TOO_MANY) }),
    TOO_MANY,
  ],
  'has too many buckets in a shard': [
    errors.searchPhaseExecution('all shards failed', { status: 503, cause: errors.tooManyBuckets(TOO_MANY) }),
    TOO_MANY,
  ],
  'takes too much memory': [errors.circuitBreaking('Data too large'), 'Data too large'],
  'is refused': [errors.illegalArgument('not like this'), 'not like this'],
} as const;

for (const [what, [failure, why]] of Object.entries(REFUSALS))
  test(`documents are read from where a search for columns ${what}`, async () => {
    const { searched, extractor } = extractorOf(failure);
    await extractor.plan(0, HOUR_MS);
    const { count, head, nextMs } = await extractor.next(0, HOUR_MS);
    assert.deepEqual([count, head, nextMs], [2, null, HOUR_MS]);
    assert.deepEqual(extractor.reading, { history: 'sources', why });
    await extractor.plan(HOUR_MS, 2 * HOUR_MS);
    await extractor.next(HOUR_MS, 2 * HOUR_MS);
    assert.deepEqual(searched, ['plan', 'columns', 'documents', 'plan', 'documents']);
  });

test('columns are tried again where the search failed for the time being', async () => {
  for (const failure of [errors.unavailableShards('no copy'), errors.indexClosed('closed')]) {
    const { extractor } = extractorOf(failure);
    await extractor.plan(0, HOUR_MS);
    await assert.rejects(extractor.next(0, HOUR_MS), failure);
    assert.equal(extractor.reading.history, 'columns');
  }
});

test('documents are read where most of them have a combination of values of their own', async () => {
  const stats = { count: 1, sum: 1, min: 1, max: 1 };
  const row = (_: unknown, i: number) => ({ key: { time: 0 }, doc_count: 1, first: { value: 1000 + i }, a0: stats });
  const { searched, extractor } = extractorOf(Array.from({ length: 2000 }, row));
  await extractor.plan(0, HOUR_MS);
  const { head, count } = await extractor.next(0, HOUR_MS);
  assert.deepEqual([count, head], [2, null]);
  assert.deepEqual(extractor.reading, {
    history: 'sources',
    why: 'most documents have a combination of values of their own',
  });
  assert.deepEqual(searched, ['plan', 'columns', 'documents']);
});

test('a composite aggregation is read page by page', async () => {
  const at = (ms: number): JsonObject => ({ key: { at: ms, h: 'a' }, doc_count: 3 });
  const pages = [
    { buckets: [at(0), at(1000)], after_key: { at: 1000 } },
    { buckets: [at(2000)], after_key: { at: 2000 } },
  ];
  const asked: unknown[] = [];
  const calls = {
    searchPlain: async (_: readonly string[], { aggs }: JsonObject): Promise<JsonObject> => {
      const { b } = aggs as { b: { composite: { after?: unknown } } };
      asked.push(b.composite.after ?? null);
      return {
        hits: { hits: [] },
        aggregations: { b: pages[asked.length - 1] ?? { buckets: [] } },
      } as unknown as JsonObject;
    },
  } as unknown as OwnCalls;
  const sources = [{ at: { date_histogram: { field: 'at', fixed_interval: '1s' } } }, { h: { terms: { field: 'h' } } }];
  const feed = parseDatafeed('f', { job_id: 'j', indices: ['i'], aggs: { b: { composite: { sources } } } });
  const detectors = [{ function: 'count', by_field_name: 'h' }];
  const analysis = { bucket_span: '1s', detectors, summary_count_field_name: 'doc_count' };
  const job = parseJob('j', { analysis_config: analysis, data_description: { time_field: 'at' } }, SITE);
  const { lines, count } = await new Extractor(feed, job, calls).next(0, 5000);
  assert.deepEqual([count, asked], [3, [null, { at: 1000 }, { at: 2000 }]]);
  assert.equal(lines.split('\n')[2], '{"at":2000,"h":"a","doc_count":3}');
});

test('in real time a short stretch is read without a look at how many documents it has', async () => {
  const { searched, extractor } = extractorOf([]);
  extractor.endHistory(HOUR_MS);
  assert.deepEqual(await extractor.plan(0, 2 * HOUR_MS), { firstMs: 0, windowMs: 2 * HOUR_MS });
  const { count, nextMs } = await extractor.next(0, 2 * HOUR_MS);
  assert.deepEqual([count, nextMs], [2, 2 * HOUR_MS]);
  await extractor.plan(0, 2 * HOUR_MS + 1);
  assert.deepEqual(searched, ['documents', 'plan']);
});
