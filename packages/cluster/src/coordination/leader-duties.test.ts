import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stores as storeMessages } from '@shoal/protocol';
import { fakeClock, silentLog } from '@shoal/doors';
import { unassignedShard } from '../allocation/unassigned.js';
import { type ClusterState, type NodeInfo, emptyState } from '@shoal/state';
import { NOT_RECOVERED_BLOCK } from '../metadata/state-recovery.js';
import { LeaderDuties } from './leader-duties.js';

const NODE: NodeInfo = {
  id: 'n',
  ephemeralId: 'n#1',
  name: 'n',
  host: 'h',
  ip: '10.0.0.1',
  transportAddress: '10.0.0.1:9300',
  httpAddress: null,
  roles: ['data'],
  attributes: {},
  version: '8.12.0',
  dataAddress: null,
};

const stateWith = (nowMs: number): ClusterState => ({
  ...emptyState(),
  nodes: new Map([[NODE.id, NODE]]),
  routing: new Map([['u', [[unassignedShard('u', 0, false, { reason: 'REPLICA_ADDED', atMs: nowMs }, 'PEER')]]]]),
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function dutiesOf(initial: ClusterState, nodeSettings: Readonly<Record<string, string>> = {}) {
  const clock = fakeClock();
  const wall = { setBackMs: 0 };
  const asked: (((list: Partial<storeMessages.StoreList>) => void) & { fail: () => void })[] = [];
  const tasks: string[] = [];
  const world = { state: initial };
  const duties = new LeaderDuties({
    clock: { ...clock, now: () => clock.now() - wall.setBackMs },
    log: silentLog,
    master: { submit: async (task) => tasks.push(task), state: () => world.state },
    channel: () => ({
      request: (action) =>
        action === storeMessages.methods.list.action
          ? new Promise((resolve, reject) =>
              asked.push(
                Object.assign(
                  (list: Partial<storeMessages.StoreList>) =>
                    resolve(storeMessages.encodeStoreList({ shards: [], busy: [], ...list })),
                  {
                    fail: () => reject(new Error('no space')),
                  },
                ),
              ),
            )
          : new Promise(() => undefined),
    }),
    nodeSettings,
    asksForStores: true,
  });
  const stores = () => duties.allocationFacts().stores!('u', 0);
  return { clock, wall, asked, tasks, world, duties, stores };
}

test('what a node tells a master that was none for a while does not keep it from being asked again', async () => {
  const { clock, asked, tasks, world, duties, stores } = dutiesOf(stateWith(1));
  duties.applied(world.state);
  assert.equal(asked.length, 1);
  duties.stop();
  clock.advance(500);
  duties.applied(world.state);
  assert.equal(asked.length, 2);
  asked[0]!({ shards: [] });
  await settled();
  assert.equal(stores(), 'unknown');
  asked[1]!({ shards: [] });
  await settled();
  assert.deepEqual(stores(), []);
  assert.deepEqual(tasks, ['reroute']);
});

test('a copy that is given up while a node is asked has it asked again', async () => {
  const { clock, asked, world, duties, stores } = dutiesOf(stateWith(1));
  duties.applied(world.state);
  clock.advance(500);
  world.state = stateWith(500);
  duties.applied(world.state);
  assert.equal(asked.length, 1);
  asked[0]!({ shards: [] });
  await settled();
  assert.equal(asked.length, 2);
  asked[1]!({ shards: [] });
  await settled();
  assert.deepEqual(stores(), []);
});

test('nobody is asked for stores of a shard that was just made', () => {
  const { asked, world, duties } = dutiesOf({
    ...stateWith(1),
    routing: new Map([['u', [[unassignedShard('u', 0, false, { reason: 'INDEX_CREATED', atMs: 1 }, 'PEER')]]]]),
  });
  duties.applied(world.state);
  assert.equal(asked.length, 0);
});

test('a copy whose wait ends after its timer, as the wall clock was set back, does not wait for ever', async () => {
  const { clock, wall, tasks, world, duties } = dutiesOf(stateWith(1));
  const copy = unassignedShard('u', 0, true, { reason: 'ALLOCATION_FAILED', atMs: clock.now() }, 'PEER');
  const waiting = { ...copy, unassigned: { ...copy.unassigned!, retryAtMs: clock.now() + 500 } };
  world.state = { ...world.state, routing: new Map([['u', [[waiting]]]]) };
  duties.applied(world.state);
  wall.setBackMs = 1;
  clock.advance(500);
  assert.deepEqual(tasks, ['reroute']);
  await settled();
  clock.advance(100);
  assert.deepEqual(tasks, ['reroute', 'reroute']);
});

test('nodes that are expected are waited for no longer than the time after which the state is recovered', () => {
  const settings = { 'gateway.expected_data_nodes': '2', 'gateway.recover_after_time': '10s' };
  const { clock, tasks, world, duties } = dutiesOf(
    { ...emptyState(), nodes: new Map([[NODE.id, NODE]]), blocks: [NOT_RECOVERED_BLOCK] },
    settings,
  );
  duties.applied(world.state);
  clock.advance(9_000);
  duties.applied(world.state);
  assert.ok(!tasks.includes('recover-state'));
  clock.advance(1_000);
  assert.ok(tasks.includes('recover-state'));
});

test('with fewer nodes than there must be the time does not begin', () => {
  const settings = { 'gateway.recover_after_data_nodes': '2', 'gateway.recover_after_time': '10s' };
  const { clock, tasks, world, duties } = dutiesOf(
    { ...emptyState(), nodes: new Map([[NODE.id, NODE]]), blocks: [NOT_RECOVERED_BLOCK] },
    settings,
  );
  duties.applied(world.state);
  clock.advance(20_000);
  assert.ok(!tasks.includes('recover-state'));
});

const STORE = {
  indexUuid: 'u',
  shard: 0,
  allocationId: 'a',
  prevAllocationId: null,
  damaged: false,
  term: 1,
  maxSeqNo: 5,
  globalCheckpoint: 5,
  segmentHashes: 0,
};

test(
  'a store that was in use when the node told its stores is asked ' + 'for again, and nothing is decided without it',
  async () => {
    const { clock, asked, tasks, world, duties, stores } = dutiesOf(stateWith(1));
    duties.applied(world.state);
    asked[0]!({ shards: [], busy: [{ indexUuid: 'u', shard: 0 }] });
    await settled();
    assert.equal(stores(), 'unknown');
    clock.advance(1_000);
    assert.equal(asked.length, 2);
    asked[1]!({ shards: [STORE] });
    await settled();
    assert.equal((stores() as readonly unknown[]).length, 1);
    assert.equal(tasks.at(-1), 'reroute');
    clock.advance(60_000);
    assert.equal(asked.length, 2);
  },
);

test(
  'a store that is in use for long keeps nobody waiting, and ' + 'one that no copy waits for has nobody asked',
  async () => {
    const { clock, asked, world, duties, stores } = dutiesOf(stateWith(1));
    duties.applied(world.state);
    for (let answer = 1; answer <= 3; answer++) {
      assert.equal(stores(), 'unknown');
      asked.at(-1)!({ shards: [], busy: [{ indexUuid: 'u', shard: 0 }] });
      await settled();
      clock.advance(1_000 * answer);
      assert.equal(asked.length, answer + 1);
    }
    assert.deepEqual(stores(), []);
    asked.at(-1)!({ shards: [STORE], busy: [{ indexUuid: 'other', shard: 0 }] });
    await settled();
    assert.equal((stores() as readonly unknown[]).length, 1);
    clock.advance(60_000);
    assert.equal(asked.length, 4);
  },
);

test(
  'a node that could not tell its stores three times keeps ' + 'nobody waiting, but is asked on until it can',
  async () => {
    const { clock, asked, tasks, world, duties, stores } = dutiesOf(stateWith(1));
    duties.applied(world.state);
    for (let failure = 1; failure <= 4; failure++) {
      if (failure <= 3) assert.equal(stores(), 'unknown');
      asked.at(-1)!.fail();
      await settled();
      if (failure >= 3) assert.deepEqual(stores(), []);
      clock.advance(1_000 * failure);
      assert.equal(asked.length, failure + 1);
    }
    const before = tasks.length;
    asked.at(-1)!({ shards: [STORE] });
    await settled();
    assert.equal((stores() as readonly unknown[]).length, 1);
    assert.equal(tasks.length, before + 1);
    clock.advance(60_000);
    assert.equal(asked.length, 5);
  },
);
