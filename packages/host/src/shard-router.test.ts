import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '@shoal/doors';
import { NO_ERROR, replication, shard } from '@shoal/protocol';
import { placeShard } from './place-shard.js';
import { createShardRouter } from './shard-router.js';

const NEVER = new AbortController().signal;
const NONE = new Uint8Array(0);
const RESULT = shard.decodeShardQueryResult(new Uint8Array(0));

/** Creates a thread that answers queries with its number as total hits, and contexts with its name. */
function fakeThread(thread: number, seen: string[]): Channel {
  return {
    async request(action, payload) {
      seen.push(`${thread} ${action}`);
      if (action === 'shard/query') {
        const { targets } = shard.decodeQueryRequest(payload);
        return shard.encodeQueryResponse({
          results: targets.map((target, i) => ({
            ...RESULT,
            target: i,
            total: (target.shard?.shard ?? 0) * 10 + thread,
          })),
        });
      }
      if (action === 'shard/open-contexts') {
        const { targets } = shard.decodeOpenContextRequest(payload);
        return shard.encodeOpenContextResponse({
          contexts: targets.map((target) => `${thread}/${target.shard?.shard}`),
          errors: targets.map(() => NO_ERROR),
          errorsJson: [],
        });
      }
      if (action === 'shard/free-contexts') return shard.encodeFreeContextsResponse({ freed: 1 });
      return payload;
    },
  };
}

const targets = Array.from({ length: 5 }, (_, i) => ({
  shard: { indexUuid: 'u', shard: i },
  indexName: 'i',
  filter: undefined,
  boost: 1,
  context: undefined,
}));

test(
  'a query over shards of several threads is split and its ' + 'answers come back in the order of the targets',
  async () => {
    const router = createShardRouter([fakeThread(0, []), fakeThread(1, []), fakeThread(2, [])]);
    const request = { ...shard.decodeQueryRequest(new Uint8Array(0)), targets };
    const { results } = shard.decodeQueryResponse(
      await router('shard/query', shard.encodeQueryRequest(request), NEVER),
    );
    assert.deepEqual(
      results.map((r) => r.target),
      [0, 1, 2, 3, 4],
    );
    assert.deepEqual(
      results.map((r) => r.total),
      targets.map((t) => t.shard.shard * 10 + placeShard('u', t.shard.shard, 3)),
    );
  },
);

test('the sender learns which threads get a part of its message', async () => {
  const router = createShardRouter([fakeThread(0, []), fakeThread(1, []), fakeThread(2, [])]);
  const threads: number[] = [];
  const origin = { parentTask: null, onThread: (thread: number): void => void threads.push(thread) };
  const request = { ...shard.decodeQueryRequest(new Uint8Array(0)), targets: targets.slice(0, 2) };
  await router('shard/query', shard.encodeQueryRequest(request), NEVER, origin);
  assert.deepEqual(threads, [placeShard('u', 0, 3), placeShard('u', 1, 3)]);
  threads.length = 0;
  await router('shard/get', NONE, NEVER, { ...origin, shard: { indexUuid: 'u', shard: 2 } });
  assert.deepEqual(threads, [placeShard('u', 2, 3)]);
});

test('no more shards are searched at once than the request allows', async () => {
  let running = 0;
  let most = 0;
  const slow = (thread: number) => {
    const inner = fakeThread(thread, []);
    return {
      ...inner,
      request: async (...call: Parameters<typeof inner.request>) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return inner.request(...call);
      },
    };
  };
  const router = createShardRouter([slow(0), slow(1), slow(2)]);
  const request = { ...shard.decodeQueryRequest(new Uint8Array(0)), targets };
  for (const [maxConcurrent, expected] of [
    [0, 3],
    [2, 2],
    [1, 1],
  ] as const) {
    most = 0;
    const { results } = shard.decodeQueryResponse(
      await router('shard/query', shard.encodeQueryRequest({ ...request, maxConcurrent }), NEVER),
    );
    assert.deepEqual(
      results.map((r) => r.target),
      [0, 1, 2, 3, 4],
    );
    assert.equal(most, expected);
  }
});

test('messages for one shard go to its thread with their bytes as they came', async () => {
  const seen: string[] = [];
  const router = createShardRouter([fakeThread(0, seen), fakeThread(1, seen)]);
  for (const id of [0, 1]) {
    const payload = shard.encodeShardCall({
      shard: { indexUuid: 'u', shard: id },
      indexName: 'i',
      action: 'refresh',
      body: new Uint8Array(0),
    });
    assert.deepEqual(await router('shard/call', payload, NEVER), payload);
  }
  assert.deepEqual(
    seen,
    [0, 1].map((id) => `${placeShard('u', id, 2)} shard/call`),
  );
});

test('a message whose sender told its shard is passed on unread, one of an older sender is read for it', async () => {
  const seen: string[] = [];
  const router = createShardRouter([fakeThread(0, seen), fakeThread(1, seen)]);
  const unreadable = Uint8Array.of(0xff);
  for (const id of [0, 1, 2]) {
    const shardOfHead = { indexUuid: 'u', shard: id };
    const { action } = replication.methods.replicate;
    assert.equal(await router(action, unreadable, NEVER, { parentTask: null, shard: shardOfHead }), unreadable);
    const copy = { ...shardOfHead, allocationId: 'a', primaryTerm: 1 };
    await router(
      action,
      replication.encodeReplicateRequest({ ...replication.decodeReplicateRequest(NONE), copy }),
      NEVER,
    );
  }
  assert.deepEqual(
    seen,
    [0, 0, 1, 1, 2, 2].map((id) => `${placeShard('u', id, 2)} replication/replicate`),
  );
  await assert.rejects(router(replication.methods.replicate.action, unreadable, NEVER));
});

test('contexts are opened where their shards live and freed wherever they are', async () => {
  const router = createShardRouter([fakeThread(0, []), fakeThread(1, [])]);
  const opened = shard.decodeOpenContextResponse(
    await router('shard/open-contexts', shard.encodeOpenContextRequest({ targets, keepAliveMs: 1 }), NEVER),
  );
  assert.deepEqual(
    opened.contexts,
    targets.map((t) => `${placeShard('u', t.shard.shard, 2)}/${t.shard.shard}`),
  );
  const freed = shard.decodeFreeContextsResponse(
    await router('shard/free-contexts', shard.encodeFreeContextsRequest({ contexts: opened.contexts }), NEVER),
  );
  assert.equal(freed.freed, 2);
});

test('an unknown action is refused by name', async () => {
  const router = createShardRouter([fakeThread(0, []), fakeThread(1, [])]);
  await assert.rejects(router('shard/nope', new Uint8Array(0), NEVER), {
    type: 'illegal_argument_exception',
    reason: 'unknown action [shard/nope]',
  });
});

test('messages go as they are to the only thread that takes them so, to several as bytes', async () => {
  const thread: Channel = {
    request: async (_action, payload) => payload,
    local: { actions: new Set(['shard/bulk']), request: async (_action, message) => message },
  };
  const message = {};
  assert.equal(await createShardRouter([thread]).local!.handle('shard/bulk', message, NEVER), message);
  assert.equal(createShardRouter([fakeThread(0, [])]).local, undefined);
  assert.equal(createShardRouter([thread, thread]).local, undefined);
});
