import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ClusterState,
  type ShardRouting,
  isActive,
  isRelocationTarget,
  primaryOf,
  nextDelayedRerouteAt,
} from '@shoal/state';
import { Allocation } from './allocation.js';
import type { ShardStoreInfo } from './context.js';
import { canAllocate, canRemain } from './decide.js';
import { reroute } from './reroute.js';
import { TestCluster, testNode } from './testing/clusters.js';

const cluster = (...ids: string[]): TestCluster => new TestCluster(ids.map((id) => testNode(id)));

function counts(c: TestCluster): Record<string, number> {
  const result: Record<string, number> = Object.fromEntries([...c.state.nodes.keys()].map((id) => [id, 0]));
  for (const copy of c.copies()) if (copy.nodeId !== null) result[copy.nodeId]!++;
  return result;
}

function primary(c: TestCluster, name: string, shard = 0): ShardRouting {
  return primaryOf(c.state.routing.get(c.uuid(name))![shard]!)!;
}

const inSync = (c: TestCluster, name: string, shard = 0): readonly string[] =>
  c.state.indices.get(c.uuid(name))!.inSync[shard]!;
const term = (c: TestCluster, name: string, shard = 0): number =>
  c.state.indices.get(c.uuid(name))!.primaryTerms[shard]!;

test('a new index gets its primaries first, spread over the nodes, then its replicas elsewhere', () => {
  const c = cluster('n1', 'n2', 'n3');
  c.create('books', 3, 1);
  assert.deepEqual(c.picture('books'), ['p:n1 r:-', 'p:n2 r:-', 'p:n3 r:-']);
  c.settle();
  assert.deepEqual(counts(c), { n1: 2, n2: 2, n3: 2 });
  assert.equal(inSync(c, 'books').length, 2);
});

test(
  'when a node leaves, in-sync replicas become primaries of a new ' +
    'term in the same state and its copies wait for it',
  () => {
    const c = cluster('n1', 'n2', 'n3');
    c.create('books', 1, 2);
    c.settle();
    const before = inSync(c, 'books');
    c.leave('n1');
    const now = primary(c, 'books');
    assert.ok(isActive(now) && before.includes(now.allocationId!));
    assert.equal(term(c, 'books'), 2);
    assert.deepEqual(inSync(c, 'books'), before);
    const lost = c.copies().find((copy) => copy.state === 'UNASSIGNED')!;
    assert.deepEqual(
      [lost.unassigned?.reason, lost.unassigned?.details, lost.unassigned?.delayedUntilMs],
      ['NODE_LEFT', 'node_left [n1]', c.nowMs + 60_000],
    );
    assert.equal(nextDelayedRerouteAt(c.state), c.nowMs + 60_000);
  },
);

test('a primary that failed waits for its next attempt by no clock that was ahead', () => {
  const c = cluster('n1');
  c.create('books', 1, 0);
  c.settle();
  c.nowMs += 3_600_000;
  for (let i = 0; i < 3; i++) {
    const { indexUuid, allocationId } = primary(c, 'books');
    c.run('shard-failed', {
      indexUuid,
      shard: 0,
      allocationId,
      failure: { type: 'i_o_exception', reason: 'no space' },
    });
    if (i < 2) c.nowMs += 1_000;
    if (i < 2) c.run('reroute', {});
  }
  c.run('reroute', {});
  assert.equal(primary(c, 'books').state, 'UNASSIGNED');
  c.nowMs -= 3_600_000;
  c.run('reroute', {});
  assert.notEqual(primary(c, 'books').state, 'UNASSIGNED');
});

test('a replica whose node left goes elsewhere once the delay is over', () => {
  const c = cluster('n1', 'n2', 'n3');
  c.create('books', 1, 1);
  c.settle();
  c.leave('n2');
  c.settle();
  assert.equal(c.copies().filter((copy) => copy.state === 'UNASSIGNED').length, 1);
  c.nowMs += 60_000;
  c.settle();
  assert.equal(c.copies().filter(isActive).length, 2);
  assert.equal(nextDelayedRerouteAt(c.state), null);
});

test('the return of its node ends the wait of a replica', () => {
  const c = cluster('n1', 'n2');
  c.create('books', 1, 1);
  c.settle();
  c.leave('n2');
  c.run('node-join', { nodes: [testNode('n2', { ephemeralId: 'again' })] });
  c.settle();
  assert.equal(c.copies().filter(isActive).length, 2);
});

test('a node that joins as a new process loses the copies of its former one', () => {
  const c = cluster('n1', 'n2');
  c.create('books', 1, 1);
  c.settle();
  const holder = primary(c, 'books').nodeId!;
  c.run('node-join', { nodes: [testNode(holder, { ephemeralId: 'again' })] });
  assert.notEqual(primary(c, 'books').nodeId, holder);
  assert.equal(term(c, 'books'), 2);
});

const store = (nodeId: string, allocationId: string | null, changes: Partial<ShardStoreInfo> = {}): ShardStoreInfo => ({
  nodeId,
  allocationId,
  prevAllocationId: null,
  damaged: false,
  term: 1,
  maxSeqNo: 10,
  globalCheckpoint: 10,
  segmentHashes: 1,
  ...changes,
});

/** One shard with an in-sync copy on n1 and n2, then all nodes restarted. */
function restarted(): { c: TestCluster; ids: readonly string[] } {
  const c = cluster('n1', 'n2', 'n3');
  c.create('books', 1, 1, { 'routing.allocation.include._name': 'n1,n2' });
  c.settle();
  const ids = inSync(c, 'books');
  c.extra = { stores: () => 'unknown' };
  c.run('elected', {
    nodes: ['n1', 'n2', 'n3'].map((id) => testNode(id, { ephemeralId: `again-${id}` })),
    masterNodeId: 'n2',
  });
  return { c, ids };
}

const nodeOfId = (ids: readonly string[], position: number): readonly [string, string] => [
  `n${position + 1}`,
  ids[position]!,
];

test(
  'after a full restart a primary waits for the list of stores, then starts from the in-sync one with most ' +
    'operations under its id',
  () => {
    const { c, ids } = restarted();
    assert.equal(c.state.masterNodeId, 'n2');
    assert.deepEqual(
      [primary(c, 'books').state, primary(c, 'books').unassigned?.reason, primary(c, 'books').unassigned?.status],
      ['UNASSIGNED', 'CLUSTER_RECOVERED', 'fetching_shard_data'],
    );
    const stores = [
      store(...nodeOfId(ids, 0)),
      store(...nodeOfId(ids, 1), { maxSeqNo: 12 }),
      store('n3', 'stale', { maxSeqNo: 99 }),
    ];
    c.extra = { stores: () => stores };
    c.run('reroute', {});
    assert.deepEqual([primary(c, 'books').nodeId, primary(c, 'books').allocationId], ['n2', ids[1]]);
    assert.equal(term(c, 'books'), 2);
    c.settle();
    assert.deepEqual([...inSync(c, 'books')].length, 2);
  },
);

test(
  'stale and damaged stores do not become primaries; a store that ' +
    'was being recovered does by the id it had before',
  () => {
    const { c, ids } = restarted();
    c.extra = { stores: () => [store('n1', ids[0]!, { damaged: true }), store('n2', 'other', { maxSeqNo: 50 })] };
    c.run('reroute', {});
    assert.deepEqual(
      [primary(c, 'books').state, primary(c, 'books').unassigned?.status],
      ['UNASSIGNED', 'no_valid_shard_copy'],
    );
    c.extra = { stores: () => [store('n2', 'newer', { prevAllocationId: ids[1]! })] };
    c.run('reroute', {});
    assert.deepEqual([primary(c, 'books').nodeId, primary(c, 'books').allocationId], ['n2', ids[1]]);
  },
);

test('a primary whose only data lies on a node that filters exclude starts there all the same', () => {
  const { c, ids } = restarted();
  c.run('cluster-settings', {
    persistent: { 'cluster.routing.allocation.exclude._name': 'n1', 'cluster.routing.allocation.enable': 'none' },
    transient: {},
  });
  c.extra = { stores: () => [store('n1', ids[0]!)] };
  c.run('reroute', {});
  assert.equal(primary(c, 'books').nodeId, 'n1');
});

test('a replica goes to the node that has most of its data', () => {
  const c = cluster('n1', 'n2', 'n3', 'n4');
  c.create('books', 1, 1);
  c.settle();
  const [kept, lost] = [primary(c, 'books').nodeId!, c.copies().find((copy) => !copy.primary)!.nodeId!];
  c.leave(lost);
  const other = ['n1', 'n2', 'n3', 'n4'].findLast((id) => id !== kept && id !== lost)!;
  c.extra = { stores: () => [store(kept, primary(c, 'books').allocationId), store(other, 'old', { maxSeqNo: 9 })] };
  c.run('reroute', {});
  assert.equal(c.copies().find((copy) => !copy.primary)?.nodeId, other, 'without waiting for the node that left');
});

test('after a full restart all copies come back to where they were', () => {
  const c = cluster('n1', 'n2', 'n3', 'n4').withStores();
  c.create('books', 4, 1);
  c.settle();
  const places = (): string[] =>
    c
      .copies()
      .map((copy) => `${copy.shard} ${copy.nodeId}`)
      .sort();
  const before = places();
  c.run('elected', {
    nodes: [...c.state.nodes.values()].map((node) => ({ ...node, ephemeralId: `again-${node.id}` })),
  });
  c.settle();
  assert.deepEqual(places(), before);
});

test('a report of an older term is refused, one about a copy that is gone changes nothing', () => {
  const c = cluster('n1', 'n2');
  const uuid = c.create('books', 1, 1);
  c.settle();
  const [old, other] = inSync(c, 'books');
  c.leave(primary(c, 'books').nodeId!);
  const body = { indexUuid: uuid, shard: 0, allocationId: other, primaryTerm: 1, markStale: true };
  assert.throws(() => c.run('shard-failed', body), { type: 'no_longer_primary_shard_exception' });
  const before = c.state;
  c.run('shard-failed', { ...body, allocationId: 'gone', primaryTerm: 2, markStale: false });
  assert.equal(c.state, before);
  c.run('shard-failed', { ...body, allocationId: old, primaryTerm: 2 });
  assert.deepEqual(inSync(c, 'books'), [other], 'the id of a copy without a place leaves the set too');
});

test('a copy that reports as started in a term that is over is not: it recovered from a primary before', () => {
  const c = cluster('n1', 'n2');
  const uuid = c.create('books', 1, 1);
  const body = { indexUuid: uuid, shard: 0, allocationId: primary(c, 'books').allocationId };
  const before = c.state;
  c.run('shard-started', { ...body, primaryTerm: 0 });
  assert.equal(c.state, before);
  c.run('shard-started', { ...body, primaryTerm: 1 });
  assert.ok(isActive(primary(c, 'books')));
});

test('ids without a copy leave the in-sync set when fewer copies are asked for, unless no copy is active', () => {
  const c = cluster('n1', 'n2');
  const uuid = c.create('books', 1, 1);
  c.settle();
  const kept = primary(c, 'books');
  c.leave(c.copies().find((copy) => !copy.primary)!.nodeId!);
  assert.equal(inSync(c, 'books').length, 2);
  const withReplicas = (count: number): unknown =>
    c.run('update-settings', { uuids: [uuid], settings: { 'index.number_of_replicas': String(count) } });
  withReplicas(0);
  assert.deepEqual(
    inSync(c, 'books'),
    [kept.allocationId],
    'its store may be deleted by its node: nothing may wait for it or start from it',
  );
  const { c: none, ids } = restarted();
  none.run('update-settings', { uuids: [none.uuid('books')], settings: { 'index.number_of_replicas': '0' } });
  assert.deepEqual(inSync(none, 'books'), ids);
});

test('the last id of the in-sync set stays whatever is reported', () => {
  const c = cluster('n1');
  const uuid = c.create('books', 1, 0);
  c.settle();
  const [id] = inSync(c, 'books');
  c.run('shard-failed', {
    indexUuid: uuid,
    shard: 0,
    allocationId: id,
    markStale: true,
    failure: { type: 'i_o_exception', reason: 'disk' },
  });
  assert.deepEqual(inSync(c, 'books'), [id]);
  assert.equal(primary(c, 'books').recoverySource, 'EXISTING_STORE');
  assert.equal(term(c, 'books'), 2);
});

test('a node that drains gets nothing new and its primary goes to a replica without losing its in-sync id', () => {
  const c = cluster('n1', 'n2');
  const uuid = c.create('books', 1, 1);
  c.settle();
  const old = primary(c, 'books');
  c.run('node-draining', { id: old.nodeId, ephemeralId: `e-${old.nodeId}` });
  assert.deepEqual(
    c.run('yield-primary', { indexUuid: uuid, shard: 0, allocationId: old.allocationId, primaryTerm: 1 }),
    { acknowledged: true, yielded: true },
  );
  assert.ok(inSync(c, 'books').includes(old.allocationId!));
  assert.deepEqual([primary(c, 'books').state, term(c, 'books')], ['STARTED', 2]);
  c.leave(old.nodeId!);
  const waiting = c.copies().find((copy) => copy.state === 'UNASSIGNED')!;
  assert.equal(waiting.unassigned?.reason, 'NODE_RESTARTING');
});

test('a copy that a draining node gave up waits for its return and is not made anew elsewhere', () => {
  const c = cluster('n1', 'n2', 'n3').withStores();
  const uuid = c.create('books', 1, 1);
  c.settle();
  const old = primary(c, 'books');
  const process = { id: old.nodeId!, ephemeralId: `e-${old.nodeId}` };
  c.run('node-draining', process);
  c.run('yield-primary', { indexUuid: uuid, shard: 0, allocationId: old.allocationId });
  c.settle();
  assert.equal(c.copies().filter(isActive).length, 1);
  c.leave(old.nodeId!);
  c.run('node-join', { nodes: [testNode(old.nodeId!, { ephemeralId: 'again' })] });
  c.settle();
  assert.deepEqual(
    c.copies().map((copy) => copy.state),
    ['STARTED', 'STARTED'],
  );
  assert.ok(c.copies().some((copy) => copy.nodeId === old.nodeId));
});

test('copies move to a node that joins until all hold the same number, two at a time', () => {
  const c = cluster('n1', 'n2');
  c.create('books', 6, 1);
  c.settle();
  c.run('node-join', { nodes: [testNode('n3')] });
  assert.equal(c.copies().filter((copy) => copy.state === 'RELOCATING').length, 2);
  c.settle();
  assert.deepEqual(counts(c), { n1: 4, n2: 4, n3: 4 });
});

test('a primary that moves keeps its term; its target takes its place in the in-sync set', () => {
  const c = cluster('n1', 'n2');
  c.create('books', 1, 0, { 'routing.allocation.include._name': 'n1' });
  c.settle();
  const [id] = inSync(c, 'books');
  c.run('update-settings', { uuids: [c.uuid('books')], settings: { 'index.routing.allocation.include._name': 'n2' } });
  assert.deepEqual(c.picture('books'), ['P:n1>n2 p:n2<n1']);
  c.settle();
  assert.deepEqual(c.picture('books'), ['P:n2']);
  assert.equal(term(c, 'books'), 1);
  assert.ok(!inSync(c, 'books').includes(id!));
});

test('a move that fails is tried five times, then not until an operator asks', () => {
  const c = cluster('n1', 'n2');
  c.create('books', 1, 0, { 'routing.allocation.include._name': 'n1' });
  c.settle();
  c.run('update-settings', { uuids: [c.uuid('books')], settings: { 'index.routing.allocation.include._name': 'n2' } });
  let failures = 0;
  for (let target = c.copies()[1]; target; target = c.copies()[1], failures++) {
    c.run('shard-failed', {
      indexUuid: target.indexUuid,
      shard: 0,
      allocationId: target.allocationId,
      failure: { type: 'x', reason: 'y' },
    });
  }
  assert.equal(failures, 5);
  assert.deepEqual(c.picture('books'), ['P:n1']);
  c.run('reroute', { retryFailed: true });
  assert.deepEqual(c.picture('books'), ['P:n1>n2 p:n2<n1']);
});

test('auto_expand_replicas follows the nodes that may hold the index', () => {
  const c = cluster('n1', 'n2');
  c.create('books', 1, 0, { auto_expand_replicas: '0-all' });
  c.settle();
  const replicas = (): number => c.state.indices.get(c.uuid('books'))!.numberOfReplicas;
  assert.equal(replicas(), 1);
  c.run('node-join', { nodes: [testNode('n3')] });
  c.settle();
  assert.deepEqual([replicas(), c.copies().filter(isActive).length], [2, 3]);
  c.leave('n2');
  assert.deepEqual([replicas(), c.copies().length], [1, 2]);
});

test('an index that is opened again starts from the stores that are in sync', () => {
  const c = cluster('n1', 'n2', 'n3').withStores();
  c.create('books', 2, 1);
  c.settle();
  const before = c.state.indices.get(c.uuid('books'))!.inSync;
  c.run('close-index', { uuids: [c.uuid('books')] });
  c.run('open-index', { uuids: [c.uuid('books')] });
  [0, 1].forEach((shard) => assert.ok(before[shard]!.includes(primary(c, 'books', shard).allocationId!)));
  c.settle();
  assert.equal(c.copies().filter(isActive).length, 4);
});

test('an index that is closed and opened before its primaries have started begins empty', () => {
  const c = cluster('n1', 'n2').withStores();
  c.create('books', 2, 1);
  c.run('close-index', { uuids: [c.uuid('books')] });
  c.run('open-index', { uuids: [c.uuid('books')] });
  assert.deepEqual(
    [0, 1].map((shard) => primary(c, 'books', shard).recoverySource),
    ['EMPTY_STORE', 'EMPTY_STORE'],
  );
  c.settle();
  assert.equal(c.copies().filter(isActive).length, 4);
});

test('a closed index keeps as many copies as an open one: when a node leaves, its copies go elsewhere', () => {
  const c = cluster('n1', 'n2', 'n3').withStores();
  c.create('books', 2, 1);
  c.settle();
  c.run('close-index', { uuids: [c.uuid('books')] });
  c.settle();
  assert.equal(c.copies().filter(isActive).length, 4);
  c.leave('n2');
  c.nowMs += 60_000;
  c.settle();
  assert.deepEqual(
    [
      ...new Set(
        c
          .copies()
          .filter(isActive)
          .map((copy) => copy.nodeId),
      ),
    ].sort(),
    ['n1', 'n3'],
  );
  assert.equal(c.copies().filter(isActive).length, 4);
});

test('awareness spreads copies over zones; forced values keep room for a zone that is away', () => {
  const c = new TestCluster(['n1', 'n2'].map((id) => testNode(id, { attributes: { zone: 'a' } })));
  c.run('cluster-settings', {
    persistent: {
      'cluster.routing.allocation.awareness.attributes': 'zone',
      'cluster.routing.allocation.awareness.force.zone.values': 'a,b',
    },
    transient: {},
  });
  c.create('books', 1, 1);
  c.settle();
  assert.equal(c.copies().filter(isActive).length, 1);
  c.run('node-join', { nodes: [testNode('n3', { attributes: { zone: 'b' } })] });
  c.settle();
  assert.equal(c.copies().filter(isActive).length, 2);
});

test('disks: nothing new above the low watermark, copies leave above the high one', () => {
  const c = cluster('n1', 'n2');
  const gb = 2 ** 30;
  const free: Record<string, number> = { n1: 50 * gb, n2: 9 * gb };
  c.extra = { disk: (id) => ({ totalBytes: 100 * gb, freeBytes: free[id]! }) };
  c.create('books', 2, 1);
  c.settle();
  assert.deepEqual(c.picture('books'), ['P:n1 r:-', 'P:n1 r:-']);
  c.run('update-settings', { uuids: [c.uuid('books')], settings: { 'index.number_of_replicas': '0' } });
  free['n1'] = 5 * gb;
  free['n2'] = 60 * gb;
  c.settle();
  assert.ok(
    c
      .copies()
      .filter(isActive)
      .every((copy) => copy.nodeId === 'n2'),
  );
});

const settingsOf = fc.record({ shards: fc.integer({ min: 1, max: 5 }), replicas: fc.integer({ min: 0, max: 2 }) });
const KINDS = [
  'leave',
  'join',
  'start',
  'start',
  'start',
  'fail',
  'stale',
  'later',
  'reroute',
  'move',
  'cancel',
  'yield',
  'drain',
  'elect',
  'replicas',
] as const;
type Event = { readonly kind: (typeof KINDS)[number]; readonly pick: number };
const events: fc.Arbitrary<Event[]> = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(1000) }), {
  maxLength: 60,
});

function play(c: TestCluster, { kind, pick }: Event): void {
  const copies = c.copies();
  const ids = [...c.state.nodes.keys()];
  const copy = copies[pick % Math.max(1, copies.length)];
  const about = copy && { indexUuid: copy.indexUuid, shard: copy.shard, allocationId: copy.allocationId };
  if (kind === 'leave' && ids.length > 1) c.leave(ids[pick % ids.length]!);
  else if (kind === 'join') c.run('node-join', { nodes: [testNode(`n${pick % 5}`, { ephemeralId: `p${pick}` })] });
  else if (kind === 'start' && copy?.state === 'INITIALIZING') c.run('shard-started', about);
  else if (kind === 'fail' && copy?.allocationId)
    c.run('shard-failed', { ...about, failure: { type: 'x', reason: 'y' } });
  else if (kind === 'stale' && copy?.allocationId && !copy.primary)
    c.run('shard-failed', { ...about, markStale: true });
  else if (kind === 'later') c.nowMs += pick * 100;
  else if (kind === 'reroute') c.run('reroute', {});
  else if (kind === 'replicas' && copy)
    c.run('update-settings', { uuids: [copy.indexUuid], settings: { 'index.number_of_replicas': String(pick % 4) } });
  else operate(c, kind, pick, ids, copy);
}

/** What operators and nodes that end ask for. */
function operate(
  c: TestCluster,
  kind: Event['kind'],
  pick: number,
  ids: readonly string[],
  copy: ShardRouting | undefined,
): void {
  const node = c.state.nodes.get(ids[pick % ids.length]!)!;
  const index = copy && c.state.indices.get(copy.indexUuid)!.name;
  if (kind === 'drain')
    c.run('node-draining', { id: node.id, ephemeralId: node.ephemeralId, type: pick % 2 === 0 ? 'RESTART' : null });
  else if (kind === 'yield' && copy?.primary && copy.allocationId)
    c.run('yield-primary', { indexUuid: copy.indexUuid, shard: copy.shard, allocationId: copy.allocationId });
  else if (kind === 'elect')
    c.run('elected', {
      nodes: ids.filter((_, i) => i % 2 === pick % 2).map((id) => testNode(id, { ephemeralId: `q${pick}` })),
    });
  else if (kind === 'move' && copy?.nodeId)
    c.run('reroute', {
      explain: true,
      commands: [{ move: { index, shard: copy.shard, from_node: copy.nodeId, to_node: node.id } }],
    });
  else if (kind === 'cancel' && copy?.nodeId)
    c.run('reroute', { commands: [{ cancel: { index, shard: copy.shard, node: copy.nodeId, allow_primary: true } }] });
}

function checkShard(
  state: ClusterState,
  before: ClusterState,
  copies: readonly ShardRouting[],
  uuid: string,
  shard: number,
): void {
  const nodes = copies.flatMap((copy) => (copy.nodeId === null ? [] : [copy.nodeId]));
  assert.equal(new Set(nodes).size, nodes.length, 'two copies on one node');
  for (const id of nodes) assert.ok(state.nodes.has(id), 'a copy on a node that is gone');
  const meta = state.indices.get(uuid)!;
  const known = before.indices.get(uuid)?.inSync[shard] ?? [];
  if (known.length > 0) assert.ok(meta.inSync[shard]!.length > 0, 'the in-sync set became empty');
  for (const copy of copies)
    if (isActive(copy)) assert.ok(meta.inSync[shard]!.includes(copy.allocationId!), 'an active copy is not in sync');
  const standing = copies.filter((copy) => !isRelocationTarget(copy));
  assert.equal(standing.length, 1 + meta.numberOfReplicas);
  assert.equal(standing.filter((copy) => copy.primary).length, 1);
  checkPromotion(before, copies, meta.primaryTerms[shard]!, uuid, shard, known);
}

function checkPromotion(
  before: ClusterState,
  copies: readonly ShardRouting[],
  termNow: number,
  uuid: string,
  shard: number,
  known: readonly string[],
): void {
  const [was, is] = [primaryOf(before.routing.get(uuid)?.[shard] ?? []), primaryOf(copies)];
  if (!was || !is || !isActive(is) || was.allocationId === is.allocationId || was.state === 'RELOCATING') return;
  if (was.state === 'INITIALIZING' || was.state === 'UNASSIGNED') return;
  assert.ok(known.includes(is.allocationId!), 'a copy that was not in sync became primary');
  assert.ok(termNow > before.indices.get(uuid)!.primaryTerms[shard]!, 'a new primary in the old term');
}

function checkState(state: ClusterState, before: ClusterState): void {
  for (const [uuid, table] of state.routing)
    table.forEach((copies, shard) => checkShard(state, before, copies, uuid, shard));
}

test(
  'whatever happens: one copy a node, primaries only from the ' + 'in-sync set and in a new term, the set never empty',
  () => {
    fc.assert(
      fc.property(fc.array(settingsOf, { minLength: 1, maxLength: 3 }), events, (indices, history) => {
        const c = cluster('n0', 'n1', 'n2').withStores();
        indices.forEach(({ shards, replicas }, i) => c.create(`i${i}`, shards, replicas));
        for (const event of history) {
          const before = c.state;
          play(c, event);
          checkState(c.state, before);
        }
      }),
      { numRuns: 200 },
    );
  },
);

function hasGoodStore(c: TestCluster, copy: ShardRouting): boolean {
  const known = c.state.indices.get(copy.indexUuid)!.inSync[copy.shard]!;
  return (
    known.length === 0 || c.stores(copy.indexUuid, copy.shard).some((store) => known.includes(store.allocationId!))
  );
}

test('left alone a cluster comes to rest, even and with no rule broken', () => {
  fc.assert(
    fc.property(
      fc.array(settingsOf, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 2, max: 6 }),
      events,
      (indices, size, history) => {
        const c = cluster(...Array.from({ length: size }, (_, i) => `n${i}`)).withStores();
        indices.forEach(({ shards, replicas }, i) => c.create(`i${i}`, shards, replicas));
        for (const event of history) play(c, event);
        for (const { id, ephemeralId } of c.state.nodes.values())
          c.run('node-draining', { id, ephemeralId, type: null });
        c.nowMs += 3_600_000;
        c.run('reroute', { retryFailed: true });
        c.nowMs += 3_600_000;
        c.settle();
        const allocation = new Allocation(c.state, c.context);
        for (const copy of c.copies()) {
          if (copy.nodeId !== null)
            assert.equal(canRemain(allocation, copy, allocation.nodes.get(copy.nodeId)!), 'YES');
          else if (copy.primary) assert.ok(!hasGoodStore(c, copy), 'a primary finds its place where its data is');
        }
        const held = Object.values(counts(c));
        const unassigned = c.copies().some((copy) => copy.state === 'UNASSIGNED');
        if (!unassigned)
          assert.ok(Math.max(...held) - Math.min(...held) <= 2 + indices.length, `uneven: ${held.join(' ')}`);
        assert.equal(reroute(c.state, c.context), c.state, 'at rest nothing changes');
      },
    ),
    { numRuns: 60 },
  );
});

const rules = fc.record({
  zones: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  excluded: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
  required: fc.option(fc.integer({ min: 0, max: 2 }), { nil: null }),
  host: fc.boolean(),
});

test('rules hold once a cluster is at rest, and a copy is left out only where they leave no node', () => {
  fc.assert(
    fc.property(
      fc.array(settingsOf, { minLength: 1, maxLength: 3 }),
      rules,
      (indices, { zones, limit, excluded, required, host }) => {
        const c = new TestCluster(
          Array.from({ length: 6 }, (_, i) =>
            testNode(`n${i}`, { attributes: { zone: 'abc'[i % 3]! }, host: `h${i >> 1}` }),
          ),
        ).withStores();
        indices.forEach(({ shards, replicas }, i) =>
          c.create(
            `i${i}`,
            shards,
            replicas,
            limit === null ? {} : { 'routing.allocation.total_shards_per_node': limit },
          ),
        );
        c.settle();
        c.run('cluster-settings', {
          persistent: {
            'cluster.routing.allocation.awareness.attributes': zones ? 'zone' : null,
            'cluster.routing.allocation.exclude._name': excluded === null ? null : `n${excluded}`,
            'cluster.routing.allocation.same_shard.host': String(host),
          },
          transient: {},
        });
        if (required !== null)
          c.run('update-settings', {
            uuids: [c.uuid('i0')],
            settings: { 'index.routing.allocation.include.zone': 'abc'[required]! },
          });
        c.settle();
        const allocation = new Allocation(c.state, c.context);
        for (const copy of c.copies()) {
          const node = allocation.nodes.get(copy.nodeId ?? '');
          const others = [...allocation.nodes.values()].filter((other) => other !== node);
          const mayStay = node && canRemain(allocation, copy, node) === 'YES';
          if (!mayStay)
            assert.ok(
              others.every((other) => canAllocate(allocation, copy, other) === 'NO'),
              'some node would have taken it',
            );
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a primary moves once the copies that recover from it are there, so that they do not begin again for ever', () => {
  const nodes = Array.from({ length: 6 }, (_, i) =>
    testNode(`n${i}`, { attributes: { zone: 'abc'[i % 3]! }, host: `h${i >> 1}` }),
  );
  const c = new TestCluster(nodes).withStores();
  for (const [name, replicas] of [
    ['i0', 2],
    ['i1', 2],
    ['i2', 1],
  ] as const)
    c.create(name, 3, replicas);
  c.settle();
  c.run('cluster-settings', {
    persistent: {
      'cluster.routing.allocation.awareness.attributes': 'zone',
      'cluster.routing.allocation.exclude._name': 'n3',
      'cluster.routing.allocation.same_shard.host': 'true',
    },
    transient: {},
  });
  assert.ok(c.settle(20) <= 20);
});

test('a node that joins gets its share by little more than as many moves', () => {
  const c = cluster('n1', 'n2', 'n3');
  for (let i = 0; i < 40; i++) c.create(`i${i}`, 3, 1);
  c.settle();
  c.run('node-join', { nodes: [testNode('n4')] });
  let moves = 0;
  for (let before = null; before !== c.state; ) {
    before = c.state;
    c.run('reroute', {});
    moves += c.copies().filter((copy) => copy.state === 'INITIALIZING').length;
    c.startAll();
  }
  const share = c.copies().filter((copy) => copy.nodeId === 'n4').length;
  assert.ok(share >= 59 && share <= 61, `${share} of 240 copies`);
  assert.ok(moves <= 1.15 * share, `${moves} moves for ${share} copies`);
});

test('large shards do not go back and forth between nodes that no move makes more even', () => {
  for (const [nodes, shards] of [
    [2, 1],
    [3, 4],
    [3, 7],
  ] as const) {
    const c = cluster(...Array.from({ length: nodes }, (_, i) => `n${i}`));
    c.extra = { shardBytes: () => 200e9 };
    c.create('large', shards, 0);
    c.settle(50);
    const held = Object.values(counts(c));
    assert.ok(Math.max(...held) - Math.min(...held) <= 1, `uneven: ${held.join(' ')}`);
  }
});

test('shards of any sizes come to rest', () => {
  const sizes = fc.array(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 2, max: 4 }), (indices, size) => {
      const c = cluster(...Array.from({ length: size }, (_, i) => `n${i}`));
      const byIndex = new Map(indices.map((gigabytes, i) => [c.create(`i${i}`, gigabytes.length, 1), gigabytes]));
      c.extra = { shardBytes: (uuid, shard) => (byIndex.get(uuid)?.[shard] ?? 0) * 1e9 };
      c.settle(200);
    }),
    { numRuns: 40 },
  );
});
