import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
  applyDiff,
  diffState,
  stateDigest,
  emptyState,
  stateFromJson,
  stateToJson,
} from '@shoal/state';
import { TestCluster, testNode } from './allocation/testing/clusters.js';

const entries = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), fc.nat(3), {
  maxKeys: 4,
  noNullPrototype: true,
});

/** Metadata and tables that differ from number to number, in fields and in shards. */
const metadata = (n: number): unknown => ({
  uuid: 'u',
  version: n,
  ...(n > 1 ? { mapping: { n } } : {}),
  inSync: [[String(n)]],
});
const table = (n: number): ShardRouting[][] =>
  Array.from({ length: n }, (_, shard) => [
    {
      indexUuid: 'a',
      shard,
      primary: shard % 2 === 0,
      state: n > 2 ? 'STARTED' : 'UNASSIGNED',
      nodeId: n > 2 ? `n${n}` : null,
      relocatingNodeId: null,
      allocationId: null,
      recoverySource: 'PEER',
      ...(n === 1 ? { isForced: true as const } : {}),
      unassigned:
        n > 2
          ? null
          : {
              reason: 'NODE_LEFT',
              atMs: n,
              details: null,
              failedAttempts: n,
              delayedUntilMs: 5,
              failedNodeIds: ['x'],
              status: 'no_attempt',
            },
    },
  ]);
const values = (record: Readonly<Record<string, number>>, make: (n: number) => unknown): [string, unknown][] =>
  Object.entries(record).map(([key, n]) => [key, make(n)]);

const states: fc.Arbitrary<ClusterState> = fc
  .record({
    version: fc.nat(9),
    indices: entries,
    routing: entries,
    nodes: entries,
    customs: fc.dictionary(fc.constantFrom('pipelines', 'templates'), entries, { noNullPrototype: true }),
    persistent: entries,
  })
  .map(({ version, indices, routing, nodes, customs, persistent }) => ({
    ...emptyState(),
    version,
    stateUuid: `s${version}`,
    indices: new Map(values(indices, metadata)) as unknown as ClusterState['indices'],
    routing: new Map(values(routing, table)) as unknown as ClusterState['routing'],
    nodes: new Map(Object.entries(nodes)) as unknown as ClusterState['nodes'],
    customs: new Map(Object.entries(customs)),
    persistentSettings: Object.fromEntries(Object.entries(persistent).map(([key, value]) => [key, String(value)])),
  }));

const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

test('applying the difference of two states to the first gives the second', () => {
  fc.assert(
    fc.property(states, states, (from, to) => {
      const reached = applyDiff(withKeysAsUuids(from), overTheWire(diffState(from, to)));
      assert.deepEqual(sorted(reached), sorted(withKeysAsUuids(to)));
      assert.equal(stateDigest(reached), stateDigest(withKeysAsUuids(to)));
    }),
  );
});

test('a digest from that of the state before is the one from scratch', () => {
  fc.assert(
    fc.property(states, states, (one, other) => {
      const base = withKeysAsUuids(one);
      const mixed = new Map([...base.indices].filter((_, i) => i % 2 === 0));
      const next = withKeysAsUuids({ ...other, indices: new Map([...mixed, ...other.indices]) });
      stateDigest(base);
      assert.equal(
        stateDigest(next, base),
        stateDigest({ ...next, indices: new Map(next.indices), routing: new Map(next.routing) }),
      );
    }),
  );
});

/** Rows of a table take their index from where they stand. */
function withKeysAsUuids(state: ClusterState): ClusterState {
  return {
    ...state,
    routing: new Map(
      [...state.routing].map(([uuid, shards]) => [
        uuid,
        shards.map((copies) => copies.map((copy) => ({ ...copy, indexUuid: uuid }))),
      ]),
    ),
  };
}

function sorted(state: ClusterState): unknown {
  const order = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(order);
    return Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, order(child)]);
  };
  return order(stateToJson(state));
}

test('a state survives being written as JSON and read again', () => {
  fc.assert(fc.property(states, (state) => assert.deepEqual(stateFromJson(overTheWire(stateToJson(state))), state)));
});

test('parts that did not change keep their identity', () => {
  const meta = { uuid: 'u', name: 'i' } as IndexMetadata;
  const from: ClusterState = { ...emptyState(), stateUuid: 'one', indices: new Map([['u', meta]]) };
  const to: ClusterState = { ...from, stateUuid: 'two', persistentSettings: { 'search.max_buckets': '10' } };
  const reached = applyDiff(from, overTheWire(diffState(from, to)));
  assert.equal(reached.indices, from.indices);
  assert.equal(reached.routing, from.routing);
});

/** A cluster of a thousand indices is not needed to see that only what changed is sent. */
function threeNodes(): TestCluster {
  const c = new TestCluster(['n1', 'n2', 'n3'].map((id) => testNode(id)));
  c.create('one', 3, 1);
  c.create('two', 3, 1);
  c.settle();
  return c;
}

test('states that a cluster goes through are rebuilt from their differences, digest included', () => {
  const c = threeNodes();
  let received = stateFromJson(overTheWire(stateToJson(c.state)));
  const steps: (() => void)[] = [
    () => c.leave('n1'),
    () => c.run('reroute', {}),
    () => c.run('node-join', { nodes: [testNode('n4')] }),
    () => c.startAll(),
    () => void c.create('three', 1, 1),
    () => void c.settle(),
    () => c.run('delete-index', { uuids: [c.uuid('two')] }),
  ];
  for (const step of steps) {
    const before = c.state;
    step();
    received = applyDiff(received, overTheWire(diffState(before, c.state)));
    assert.deepEqual(stateToJson(received), stateToJson(c.state));
    assert.equal(stateDigest(received), stateDigest(c.state));
  }
});

test('one shard that starts sends one shard', () => {
  const c = threeNodes();
  const uuid = c.create('three', 3, 0);
  const before = c.state;
  const [copy] = before.routing.get(uuid)![1]!;
  c.run('shard-started', { indexUuid: uuid, shard: 1, allocationId: copy!.allocationId });
  const diff = diffState(before, c.state);
  assert.deepEqual(Object.keys(diff.routing?.shards ?? {}), [uuid]);
  assert.deepEqual(Object.keys(diff.routing?.shards?.[uuid] ?? {}), ['1']);
  assert.deepEqual(Object.keys(diff.indices?.change?.[uuid]?.set ?? {}).sort(), ['inSync', 'primaryTerms', 'version']);
  const reached = applyDiff(before, diff);
  assert.equal(reached.routing.get(uuid)![0], before.routing.get(uuid)![0], 'other shards keep their identity');
});

test('a digest sees one changed character and not the order of keys', () => {
  const c = threeNodes();
  const meta = [...c.state.indices.values()][0]!;
  const turned = Object.fromEntries(Object.entries(meta).reverse()) as unknown as IndexMetadata;
  const digest = (changed: IndexMetadata): string =>
    stateDigest({ ...c.state, indices: new Map(c.state.indices).set(meta.uuid, changed) });
  assert.equal(digest(turned), stateDigest(c.state));
  assert.notEqual(digest({ ...meta, name: 'onf' }), stateDigest(c.state));
});
