import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '@shoal/doors';
import type { JsonObject } from '@shoal/json';
import type { OwnCalls } from '@shoal/coordinator';
import { CheckpointRun } from './checkpoint-run.js';
import { parseTransform } from './transform-config.js';
import { freshProgress } from './transform-progress.js';

const PIVOT = {
  group_by: { k: { terms: { field: 'k' } } },
  aggregations: { n: { value_count: { field: 'k' } } },
};

interface PageSearch {
  readonly pit: { readonly id: string };
  readonly aggregations: { readonly _transform: { readonly composite: { readonly size: number } } };
}

/** Runs a checkpoint of three pages, each of `read` documents, and tells what was asked of the cluster. */
async function run(
  read: number,
  docsPerSecond: number,
  pivot: object = PIVOT,
  sizes = new Set<number>(),
): Promise<string[]> {
  const asked: string[] = [];
  let [now, opened, page] = [0, 0, 0];
  const calls = {
    count: async () => 3 * read,
    openPointInTime: async () => `p${++opened}`,
    closePointInTime: async (id: string) => void asked.push(`close ${id}`),
    write: async () => undefined,
    async search(_names: readonly string[], { pit, aggregations }: PageSearch): Promise<JsonObject> {
      asked.push(`search ${pit.id}`);
      sizes.add(aggregations._transform.composite.size);
      const key = { k: String(++page) };
      const buckets = page > 3 ? [] : [{ key, doc_count: read, n: { value: read } }];
      return { aggregations: { _transform: { buckets, ...(page > 3 ? {} : { after_key: key }) } } };
    },
  };
  const clock = {
    monotonic: () => now,
    now: () => now,
    after(ms: number, callback: () => void) {
      now += ms;
      queueMicrotask(callback);
      return { cancel: () => undefined };
    },
  };
  const config = parseTransform('t', {
    source: { index: 'from' },
    dest: { index: 'to' },
    pivot,
    settings: { docs_per_second: docsPerSecond },
  });
  const open = { checkpoint: 1, startedMs: 0, toMs: 1, after: null, totalDocs: null, docsProcessed: 0, docsIndexed: 0 };
  const site = {
    config,
    calls: calls as unknown as OwnCalls,
    clock: clock as unknown as Clock,
    signal: new AbortController().signal,
    stats: freshProgress().stats,
    pageDone: async () => undefined,
  };
  await new CheckpointRun(site, open, null).run();
  return asked;
}

test('a point in time is not kept over a wait of the throttle that may outlast it', async () => {
  const short = ['search p1', 'search p1', 'search p1', 'search p1', 'close p1'];
  assert.deepEqual(await run(1000, 100), short);
  const long = [1, 2, 3].flatMap((n) => [`search p${n}`, `close p${n}`]);
  assert.deepEqual(await run(1_000_000, 1000), [...long, 'search p4', 'close p4']);
});

test('a page has fewer groups when each of them has many aggregations', async () => {
  const sizes = new Set<number>();
  const below = { n: { value_count: { field: 'k' } } };
  const wide = Array.from({ length: 500 }, (_, i) => [`f${i}`, { filter: { match_all: {} }, aggs: below }]);
  await run(1, 1000, { ...PIVOT, aggregations: Object.fromEntries(wide) }, sizes);
  assert.deepEqual([...sizes], [20]);
  sizes.clear();
  await run(1, 1000, PIVOT, sizes);
  assert.deepEqual([...sizes], [500]);
});
