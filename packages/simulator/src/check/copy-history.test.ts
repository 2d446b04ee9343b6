import assert from 'node:assert/strict';
import test from 'node:test';
import { type ClusterState, emptyState, type IndexMetadata, type ShardRouting } from '@shoal/state';
import type { SimulatedNode } from '../cluster/simulated-node.js';
import { CopyHistory } from './copy-history.js';

/** Creates a node whose disk has operations up to `last`. */
const nodeWith = (id: string, last: number): SimulatedNode => {
  const stores = {
    durableValue: (_location: string, key: Uint8Array) => (Buffer.from(key).readUInt32BE(5) <= last ? key : undefined),
    isCollected: () => false,
  };
  return { id, name: id, stores } as unknown as SimulatedNode;
};

const copyOn = (nodeId: string): ShardRouting => ({
  indexUuid: 'u',
  shard: 0,
  primary: nodeId === 'a',
  state: 'STARTED',
  nodeId,
  relocatingNodeId: null,
  allocationId: `on-${nodeId}`,
  recoverySource: null,
  unassigned: null,
});

/** Creates a state with in-sync copies on `nodeIds`, the primary on the first. */
function stateWith(version: number, nodeIds: readonly string[]): ClusterState {
  const meta = {
    name: 'i',
    uuid: 'u',
    settings: {},
    state: 'open',
    primaryTerms: [1],
    inSync: [nodeIds.map((id) => `on-${id}`)],
  } as unknown as IndexMetadata;
  return {
    ...emptyState(),
    version,
    indices: new Map([['u', meta]]),
    routing: new Map([['u', [nodeIds.map(copyOn)]]]),
  };
}

function watched() {
  const violations: string[] = [];
  const history = new CopyHistory((invariant) => void violations.push(invariant), [nodeWith('a', 9), nodeWith('b', 4)]);
  history.applied(stateWith(1, ['a', 'b']));
  return { history, violations };
}

test('an answered operation that a copy in sync lacks is noticed at once', () => {
  const { history, violations } = watched();
  history.acked('u', 0, 4, 'a write', 1);
  assert.deepEqual(violations, []);
  history.acked('u', 0, 5, 'a write', 1);
  assert.deepEqual(violations, ['I13']);
});

test('a state that is committed and not shown yet may have taken the copy out', () => {
  const { history, violations } = watched();
  history.acked('u', 0, 5, 'a write', 2);
  history.applied(stateWith(2, ['a']));
  assert.deepEqual(violations, []);
});

test('a state that is committed and not shown yet, and has the copy in sync still, allows nothing', () => {
  const { history, violations } = watched();
  history.acked('u', 0, 5, 'a write', 2);
  assert.deepEqual(violations, []);
  history.applied(stateWith(2, ['a', 'b']));
  assert.deepEqual(violations, ['I13']);
});
