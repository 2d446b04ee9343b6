import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyState, type IndexMetadata, type NodeInfo, type ShardRouting } from '@shoal/state';
import { chooseCopies, type CopyChoice, parsePreference } from './choose-copies.js';

const NODES = ['n1', 'n2', 'n3'];

function nodeInfo(id: string): NodeInfo {
  const attributes = { zone: id === 'n3' ? 'far' : 'near' };
  return { id, name: id, host: `host-${id}`, ip: '127.0.0.1', attributes } as unknown as NodeInfo;
}

/** Index `a` of 8 shards, each with a started copy on each of three nodes. */
function threeCopies(): {
  order: (preference: string | null, choice?: Partial<CopyChoice>, shard?: number) => (string | null)[];
} {
  const meta = { name: 'a', uuid: 'a-uuid' } as unknown as IndexMetadata;
  const copies = NODES.map((nodeId) => ({ nodeId, state: 'STARTED', primary: nodeId === 'n1' }) as ShardRouting);
  const state = {
    ...emptyState(),
    nodes: new Map(NODES.map((id) => [id, nodeInfo(id)])),
    routing: new Map([[meta.uuid, Array.from({ length: 8 }, () => copies)]]),
  };
  return {
    order: (preference, choice = {}, shard = 0) =>
      chooseCopies(state, meta, shard, parsePreference(preference), { localNodeId: 'n2', seed: 0, ...choice }).map(
        (copy) => copy.nodeId,
      ),
  };
}

test('without a preference requests go round the copies, or to the fastest node', () => {
  const { order } = threeCopies();
  assert.deepEqual(new Set([0, 1, 2].map((seed) => order(null, { seed })[0])).size, 3);
  assert.deepEqual(order(null, { localNodeId: null, rank: (id) => ({ n1: 3, n2: 1, n3: 2 })[id]! }), [
    'n2',
    'n3',
    'n1',
  ]);
});

test('the own copy is asked unless four times as much waits for it', () => {
  const { order } = threeCopies();
  const waiting = (own: number) => (id: string) => (id === 'n2' ? (1 + own) ** 3 : 1);
  assert.equal(order(null, { rank: waiting(0) })[0], 'n2');
  assert.equal(order(null, { rank: waiting(2) })[0], 'n2');
  assert.notEqual(order(null, { rank: waiting(4) })[0], 'n2');
  assert.notEqual(order(null, { rank: (id) => (id === 'n3' ? Number.NEGATIVE_INFINITY : 1) })[0], 'n2');
});

test('_local first, _only_local alone, _prefer_nodes first, _only_nodes alone', () => {
  const { order } = threeCopies();
  assert.equal(order('_local', { seed: 2 })[0], 'n2');
  assert.equal(order('_local').length, 3);
  assert.deepEqual(order('_only_local'), ['n2']);
  assert.deepEqual(order('_prefer_nodes:n3,zz')[0], 'n3');
  assert.deepEqual(order('_only_nodes:n1'), ['n1']);
  assert.deepEqual(order('_only_nodes:zone:far'), ['n3']);
  assert.deepEqual(order('_only_nodes:n*').length, 3);
});

test('one custom text asks the same copies again, not all of the same position', () => {
  const { order } = threeCopies();
  const firsts = Array.from({ length: 8 }, (_, shard) => order('session-7', {}, shard)[0]);
  assert.deepEqual(
    Array.from({ length: 8 }, (_, shard) => order('session-7', { seed: 99 }, shard)[0]),
    firsts,
  );
  assert.ok(new Set(firsts).size > 1);
});

test('_shards narrows and may be followed by another preference', () => {
  assert.deepEqual(parsePreference('_shards:2,3|_local'), { shards: new Set([2, 3]), kind: 'local', text: '_local' });
  assert.throws(() => parsePreference('_shards:x'), {
    type: 'number_format_exception',
    reason: 'For input string: "x"',
  });
});

test('what means nothing is refused', () => {
  const { order } = threeCopies();
  assert.throws(() => order('_zz'), { reason: 'no Preference for [_zz]' });
  assert.throws(() => order('_only_nodes:zz'), { reason: 'no data nodes with criteria [zz] found for shard: [a][0]' });
});
