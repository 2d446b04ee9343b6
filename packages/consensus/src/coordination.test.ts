import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_DURABLE_STATE } from './config.js';
import {
  accept,
  commit,
  type CoordinationState,
  countJoin,
  countPublishOk,
  joinOf,
  mayAccept,
  mayPropose,
  propose,
  restoreCoordination,
  startJoin,
} from './coordination.js';
import { ALL_GUARDS } from './guards.js';
import type { Join, Publish } from './message.js';

const G = ALL_GUARDS;
const ABC = ['a', 'b', 'c'];

function node(changes: Partial<CoordinationState['accepted']> = {}, term = 0): CoordinationState {
  const accepted = { ...EMPTY_DURABLE_STATE.accepted, acceptedConfig: ABC, committedConfig: ABC, ...changes };
  return restoreCoordination('a', { term, accepted });
}

const vote = (term: number, acceptedTerm = 0, acceptedVersion = 0): Join => ({
  type: 'join',
  term,
  acceptedTerm,
  acceptedVersion,
  acceptedStateUuid: '_na_',
});

const publication = (term: number, version: number, changes: Partial<Publish> = {}): Publish => ({
  type: 'publish',
  term,
  version,
  stateUuid: `s${term}.${version}`,
  baseStateUuid: null,
  digest: 'd',
  nodes: ABC,
  config: ABC,
  committedConfig: ABC,
  exclusions: [],
  clusterUuid: 'u',
  ...changes,
});

function leader(changes: Partial<CoordinationState['accepted']> = {}): CoordinationState {
  const c = node(changes);
  startJoin(c, G, 'a', 5);
  countJoin(c, G, 'a', joinOf(c));
  countJoin(c, G, 'b', vote(5));
  assert.ok(c.won);
  return c;
}

test('StartJoin moves a node to a higher term only, and clears the votes of the old one', () => {
  const c = leader();
  assert.equal(startJoin(c, G, 'b', 5), false);
  assert.equal(startJoin(c, G, 'b', 4), false);
  assert.equal(startJoin(c, G, 'b', 6), true);
  assert.deepEqual([c.term, c.won, c.joins, c.pubVersion], [6, false, [], 0]);
});

test('a vote counts in its own term only', () => {
  const c = node();
  startJoin(c, G, 'a', 2);
  assert.equal(countJoin(c, G, 'b', vote(1)), 'refused');
  assert.equal(countJoin(c, G, 'b', vote(3)), 'refused');
  assert.equal(countJoin(c, G, 'b', vote(2)), 'counted');
});

test('votes for a restarted candidate do not count before a new StartJoin', () => {
  const c = node({}, 2);
  assert.equal(countJoin(c, G, 'b', vote(2)), 'refused');
});

test('a node without voting configuration wins nothing', () => {
  const c = node({ acceptedConfig: [], committedConfig: [] });
  startJoin(c, G, 'a', 1);
  assert.equal(countJoin(c, G, 'a', vote(1)), 'refused');
});

test('a voter that accepted a newer state does not elect an older one', () => {
  const c = node({ term: 3, version: 7 });
  startJoin(c, G, 'a', 4);
  assert.equal(countJoin(c, G, 'b', vote(4, 3, 8)), 'refused');
  assert.equal(countJoin(c, G, 'b', vote(4, 4, 1)), 'refused');
  assert.equal(countJoin(c, G, 'b', vote(4, 3, 7)), 'counted');
  assert.equal(countJoin(c, G, 'c', vote(4, 2, 90)), 'won');
});

test('an election needs a quorum of the committed and of the accepted configuration', () => {
  const c = node({ acceptedConfig: ['b', 'd', 'e'] });
  startJoin(c, G, 'a', 1);
  assert.equal(countJoin(c, G, 'a', vote(1)), 'counted');
  assert.equal(countJoin(c, G, 'b', vote(1)), 'counted');
  assert.equal(countJoin(c, G, 'd', vote(1)), 'won');
});

test('only the winner proposes, on the state it accepted, with the next version', () => {
  assert.equal(mayPropose(node(), G, 1, ABC), false);
  const c = leader();
  assert.equal(mayPropose(c, G, 2, ABC), false);
  assert.equal(propose(c, G, 1, ABC), true);
  assert.equal(mayPropose(c, G, 1, ABC), false);
  assert.equal(mayPropose(c, G, 2, ABC), false);
  accept(c, G, publication(5, 1));
  assert.equal(mayPropose(c, G, 2, ABC), true);
});

test('a new configuration waits for the last one to be committed and needs a quorum of votes', () => {
  assert.equal(mayPropose(leader({ committedConfig: ['a', 'b'] }), G, 1, ['a']), false);
  assert.equal(mayPropose(leader(), G, 1, ['b', 'c', 'd']), false);
  assert.equal(mayPropose(leader(), G, 1, ['a', 'b', 'd']), true);
  assert.equal(mayPropose(leader(), G, 1, []), false);
});

test('publications of older terms, and of versions not above the accepted one, are refused', () => {
  const c = node({ term: 2, version: 3 }, 2);
  assert.equal(mayAccept(c, G, publication(1, 9)), false);
  assert.equal(mayAccept(c, G, publication(2, 3)), false);
  assert.equal(mayAccept(c, G, publication(2, 4)), true);
});

test('a lower version of a higher term replaces an uncommitted state', () => {
  const c = node({ term: 2, version: 9 }, 3);
  assert.equal(accept(c, G, publication(3, 4)), true);
  assert.equal(c.accepted.version, 4);
});

test('a node that committed to a cluster accepts no state of another one', () => {
  const c = node({ clusterUuid: 'mine', clusterUuidCommitted: true }, 1);
  assert.equal(accept(c, G, publication(1, 1)), false);
  assert.equal(accept(c, G, publication(1, 1, { clusterUuid: 'mine' })), true);
  assert.equal(c.accepted.clusterUuidCommitted, true);
});

test('accepts of other terms and versions do not count; the quorum commits once, later ones are late', () => {
  const c = leader();
  propose(c, G, 1, ABC);
  assert.equal(countPublishOk(c, G, 'b', 4, 1), 'refused');
  assert.equal(countPublishOk(c, G, 'b', 5, 2), 'refused');
  assert.equal(countPublishOk(c, G, 'b', 5, 1), 'counted');
  assert.equal(countPublishOk(c, G, 'b', 5, 1), 'counted');
  assert.equal(countPublishOk(c, G, 'a', 5, 1), 'quorum');
  assert.equal(countPublishOk(c, G, 'c', 5, 1), 'late');
});

test('a reconfiguration commits with quorums of both configurations', () => {
  const c = leader();
  propose(c, G, 1, ['a']);
  assert.equal(countPublishOk(c, G, 'b', 5, 1), 'counted');
  assert.equal(countPublishOk(c, G, 'c', 5, 1), 'counted');
  assert.equal(countPublishOk(c, G, 'a', 5, 1), 'quorum');
});

test('a commit applies to the accepted state of the own term only, and makes its configuration final', () => {
  const c = node({}, 1);
  accept(c, G, publication(1, 1, { config: ['a'] }));
  assert.equal(commit(c, G, 1, 2), 'refused');
  assert.equal(commit(c, G, 2, 1), 'refused');
  assert.equal(commit(c, G, 1, 1), 'final');
  assert.deepEqual(c.accepted.committedConfig, ['a']);
  assert.equal(commit(c, G, 1, 1), 'committed');
  startJoin(c, G, 'b', 2);
  assert.equal(commit(c, G, 1, 1), 'refused');
});
