import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIndexMappings } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { type ClusterState, emptyState, type IndexMetadata } from '@shoal/state';
import { downsample, type DownsampleDoors } from './downsample.js';

const SETTINGS = { 'index.mode': 'time_series', 'index.routing_path': ['host'] };
const MAPPING = {
  properties: {
    '@timestamp': { type: 'date' },
    host: { type: 'keyword', time_series_dimension: true },
    requests: { type: 'long', time_series_metric: 'counter' },
  },
};
const index = (uuid: string, name: string): [string, IndexMetadata] => [
  uuid,
  { uuid, name, settings: SETTINGS, mapping: MAPPING, aliases: {} } as unknown as IndexMetadata,
];
const answer = (json: unknown): { chunks: readonly Buffer[] } => ({ chunks: [Buffer.from(JSON.stringify(json))] });
const last = { last: { hits: { hits: [{ fields: { requests: [7] } }] } } };
/** The counter is the third field by name. */
const bucket = (t: number): unknown => ({ key: { s: { host: 'a' }, t }, doc_count: 2, f2: last });

/** Doors of a source of two pages of buckets; `events` are the calls in order. */
function world(
  onBulk: () => void,
  awaitFailures: readonly unknown[] = [],
): { readonly doors: DownsampleDoors; readonly events: string[] } {
  const events: string[] = [];
  const mappings = createIndexMappings();
  const state: ClusterState = { ...emptyState(), indices: new Map([index('s', 'raw'), index('t', 'hourly')]) };
  const cluster = {
    state: () => state,
    submit: async (task: string) => {
      events.push(task);
      return { uuid: 't' };
    },
    waitFor: async () => true,
  };
  const coordinator = {
    mappingOf: () => mappings.parse(MAPPING, mappings.options(SETTINGS)),
    broadcast: async (_indices: unknown, action: string) => {
      events.push(action);
      return { shards: [], failures: action === 'await_writes' ? awaitFailures : [] };
    },
    refresh: async () => void events.push('refresh'),
    search: async (_request: unknown, { signal }: { signal: AbortSignal }) => {
      signal.throwIfAborted();
      events.push('search');
      const pages = events.filter((name) => name === 'bulk').length;
      const after = pages === 0 ? { after_key: { s: { host: 'a' }, t: 0 } } : {};
      const aggregations = { pages: { buckets: [bucket(pages * 3_600_000)], ...after } };
      return answer({ hits: { total: { value: 4 } }, aggregations });
    },
    bulk: async () => {
      events.push('bulk');
      onBulk();
      return answer({ errors: false, items: [] });
    },
  } as unknown as Coordinator;
  return { doors: { cluster, coordinator } as unknown as DownsampleDoors, events };
}

const REQUEST = { source: 'raw', target: 'hourly', interval: '1h' };
const progress = (): { total: number; processed: number; written: number } => ({ total: 0, processed: 0, written: 0 });

test('writes that were sent before the block are in the buckets', async () => {
  const { doors, events } = world(() => undefined);
  const counted = progress();
  await downsample(doors, REQUEST, new AbortController().signal, counted);
  assert.deepEqual(events, [
    ...['create-downsampled', 'await-applied', 'await_writes', 'refresh'],
    ...['search', 'search', 'bulk', 'search', 'bulk'],
    ...['refresh', 'force_merge', 'finish-downsampled'],
  ]);
  assert.deepEqual(counted, { total: 4, processed: 4, written: 2 });
});

test('a primary that cannot tell whether writes run, as in an earlier build, ends the run at once', async () => {
  const unknown = errors.illegalArgument('unknown shard action [await_writes]');
  const { doors, events } = world(() => undefined, [{ error: unknown }]);
  await assert.rejects(downsample(doors, REQUEST, new AbortController().signal), { reason: unknown.reason });
  assert.equal(events.at(-1), 'await_writes');
});

test('a cancelled downsample ends between pages, and the next one goes on with its target', async () => {
  const end = new AbortController();
  const cancelled = world(() => end.abort(new Error('by request')));
  const counted = progress();
  await assert.rejects(downsample(cancelled.doors, REQUEST, end.signal, counted), /by request/);
  assert.deepEqual(counted, { total: 4, processed: 2, written: 1 });
  assert.equal(cancelled.events.at(-1), 'bulk');
  const again = world(() => undefined);
  await downsample(again.doors, REQUEST, new AbortController().signal);
  assert.equal(again.events.at(-1), 'finish-downsampled');
});
