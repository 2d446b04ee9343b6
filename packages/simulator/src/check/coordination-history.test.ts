import assert from 'node:assert/strict';
import test from 'node:test';
import { type ClusterState, emptyState, type IndexMetadata, type NodeInfo } from '@shoal/state';
import type { ConsensusMessage } from '@shoal/consensus';
import { CoordinationHistory } from './coordination-history.js';

const NODES: ReadonlyMap<string, NodeInfo> = new Map(
  ['a', 'b'].map((id) => [id, { id, ephemeralId: 'run' } as NodeInfo]),
);

const stateWith = (version: number, uuid: string | null): ClusterState => ({
  ...emptyState(),
  version,
  nodes: NODES,
  indices: new Map(uuid === null ? [] : [[uuid, { name: 'i', uuid } as IndexMetadata]]),
});

/**
 * Node `a` applies `states`. A client creates an index when version `since` is the newest, and is answered when `b` has
 * applied version `shown`. Returns the violations.
 */
function answered(states: readonly ClusterState[], since: number, shown: number): readonly string[] {
  const violations: string[] = [];
  const history = new CoordinationHistory((invariant) => void violations.push(invariant));
  for (const state of states) history.applied('a/run', state);
  history.acknowledged(
    'i',
    since,
    new Map([
      ['a/run', states.at(-1)!.version],
      ['b/run', shown],
    ]),
  );
  return violations;
}

/** Sends votes of node `a`, each given as process, candidate and term. Returns the violations. */
function voted(votes: readonly (readonly [process: string, candidate: string, term: number])[]): readonly string[] {
  const violations: string[] = [];
  const history = new CoordinationHistory((invariant) => void violations.push(invariant));
  for (const [process, candidate, term] of votes)
    history.sent('a', process, candidate, {
      type: 'join',
      term,
      acceptedTerm: 0,
      acceptedVersion: 0,
      acceptedStateUuid: '',
    });
  return violations;
}

test('a vote that waited for its link may be seen after that of a later term', () => {
  assert.deepEqual(
    voted([
      ['a/1', 'c', 5],
      ['a/1', 'b', 4],
    ]),
    [],
  );
});

test('a node has forgotten its vote when its next process votes in an earlier term', () => {
  assert.deepEqual(
    voted([
      ['a/1', 'b', 5],
      ['a/2', 'b', 4],
    ]),
    ['I2'],
  );
  assert.deepEqual(
    voted([
      ['a/1', 'b', 5],
      ['a/2', 'b', 6],
      ['a/2', 'c', 4],
    ]),
    ['I2'],
  );
  assert.deepEqual(
    voted([
      ['a/1', 'b', 5],
      ['a/2', 'b', 5],
      ['a/2', 'b', 6],
    ]),
    [],
  );
});

test('a node votes once in a term', () => {
  assert.deepEqual(
    voted([
      ['a/1', 'b', 4],
      ['a/1', 'c', 4],
    ]),
    ['I2'],
  );
});

test('what a leader shows who is the only voter is committed without a message', () => {
  const history = new CoordinationHistory(() => undefined);
  history.applied('a/run', stateWith(5, null));
  assert.equal(history.committedVersion, 5);
});

test('what a leader publishes who is the only voter counts as committed, that of others when it is committed', () => {
  const history = new CoordinationHistory(() => undefined);
  const publish = (version: number, config: readonly string[]): void =>
    history.sent('a', 'a/run', 'b', {
      type: 'publish',
      term: 3,
      version,
      stateUuid: `s${version}`,
      config,
      committedConfig: config,
    } as unknown as ConsensusMessage);
  publish(6, ['a', 'b', 'c']);
  assert.equal(history.committedVersion, 0);
  publish(7, ['a']);
  assert.equal(history.committedVersion, 7);
});

test('an index is acknowledged once all nodes show the state that made it', () => {
  const states = [stateWith(1, null), stateWith(2, 'u')];
  assert.deepEqual(answered(states, 1, 2), []);
  assert.deepEqual(answered(states, 1, 1), ['I11']);
});

test('an index that was deleted and made again before the answer was made all the same', () => {
  const states = [stateWith(1, null), stateWith(2, 'u'), stateWith(3, 'v')];
  assert.deepEqual(answered(states, 1, 2), []);
  assert.deepEqual(answered(states, 2, 2), ['I11']);
});

test('an index that was there before it was asked for is not what was made', () => {
  assert.deepEqual(answered([stateWith(1, null), stateWith(2, 'u')], 2, 2), ['I11']);
});
