import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeholderOf } from './bootstrap.js';
import {
  type AcceptedState,
  DEFAULT_CONSENSUS_SETTINGS,
  type DurableState,
  EMPTY_DURABLE_STATE,
  type ConsensusConfig,
} from './config.js';
import type { ConsensusEffect } from './effect.js';
import type { ConsensusEvent, Proposal } from './event.js';
import { createConsensus, type Consensus, restore, snapshot } from './consensus-state.js';
import type { ConsensusMessage, PeerNode } from './message.js';
import { step } from './step.js';

const ABC = ['a', 'b', 'c'];

const config = (changes: Partial<ConsensusConfig> = {}): ConsensusConfig => ({
  nodeId: 'a',
  ephemeralId: 'a#1',
  nodeName: 'A',
  address: 'a:9300',
  isVoter: true,
  votingOnly: false,
  isSingleNode: false,
  initialMasterNodes: [],
  autoBootstrapAfterMs: null,
  settings: DEFAULT_CONSENSUS_SETTINGS,
  ...changes,
});

const durable = (changes: Partial<AcceptedState> = {}, term = 0): DurableState => ({
  term,
  accepted: { ...EMPTY_DURABLE_STATE.accepted, acceptedConfig: ABC, committedConfig: ABC, ...changes },
});

const peer = (id: string, changes: Partial<PeerNode> = {}): PeerNode => ({
  nodeId: id,
  ephemeralId: `${id}#1`,
  nodeName: id.toUpperCase(),
  address: `${id}:9300`,
  isVoter: true,
  votingOnly: false,
  ...changes,
});

/**
 * Feeds events and returns the effects of the last one; messages of the node to itself are fed back, as a shell does.
 */
function feed(k: Consensus, ...events: ConsensusEvent[]): ConsensusEffect[] {
  let effects: ConsensusEffect[] = [];
  for (const event of events) {
    effects = [...step(k, event).effects];
    for (let i = 0; i < effects.length; i++) {
      const e = effects[i]!;
      if (e.type === 'send' && e.to === k.config.nodeId)
        effects.push(...step(k, { type: 'message', from: 'a', message: e.message }).effects);
      else if (e.type === 'validate' && e.from === 'a') {
        const { term, version } = e.publication;
        effects.push(...step(k, { type: 'validated', term, version, result: 'ok' }).effects);
      }
    }
  }
  return effects;
}

const from = (id: string, message: ConsensusMessage): ConsensusEvent => ({ type: 'message', from: id, message });
const timer = (id: string): ConsensusEvent => ({ type: 'timer', id });
const sent = (effects: ConsensusEffect[], type: ConsensusMessage['type']): string[] =>
  effects.flatMap((e) => (e.type === 'send' && e.message.type === type ? [e.to] : []));
const only = <T extends ConsensusEffect['type']>(
  effects: ConsensusEffect[],
  type: T,
): Extract<ConsensusEffect, { type: T }>[] =>
  effects.filter((e): e is Extract<ConsensusEffect, { type: T }> => e.type === type);

const vote = (term: number): ConsensusMessage => ({
  type: 'join',
  term,
  acceptedTerm: 0,
  acceptedVersion: 0,
  acceptedStateUuid: '_na_',
});
const granted = (round: number): ConsensusMessage => ({
  type: 'preVoteAnswer',
  round,
  term: 0,
  acceptedTerm: 0,
  acceptedVersion: 0,
  granted: true,
  leaderId: null,
});
const proposal = (version: number, nodes: string[], changes: Partial<Proposal> = {}): Proposal => ({
  version,
  stateUuid: `s${version}`,
  digest: 'd',
  nodes,
  config: ABC,
  exclusions: [],
  clusterUuid: 'u',
  ...changes,
});

function candidate(changes: Partial<ConsensusConfig> = {}, state = durable()): Consensus {
  const k = createConsensus(config(changes), state);
  feed(k, { type: 'start' }, { type: 'peerUp', peer: peer('b') }, { type: 'peerUp', peer: peer('c') });
  return k;
}

function elected(): Consensus {
  const k = candidate();
  feed(k, timer('election'), from('b', granted(1)), from('b', vote(1)));
  assert.equal(k.mode, 'leader');
  return k;
}

/** A leader whose first state, with all three nodes, is committed and applied everywhere. */
function settled(): Consensus {
  const k = elected();
  feed(k, { type: 'propose', proposal: proposal(1, ABC) });
  for (const id of ['b', 'c']) feed(k, from(id, { type: 'publishOk', term: 1, version: 1 }));
  for (const id of ['b', 'c']) feed(k, from(id, { type: 'applyAck', term: 1, version: 1 }));
  feed(k, { type: 'applied', term: 1, version: 1 });
  assert.equal(k.publication, null);
  return k;
}

test('a vote leaves only after its term is durable', () => {
  const k = candidate();
  const effects = feed(k, from('b', { type: 'startJoin', candidateId: 'b', term: 4 }));
  const [written] = only(effects, 'persist');
  assert.deepEqual(written?.record, { type: 'term', term: 4 });
  const join = only(effects, 'send').find((e) => e.message.type === 'join');
  assert.deepEqual([join?.to, join?.afterPersist], ['b', written?.seq]);
});

test('a node without the master role keeps no vote: it accepts without waiting for its disk', () => {
  const k = createConsensus(config({ isVoter: false, nodeId: 'd' }), durable());
  const publish = {
    type: 'publish',
    term: 1,
    baseStateUuid: null,
    committedConfig: ABC,
    ...proposal(1, [...ABC, 'd']),
  } as const;
  step(k, { type: 'start' });
  step(k, from('a', publish));
  const { effects } = step(k, { type: 'validated', term: 1, version: 1, result: 'ok' });
  assert.equal(only(effects, 'send').find((e) => e.message.type === 'publishOk')?.afterPersist, null);
});

test('pre-votes of a quorum start an election in a term above every one heard of', () => {
  const k = candidate();
  assert.deepEqual(sent(feed(k, timer('election')), 'preVote'), ['b', 'c']);
  feed(k, from('c', { type: 'peersAnswer', term: 7, leaderId: null, peers: [] }));
  const effects = feed(k, from('b', granted(1)));
  assert.deepEqual(sent(effects, 'startJoin'), ['b', 'c', 'a']);
  assert.equal(k.core.term, 8);
});

test('a pre-vote with a newer state ends the round, and voting-only nodes never start one', () => {
  const k = candidate();
  feed(k, timer('election'), from('c', { ...granted(1), acceptedTerm: 1, acceptedVersion: 1 } as ConsensusMessage));
  assert.deepEqual(sent(feed(k, from('b', granted(1))), 'startJoin'), []);
  assert.deepEqual(feed(candidate({ votingOnly: true }), timer('election')).length, 0);
});

test('a leader, and a follower that hears its leader, refuse pre-votes; a follower of the asking node grants', () => {
  const ask = (id: string): ConsensusEvent => from(id, { type: 'preVote', round: 1, term: 0 });
  const isGranted = (k: Consensus, id: string): boolean =>
    only(feed(k, ask(id)), 'send').some((e) => e.message.type === 'preVoteAnswer' && e.message.granted);
  assert.equal(isGranted(elected(), 'b'), false);
  const k = candidate();
  assert.equal(isGranted(k, 'b'), true);
  feed(k, from('b', { type: 'followerCheck', term: 1, seq: 1 }));
  assert.equal(isGranted(k, 'c'), false);
  assert.equal(isGranted(k, 'b'), true);
});

test('the first attempt after a lost leader is ranked by the voting configuration without it', () => {
  const follower = candidate({ nodeId: 'b' });
  feed(follower, from('a', { type: 'followerCheck', term: 1, seq: 1 }), { type: 'peerUp', peer: peer('a') });
  const lost = feed(follower, { type: 'peerDown', nodeId: 'a', how: 'refused' });
  assert.deepEqual(
    only(lost, 'setTimer').find((e) => e.id === 'election'),
    { type: 'setTimer', id: 'election', baseMs: 0, jitterMs: 20 },
  );
});

test('the first batch takes voters in and removes members without a link', () => {
  const k = createConsensus(config(), durable({ nodes: ABC }));
  feed(k, { type: 'start' }, { type: 'peerUp', peer: peer('b') }, timer('election'), from('b', granted(1)));
  const effects = feed(k, from('b', vote(1)));
  const [request] = only(effects, 'proposeRequested');
  assert.equal(request?.elected, true);
  assert.deepEqual(request?.joins, ['a', 'b']);
  assert.deepEqual(request?.leaves, [{ nodeId: 'c', reason: 'disconnected' }]);
});

test('the first batch removes the leader before when that stopped answering, without checks of its own', () => {
  const k = candidate({}, durable({ nodes: ABC }));
  feed(k, from('b', { type: 'followerCheck', term: 1, seq: 1 }));
  for (let i = 0; i < 4; i++) feed(k, timer('leaderCheck'));
  feed(k, timer('election'), from('c', granted(1)));
  const [request] = only(feed(k, from('c', vote(2))), 'proposeRequested');
  assert.deepEqual(request?.leaves, [{ nodeId: 'b', reason: 'followers check retry count exceeded' }]);
});

test('a commit goes out at the quorum, later accepts are answered at once, the leader applies last', () => {
  const k = elected();
  feed(k, { type: 'propose', proposal: proposal(1, ABC) });
  const atQuorum = feed(k, from('b', { type: 'publishOk', term: 1, version: 1 }));
  assert.deepEqual(sent(atQuorum, 'commit'), ['a', 'b']);
  assert.equal(only(atQuorum, 'commit').length, 0);
  assert.deepEqual(sent(feed(k, from('c', { type: 'publishOk', term: 1, version: 1 })), 'commit'), ['c']);
  feed(k, from('b', { type: 'applyAck', term: 1, version: 1 }));
  const last = feed(k, timer('acks'));
  assert.equal(only(last, 'commit').length, 1);
  assert.equal(only(last, 'proposeRequested').length, 1);
});

test('a diff that cannot be used is asked for and sent as the whole state', () => {
  const k = settled();
  const effects = feed(k, { type: 'propose', proposal: proposal(2, ABC) });
  const bases = only(effects, 'send').flatMap((e) => (e.message.type === 'publish' ? [e.message.baseStateUuid] : []));
  assert.deepEqual(bases, ['s1', 's1', 's1']);
  const [again] = only(feed(k, from('b', { type: 'needFull', term: 1, version: 2 })), 'send');
  assert.ok(again?.message.type === 'publish' && again.message.baseStateUuid === null);
});

test('a publication without quorum in time ends the leadership with an unknown outcome', () => {
  const k = settled();
  feed(k, { type: 'propose', proposal: proposal(2, ABC) });
  const effects = feed(k, timer('publish'));
  assert.equal(k.mode, 'candidate');
  assert.deepEqual(
    only(effects, 'failTasks').map((e) => [e.reason, e.version]),
    [
      ['failedToCommit', 2],
      ['notMaster', null],
    ],
  );
});

test('a proposal at a wrong time is refused and never leaves the node', () => {
  const effects = feed(candidate(), { type: 'propose', proposal: proposal(1, ABC) });
  assert.deepEqual(effects, [{ type: 'failTasks', reason: 'notMaster', version: 1 }]);
});

test('nodes that fail within 10 ms leave in one batch', () => {
  const k = settled();
  k.core.accepted = { ...k.core.accepted, nodes: [...ABC, 'd', 'e'] };
  feed(k, { type: 'peerDown', nodeId: 'd', how: 'refused' }, { type: 'peerDown', nodeId: 'e', how: 'silent' });
  const effects = feed(k, timer('removal'));
  assert.deepEqual(
    only(effects, 'nodesFailed')[0]?.nodes.map((n) => n.nodeId),
    ['d', 'e'],
  );
  assert.deepEqual(
    only(effects, 'proposeRequested')[0]?.leaves.map((n) => n.nodeId),
    ['d', 'e'],
  );
});

test('a leader that loses the quorum of its configuration steps down at once', () => {
  const k = settled();
  feed(k, { type: 'peerDown', nodeId: 'b', how: 'refused' });
  assert.equal(k.mode, 'leader');
  feed(k, { type: 'peerDown', nodeId: 'c', how: 'refused' });
  assert.equal(k.mode, 'candidate');
});

test('a reset link evicts nobody: the node is checked at once', () => {
  const k = settled();
  assert.deepEqual(sent(feed(k, { type: 'peerDown', nodeId: 'b', how: 'same' }), 'followerCheck'), ['b']);
  assert.equal(k.failed.size, 0);
});

test('three overdue checks in a row remove a follower, and a pause of the leader itself voids them', () => {
  const k = settled();
  feed(k, timer('followerCheck/b'), timer('followerCheck/b'));
  feed(k, { type: 'paused', ms: 5000 });
  feed(k, timer('followerCheck/b'), timer('followerCheck/b'));
  assert.equal(k.failed.size, 0);
  feed(k, timer('followerCheck/b'));
  assert.equal(k.failed.get('b'), 'followers check retry count exceeded');
});

test('a follower that hears but cannot reach its leader says so, and follows again once it reaches it', () => {
  const k = candidate();
  feed(k, from('b', { type: 'followerCheck', term: 1, seq: 1 }));
  for (let i = 0; i < 4; i++) feed(k, timer('leaderCheck'));
  assert.equal(k.mode, 'candidate');
  const answerOf = (): string | null => {
    const [answer] = only(feed(k, from('b', { type: 'followerCheck', term: 1, seq: 9 })), 'send');
    return answer?.message.type === 'followerCheckAnswer' ? answer.message.ailment : 'none';
  };
  assert.equal(answerOf(), 'leader_unreachable');
  feed(k, from('b', { type: 'peersAnswer', term: 1, leaderId: 'b', peers: [] }));
  assert.equal(answerOf(), null);
  assert.equal(k.mode, 'follower');
});

test('a follower that does not apply within publish and lag timeout is removed', () => {
  const k = elected();
  feed(k, { type: 'propose', proposal: proposal(1, ABC) }, from('b', { type: 'publishOk', term: 1, version: 1 }));
  feed(k, from('c', { type: 'applyAck', term: 1, version: 1 }), timer('acks'), timer('lag'));
  assert.deepEqual([...k.failed], [['b', 'lagging']]);
});

/** A leader of a and c that has just removed b; `meanwhile` happens before the last acknowledgement. */
function removedB(...meanwhile: ConsensusEvent[]): { k: Consensus; effects: ConsensusEffect[] } {
  const k = settled();
  for (let i = 0; i < 3; i++) feed(k, timer('followerCheck/b'));
  feed(k, timer('removal'), { type: 'propose', proposal: proposal(2, ['a', 'c'], { config: ABC }) });
  feed(k, from('c', { type: 'publishOk', term: 1, version: 2 }), ...meanwhile);
  return { k, effects: feed(k, from('c', { type: 'applyAck', term: 1, version: 2 })) };
}

test('a node that was removed is no peer any more once its link is closed, and one again when it is discovered', () => {
  const { k, effects } = removedB();
  assert.deepEqual(only(effects, 'close'), [{ type: 'close', nodeId: 'b' }]);
  assert.deepEqual([...k.peers.keys()], ['c']);
  feed(k, { type: 'peerUp', peer: peer('b') });
  assert.deepEqual([...k.peers.keys()].sort(), ['b', 'c']);
});

test('a node that asks to join again while it is being removed keeps its link and is taken in next', () => {
  const again: ConsensusMessage = { type: 'joinRequest', term: 1, ephemeralId: 'b#1', vote: null, clusterUuid: null };
  const { k, effects } = removedB(from('b', again));
  assert.deepEqual(only(effects, 'close'), []);
  assert.ok(k.peers.has('b'));
  assert.deepEqual(only(effects, 'proposeRequested')[0]?.joins, ['b']);
});

test('a leader with a stalled disk steps down where another voter can take over', () => {
  const k = settled();
  feed(k, { type: 'health', diskOk: false, persistStallMs: 0, dataStallMs: 0 });
  assert.equal(k.mode, 'candidate');
  assert.deepEqual(sent(feed(k, timer('election')), 'preVote'), []);
});

test('a leader that shuts down waits for its publication, then names a caught-up successor', () => {
  const k = settled();
  feed(k, { type: 'propose', proposal: proposal(2, ABC) }, { type: 'shutdown' });
  assert.equal(k.mode, 'leader');
  feed(k, from('c', { type: 'publishOk', term: 1, version: 2 }), from('c', { type: 'applyAck', term: 1, version: 2 }));
  const effects = feed(k, timer('acks'));
  const call = only(effects, 'send').find((e) => e.message.type === 'startJoin');
  assert.deepEqual(call?.message, { type: 'startJoin', candidateId: 'c', term: 2 });
  assert.equal(k.mode, 'candidate');
});

test('an excluded leader that left the configuration abdicates', () => {
  const k = settled();
  const excluded = proposal(2, ABC, { exclusions: ['a'] });
  feed(k, { type: 'propose', proposal: excluded });
  for (const id of ['b', 'c']) feed(k, from(id, { type: 'publishOk', term: 1, version: 2 }));
  const effects = feed(k, timer('acks'));
  assert.deepEqual(only(effects, 'proposeRequested')[0]?.config, ['b']);
  feed(k, { type: 'propose', proposal: { ...excluded, version: 3, stateUuid: 's3', config: ['b'] } });
  for (const id of ['b', 'c']) feed(k, from(id, { type: 'publishOk', term: 1, version: 3 }));
  const last = only(feed(k, timer('acks')), 'send').find((e) => e.message.type === 'startJoin');
  assert.deepEqual(last?.message, { type: 'startJoin', candidateId: 'b', term: 2 });
  assert.equal(k.mode, 'candidate');
});

test('a single node elects itself, refuses joins, and refuses a state that needs others', () => {
  const k = createConsensus(config({ isSingleNode: true }), EMPTY_DURABLE_STATE);
  feed(k, { type: 'start' }, timer('election'));
  assert.equal(k.mode, 'leader');
  const request = { type: 'joinRequest', term: 0, ephemeralId: 'b#1', vote: null, clusterUuid: null } as const;
  assert.deepEqual(sent(feed(k, from('b', request)), 'joinRefused'), ['b']);
  const other = createConsensus(config({ isSingleNode: true }), durable());
  assert.equal(only(feed(other, { type: 'start' }), 'fatal').length, 1);
});

test('a request of an earlier process of a node is refused', () => {
  const k = settled();
  feed(k, { type: 'peerUp', peer: peer('d', { ephemeralId: 'd#2' }) });
  const request = { type: 'joinRequest', term: 1, ephemeralId: 'd#1', vote: null, clusterUuid: 'u' } as const;
  assert.deepEqual(sent(feed(k, from('d', request)), 'joinRefused'), ['d']);
  assert.deepEqual(only(feed(k, from('d', { ...request, ephemeralId: 'd#2' })), 'proposeRequested')[0]?.joins, ['d']);
});

test('a node of another cluster is refused', () => {
  const k = settled();
  feed(k, { type: 'peerUp', peer: peer('d') });
  const request = { type: 'joinRequest', term: 1, ephemeralId: 'd#1', vote: null, clusterUuid: 'other' } as const;
  assert.deepEqual(sent(feed(k, from('d', request)), 'joinRefused'), ['d']);
});

test('bootstrap waits for more than half of the initial masters and keeps seats for the others', () => {
  const k = createConsensus(config({ initialMasterNodes: ['A', 'B', 'C'] }), EMPTY_DURABLE_STATE);
  feed(k, { type: 'start' }, timer('findPeers'));
  assert.deepEqual(k.core.accepted.acceptedConfig, []);
  feed(k, { type: 'peerUp', peer: peer('d') }, { type: 'peerUp', peer: peer('b') });
  assert.deepEqual(k.core.accepted.acceptedConfig, ['a', 'b', placeholderOf('C')]);
});

test('bootstrap is ignored where a state exists, where the node is not named, and without the master role', () => {
  const initialMasterNodes = ['A'];
  const configOf = (changes: Partial<ConsensusConfig>, state: DurableState): readonly string[] => {
    const k = createConsensus(config({ initialMasterNodes, ...changes }), state);
    feed(k, { type: 'start' }, timer('findPeers'));
    return k.core.accepted.acceptedConfig;
  };
  assert.deepEqual(configOf({}, durable()), ABC);
  assert.deepEqual(configOf({ nodeName: 'X' }, EMPTY_DURABLE_STATE), []);
  assert.deepEqual(configOf({ isVoter: false }, EMPTY_DURABLE_STATE), []);
  assert.deepEqual(configOf({}, EMPTY_DURABLE_STATE), ['a']);
});

test('auto-bootstrap after the wait is left to the voter with the smallest id', () => {
  const run = (nodeId: string, other: string): readonly string[] => {
    const k = createConsensus(config({ nodeId, autoBootstrapAfterMs: 3000 }), EMPTY_DURABLE_STATE);
    feed(k, { type: 'start' }, { type: 'peerUp', peer: peer(other) }, timer('bootstrap'));
    return k.core.accepted.acceptedConfig;
  };
  assert.deepEqual(run('a', 'b'), ['a', 'b']);
  assert.deepEqual(run('b', 'a'), []);
});

test('voting-only nodes get a publication after a node that can lead has accepted it', () => {
  const k = settled();
  feed(k, { type: 'peerUp', peer: peer('c', { votingOnly: true }) });
  assert.deepEqual(sent(feed(k, { type: 'propose', proposal: proposal(2, ABC) }), 'publish'), ['a', 'b', 'c']);
  const held = createConsensus(config(), durable());
  feed(
    held,
    { type: 'start' },
    { type: 'peerUp', peer: peer('b') },
    { type: 'peerUp', peer: peer('c', { votingOnly: true }) },
  );
  feed(held, timer('election'), from('b', granted(1)), from('b', vote(1)));
  assert.deepEqual(sent([...step(held, { type: 'propose', proposal: proposal(1, ABC) }).effects], 'publish'), [
    'a',
    'b',
  ]);
});

test('a snapshot is not touched by later steps, and messages survive JSON', () => {
  const k = settled();
  const saved = snapshot(k);
  const effects = feed(k, { type: 'propose', proposal: proposal(2, ABC) });
  assert.equal(saved.core.pubVersion, 1);
  const again = feed(restore(saved), { type: 'propose', proposal: proposal(2, ABC) });
  assert.deepEqual(again, effects);
  for (const e of only(effects, 'send')) assert.deepEqual(JSON.parse(JSON.stringify(e.message)), e.message);
});
