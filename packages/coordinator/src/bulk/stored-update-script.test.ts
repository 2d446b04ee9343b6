import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import type { shard as messages } from '@shoal/protocol';
import { CALL, fakeCoordinator, jsonOf, stateWith } from '../fake-cluster.js';
import type { BulkRequest } from './bulk-request.js';
import type { CoordinatorMemory } from '../context.js';

const SOURCE = 'ctx._source.n += params.by';
const STATE = stateWith([{ name: 'i', shards: [['n1']] }], {
  customs: new Map([['storedScripts', { add: { lang: 'painless', source: SOURCE } }]]),
});

const bulkOf = (body: string): BulkRequest => ({
  body: Buffer.from(body),
  index: 'i',
  routing: null,
  pipeline: null,
  requireAlias: null,
  updateSource: undefined,
  listsPipelines: false,
  allowType: false,
  refresh: 'none',
  timeoutMs: 60_000,
  waitForActiveShards: null,
});

/** Sends updates with these bodies; returns what reached the shard and the statuses of the items. */
async function updated(
  bodies: readonly string[],
  memory: Partial<CoordinatorMemory> = {},
): Promise<{ readonly sources: string[]; readonly statuses: number[] }> {
  const sources: string[] = [];
  const shards = {
    bulk(bulk: messages.BulkShardRequest): messages.BulkShardResponse {
      for (const item of bulk.items)
        sources.push(Buffer.from(bulk.sources.subarray(item.sourceStart, item.sourceEnd)).toString());
      const done = { outcome: 0, version: 1, seqNo: 0, primaryTerm: 1, error: undefined, get: undefined };
      return { items: bulk.items.map(() => done), forcedRefresh: false };
    },
  };
  const lines = bodies.map((body, i) => `{"update":{"_id":"${i}"}}\n${body}\n`).join('');
  const coordinator = fakeCoordinator(STATE, shards, undefined, memory);
  const { items } = jsonOf(await coordinator.bulk(bulkOf(lines), CALL)) as {
    items: { update: { status: number } }[];
  };
  return { sources, statuses: items.map(({ update }) => update.status) };
}

test('an update is sent with the text of its stored script, and its whole doubles', async () => {
  const { sources } = await updated([
    '{"script":{"id":"add","params":{"by":1.0}},"upsert":{"n":2.0}}',
    '{"script":{"\\u0069d":"add"}}',
    '{"script":{"id":"nope"}}',
    '{"doc":{"id":"add"}}',
  ]);
  assert.deepEqual(sources, [
    `{"script":{"params":{"by":1.0},"lang":"painless","source":"${SOURCE}"},"upsert":{"n":2.0}}`,
    `{"script":{"lang":"painless","source":"${SOURCE}"}}`,
    '{"script":{"id":"nope"}}',
    '{"doc":{"id":"add"}}',
  ]);
});

test('an update that has no room for the text of its script is refused, the others are written', async () => {
  let [used, asked] = [0, 0];
  const takeWrite = (bytes: number): (() => void) => {
    // The first is the body.
    if (asked++ === 2) throw errors.rejectedExecution('no room');
    used += bytes;
    return () => void (used -= bytes);
  };
  const add = '{"script":{"id":"add"}}';
  const { sources, statuses } = await updated([add, add, '{"doc":{"a":1}}'], { takeWrite });
  assert.deepEqual([statuses, sources.length, used], [[201, 429, 201], 2, 0]);
});
