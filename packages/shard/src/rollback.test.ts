import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyValueStore, type KeyValueStores, memoryStores } from '@shoal/doors';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { openTestShard, type TestShard } from './test-shard.js';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const write = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('index' as const),
      id,
      source: fc.record({ n: fc.nat(9) }, { noNullPrototype: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('delete' as const), id }) },
);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      writes: fc.array(write, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refresh' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge' as const), max: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('safe' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('rollback' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
);

/** The expected documents after each operation of the log. */
class History {
  readonly states: ReadonlyMap<string, unknown>[] = [];

  get newest(): ReadonlyMap<string, unknown> {
    return this.states.at(-1) ?? new Map();
  }

  write(name: string, source: unknown): void {
    const next = new Map(this.newest);
    if (source === undefined) next.delete(name);
    else next.set(name, source);
    this.states.push(next);
  }
}

function check(shard: TestShard, history: History): void {
  shard.shard.refresh();
  assert.deepEqual([...shard.visible()].sort(), [...history.newest].sort());
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const put = (...ids: ('a' | 'b')[]): Step => ({
  kind: 'write',
  writes: ids.map((one) => ({ op: 'index', id: one, source: { n: 0 } })),
});
const FLUSH: Step = { kind: 'flush' };
const MERGE: Step = { kind: 'merge', max: 1 };
/** Steps in which the log is cut while a merge, already chosen, waits for the check for room. */
const MERGE_MEANWHILE: Step[] = [
  put('a', 'b'),
  MERGE,
  put('a'),
  FLUSH,
  { kind: 'write', writes: [{ op: 'delete', id: 'a' }] },
  put('a', 'a'),
  { kind: 'rollback', share: 0 },
  FLUSH,
  put('a'),
  { kind: 'refresh' },
  MERGE,
  put('a'),
];

test(
  'a shard that is rolled back is as it was after that operation, ' + 'whatever was flushed, merged or reopened since',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const history = new History();
        let shard = await openTestShard({ isAlone: false });
        let safe = -1;
        for (const next of steps) {
          const { log } = shard.shard;
          const between = (share: number): number =>
            safe + Math.floor(share * (history.states.length - 1 - safe + 0.99));
          if (next.kind === 'write') {
            const results = await shard.write(next.writes);
            next.writes.forEach(
              (one, i) => (
                assert.equal(results[i]!.error, undefined),
                history.write(one.id, 'source' in one ? one.source : undefined)
              ),
            );
          } else if (next.kind === 'flush') await shard.shard.flush();
          else if (next.kind === 'refresh') check(shard, history);
          else if (next.kind === 'merge')
            await shard.shard.forceMerge({ maxNumSegments: next.max, onlyExpungeDeletes: false });
          else if (next.kind === 'reopen') {
            shard = await shard.reopen('crash');
            shard.shard.log.setGlobalCheckpoint(safe);
          } else if (next.kind === 'safe') {
            safe = between(next.share);
            log.setGlobalCheckpoint(safe);
          } else {
            const to = between(next.share);
            await log.rollBack(to);
            history.states.length = to + 1;
            assert.equal(log.maxSeqNo, to);
            check(shard, history);
          }
        }
        check(shard, history);
        check(await shard.reopen('crash'), history);
        assert.deepEqual(shard.failures, []);
      }),
      { numRuns: runs(40), examples: [[MERGE_MEANWHILE]] },
    );
  },
);

test('a shard that was rolled back behind a trim has every operation above the floor that it opens with', async () => {
  let shard = await openTestShard({ isAlone: false });
  const overwrite = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await shard.write([{ op: 'index', id: 'a', source: { n: i } }]);
  };
  shard.shard.log.setLeases([{ id: 'peer_recovery/n', retainedSeqNo: 0, atMs: 0 }]);
  await overwrite(10);
  shard.shard.log.setGlobalCheckpoint(9);
  await shard.shard.flush();
  shard.shard.log.setLeases([]);
  await overwrite(5);
  await shard.shard.flush();
  await shard.shard.log.rollBack(9);
  shard = await shard.reopen('crash');
  const { log } = shard.shard;
  for (let seqNo = log.historyFloor; seqNo <= log.maxSeqNo; seqNo++)
    assert.ok(log.store.record(seqNo), `operation [${seqNo}]`);
});

test('a pinned commit keeps the deletes that it remembers, also when their time is over', async () => {
  const { shard, write, clock } = await openTestShard({ isAlone: false });
  await write([
    { op: 'index', id: 'a', source: {} },
    { op: 'delete', id: 'a' },
  ]);
  shard.log.setGlobalCheckpoint(1);
  await shard.flush();
  const pin = shard.log.pin()!;
  clock.advance(61_000);
  await shard.flush();
  await shard.log.store.sizeInBytes();
  await new Promise((resolve) => setImmediate(resolve));
  for (const seqNo of pin.commit.tombstones) assert.ok(shard.log.store.record(seqNo), `delete [${seqNo}]`);
  pin.release();
});

/** Returns stores that yield between two entries of a read, as stores on disk do. */
function pacedStores(): KeyValueStores {
  const stores = memoryStores();
  return {
    ...stores,
    async open(location) {
      const store = await stores.open(location);
      const entries: KeyValueStore['entries'] = async function* (range) {
        for await (const entry of store.entries(range)) {
          await new Promise((resolve) => setImmediate(resolve));
          yield entry;
        }
      };
      return { ...store, entries };
    },
  };
}

test(
  'a document that is read while the log is rolled back is the one ' + 'before or after it, never one of the replay',
  async () => {
    const { shard, write, get, failures } = await openTestShard({ isAlone: false, stores: pacedStores() });
    for (let n = 0; n < 10; n++) await write([{ op: 'index', id: 'a', source: { n } }]);
    shard.log.setGlobalCheckpoint(1);
    await write([{ op: 'index', id: 'a', source: { n: 99 } }]);
    let isOver = false;
    const rolledBack = shard.log.rollBack(9).then(() => (isOver = true));
    const seen: string[] = [];
    const reads: Promise<unknown>[] = [];
    while (!isOver) {
      reads.push(get('a').then(({ found, source }) => seen.push(found ? Buffer.from(source!).toString() : 'nothing')));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([rolledBack, ...reads]);
    assert.ok(seen.length > 3);
    assert.deepEqual(
      seen.filter((source) => source !== '{"n":9}' && source !== '{"n":99}'),
      [],
    );
    assert.deepEqual(failures, []);
  },
);
