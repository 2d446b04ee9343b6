import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClusterState, IndexMetadata } from './state.js';
import { applyDiff, diffState } from './state-diff.js';
import { emptyState } from './state-edit.js';
import { stateFromJson, stateToJson } from './state-json.js';

const entries = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), fc.nat(3), { maxKeys: 4, noNullPrototype: true });

const states: fc.Arbitrary<ClusterState> = fc
  .record({ version: fc.nat(9), indices: entries, routing: entries, nodes: entries, customs: fc.dictionary(fc.constantFrom('pipelines', 'templates'), entries, { noNullPrototype: true }), persistent: entries })
  .map(({ version, indices, routing, nodes, customs, persistent }) => ({
    ...emptyState(),
    version,
    stateUuid: `s${version}`,
    indices: new Map(Object.entries(indices)) as unknown as ClusterState['indices'],
    routing: new Map(Object.entries(routing)) as unknown as ClusterState['routing'],
    nodes: new Map(Object.entries(nodes)) as unknown as ClusterState['nodes'],
    customs: new Map(Object.entries(customs)),
    persistentSettings: Object.fromEntries(Object.entries(persistent).map(([key, value]) => [key, String(value)])),
  }));

const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

test('applying the difference of two states to the first gives the second', () => {
  fc.assert(
    fc.property(states, states, (from, to) => {
      const reached = applyDiff(from, overTheWire(diffState(from, to)));
      assert.deepEqual(sorted(reached), sorted(to));
    }),
  );
});

function sorted(state: ClusterState): unknown {
  const order = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(order);
    return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, child]) => [key, order(child)]);
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
