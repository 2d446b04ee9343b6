import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isActive } from '@shoal/state';
import { nextDelayedRerouteAt } from './delays.js';
import { TestCluster, cluster, counts, inSync, primary, restarted, term, testNode } from './testing/clusters.js';

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
