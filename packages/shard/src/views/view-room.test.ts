import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeValue, encodeValue, type Value } from '@shoal/codec';
import { type KeyValueStores, memoryStores, seededRandom } from '@shoal/doors';
import type { AccessLimits } from '@shoal/mapping';
import { encodeLimits, shard } from '@shoal/protocol';
import type { Progress } from '@shoal/query';
import { createBlockCache } from '@shoal/store';
import { createCacheBudgets } from '../engine/cache-budget.js';
import { restrictLease } from '../read/restrict-lease.js';
import { bytes, fieldsOnly, optionsBytes, PROGRESS } from '../read/test-search.js';
import { executeQueryPhase } from '../search/query-phase.js';
import { sourceOf } from '../search/search-source.js';
import { openTestShard, type TestShard, type TestWrite } from '../test-shard.js';
import type { SealedView, ViewAnswer, ViewSearch } from './sealed-view.js';
import { ViewRoom } from './view-room.js';

const MAPPING = {
  properties: {
    team: { type: 'keyword' },
    n: { type: 'long' },
    text: { type: 'text' },
    o: { type: 'nested', properties: { x: { type: 'integer' } } },
  },
};

const BODIES: readonly Record<string, unknown>[] = [
  { query: { match: { text: 'fox hound' } } },
  { size: 0, aggs: { t: { terms: { field: 'team' }, aggs: { s: { stats: { field: 'n' } } } } } },
  { query: { range: { n: { gte: 3 } } }, sort: [{ n: 'desc' }], track_total_hits: true },
  { query: { nested: { path: 'o', query: { term: { 'o.x': 2 } } } } },
  { query: { match_phrase: { text: 'brown fox' } }, explain: true },
  { size: 0, aggs: { o: { nested: { path: 'o' }, aggs: { x: { max: { field: 'o.x' } } } } } },
  { query: { match_all: {} }, collapse: { field: 'team' }, sort: [{ team: 'asc' }] },
];

const WORDS = ['quick', 'brown', 'fox', 'hound', 'lazy'];

/** A room over the stores of a shard that another thread would hold. */
function roomOver(opened: TestShard, stores: KeyValueStores = opened.stores): ViewRoom {
  return new ViewRoom({
    stores,
    cache: createBlockCache(1 << 20),
    budgets: createCacheBudgets(1 << 20, 1 << 20),
    parseIndex: () => {
      const lease = opened.shard.acquire();
      const { metadata } = lease.sealed!()!;
      lease.release();
      return metadata;
    },
  });
}

function requestOf(body: Record<string, unknown>, limits: AccessLimits | null): shard.QueryRequest {
  const size = Number(body['size'] ?? 10);
  return {
    targets: [{ indexName: 'test', boost: 1, ...(limits === null ? {} : { access: encodeLimits(limits) }) }],
    body: bytes(body),
    options: optionsBytes({
      searchType: 'query_then_fetch',
      shardSize: size,
      from: 0,
      size,
      allowExpensiveQueries: true,
      maxBuckets: 1000,
    }),
    nowMs: 0,
    fetch: true,
    keepContext: false,
    keepAliveMs: 0,
    maxConcurrent: 0,
  };
}

const serials = new Map<SealedView['parts'], number>();
function serialOf(parts: SealedView['parts']): number {
  if (!serials.has(parts)) serials.set(parts, serials.size);
  return serials.get(parts)!;
}

function messageOf(view: SealedView, request: shard.QueryRequest, isWhole = true): ViewSearch {
  const { location, rollbacks, parts, liveDocCount } = view;
  return {
    location,
    shard: view.shard,
    serial: serialOf(parts),
    rollbacks,
    view: isWhole ? { parts, liveDocCount } : null,
    index: { key: '0', json: isWhole ? new Uint8Array(0) : null },
    request: shard.encodeQueryRequest(request),
    elapsedMs: 0,
  };
}

async function ask(room: ViewRoom, message: ViewSearch, progress: Progress = PROGRESS): Promise<ViewAnswer> {
  const answer = await room.search(encodeValue(message as unknown as Value), progress);
  return decodeValue(answer) as unknown as ViewAnswer;
}

async function answered(room: ViewRoom, message: ViewSearch): Promise<shard.ShardQueryResult> {
  const answer = await ask(room, message);
  assert.ok(!answer.isMissing);
  return shard.decodeShardQueryResult(answer.result);
}

/** What a result says, independent of how its bytes lie in memory. */
const shown = (result: shard.ShardQueryResult): unknown =>
  Buffer.from(shard.encodeShardQueryResult({ ...result, profile: undefined })).toString('base64');

/** Compares what the room answers with what the shard itself does, for all bodies. */
async function checkSame(opened: TestShard, room: ViewRoom, limits: AccessLimits | null): Promise<number> {
  const held = opened.shard.acquire();
  try {
    const view = held.sealed!();
    if (view === null) return 0;
    for (const body of BODIES) {
      const request = requestOf(body, limits);
      const lease = restrictLease(held, request.targets[0]!.access);
      const source = sourceOf(request, null);
      const here = await executeQueryPhase(lease, request.targets[0]!, request, PROGRESS, source);
      assert.deepEqual(shown(await answered(room, messageOf(view, request))), shown(here), JSON.stringify(body));
    }
    return view.parts.length;
  } finally {
    held.release();
  }
}

function randomWrites(random: () => number): TestWrite[] {
  const below = (n: number): number => Math.floor(random() * n);
  return Array.from({ length: 1 + below(12) }, (): TestWrite => {
    const id = String(below(30));
    if (below(5) === 0) return { op: 'delete', id };
    const text = Array.from({ length: 4 }, () => WORDS[below(WORDS.length)]).join(' ');
    return { op: 'index', id, source: { team: 'rgb'[below(3)], n: below(9), text, o: [{ x: below(4) }] } };
  });
}

test('searches of sealed segments answer elsewhere what they answer here: after writes, deletes, merges', async () => {
  const random = seededRandom(24);
  const opened = await openTestShard({ mapping: MAPPING });
  const room = roomOver(opened);
  const limits: AccessLimits = { ...fieldsOnly(['*'], ['text']), queries: [['{"term":{"team":"r"}}']] };
  let segments = 0;
  for (let round = 0; round < 25; round++) {
    await opened.write(
      randomWrites(() => random.next()),
      1,
    );
    await opened.shard.flush();
    if (round % 6 === 5) await opened.shard.forceMerge({ maxNumSegments: 1, onlyExpungeDeletes: false });
    opened.shard.refresh();
    segments = Math.max(segments, await checkSame(opened, room, null));
    await checkSame(opened, room, limits);
  }
  assert.ok(segments > 1);
  await opened.shard.close();
});

test('a view with documents in a buffer is not searched elsewhere', async () => {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write([{ op: 'index', id: '1', source: { n: 1 } }], 1);
  const lease = opened.shard.acquire();
  assert.equal(lease.sealed!(), null);
  lease.release();
  await opened.shard.close();
  // A closed shard has nothing to show: its store would be opened by whoever asks for it.
  assert.equal(lease.sealed!(), null);
});

async function sealed(): Promise<{ readonly opened: TestShard; readonly view: SealedView; release(): void }> {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write([{ op: 'index', id: '1', source: { n: 1, team: 'r', text: 'fox' } }], 1);
  await opened.shard.flush();
  opened.shard.refresh();
  const lease = opened.shard.acquire();
  return { opened, view: lease.sealed!()!, release: lease.release };
}

test('the view is sent once; a room that lacks it says so, after a store was closed too', async () => {
  const { opened, view, release } = await sealed();
  const room = roomOver(opened);
  const request = requestOf(BODIES[1]!, null);
  assert.deepEqual(await ask(room, messageOf(view, request, false)), { isMissing: true });
  assert.equal((await answered(room, messageOf(view, request))).total, 1);
  assert.equal((await answered(room, messageOf(view, request, false))).total, 1);
  await room.forget(view.location);
  assert.deepEqual(await ask(room, messageOf(view, request, false)), { isMissing: true });
  release();
  await opened.shard.close();
});

test('closing a store ends the searches that read it, and waits for them', async () => {
  const { opened, view, release } = await sealed();
  let closed = 0;
  const stores = memoryStores();
  const counting: KeyValueStores = {
    ...stores,
    async open(location) {
      const store = await opened.stores.open(location);
      return { ...store, close: async () => void closed++ };
    },
  };
  const room = roomOver(opened, counting);
  let goOn = (): void => undefined;
  const paused = new Promise<void>((resolve) => (goOn = resolve));
  const slow: Progress = { ...PROGRESS, sliceOver: () => true, yield: () => paused };
  const running = ask(room, messageOf(view, requestOf(BODIES[1]!, null)), slow);
  const failed = assert.rejects(running, /the shard is being closed/);
  for (let i = 0; i < 20; i++) await Promise.resolve();
  let waits = 2;
  const forgotten = [1, 2].map(() => room.forget(view.location).then(() => waits--));
  for (let i = 0; i < 20; i++) await Promise.resolve();
  assert.equal(waits, 2);
  goOn();
  await Promise.all(forgotten);
  await failed;
  assert.equal(closed, 1);
  release();
  await opened.shard.close();
});

test('a search that found the view of before a rollback does not open a store closed meanwhile', async () => {
  const { opened, view, release } = await sealed();
  let opens = 0;
  const counting: KeyValueStores = {
    ...memoryStores(),
    async open(location) {
      opens++;
      return { ...(await opened.stores.open(location)), close: async () => undefined };
    },
  };
  const room = roomOver(opened, counting);
  const message = messageOf(view, requestOf(BODIES[1]!, null));
  let goOn = (): void => undefined;
  const paused = new Promise<void>((resolve) => (goOn = resolve));
  const running = ask(room, message, { ...PROGRESS, sliceOver: () => true, yield: () => paused });
  const failed = assert.rejects(running, /the shard is being closed/);
  for (let i = 0; i < 20; i++) await Promise.resolve();
  const later = ask(room, { ...message, rollbacks: message.rollbacks + 1 });
  for (let i = 0; i < 20; i++) await Promise.resolve();
  const forgotten = room.forget(view.location);
  goOn();
  await Promise.all([failed, forgotten]);
  assert.deepEqual([await later, opens], [{ isMissing: true }, 1]);
  release();
  await opened.shard.close();
});

test('the handles of other threads are closed before the store is', async () => {
  const events: string[] = [];
  const stores = memoryStores();
  const watched: KeyValueStores = {
    ...stores,
    async open(location) {
      const store = await stores.open(location);
      return {
        ...store,
        async close() {
          events.push('store closed');
          await store.close();
        },
      };
    },
  };
  const otherHandles = {
    ended: async (location: string) => void events.push(`ended ${location}`),
    clear: (location: string) => void events.push(`cleared ${location}`),
  };
  const opened = await openTestShard({ mapping: MAPPING, stores: watched, otherHandles });
  opened.shard.clearCaches();
  await opened.shard.close();
  assert.deepEqual(events.slice(0, 1), ['cleared shard/db']);
  assert.deepEqual(events.slice(-2), ['ended shard/db', 'store closed']);
});
