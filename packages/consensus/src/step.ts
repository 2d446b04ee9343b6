import { onBootstrapTimer, startBootstrap } from './bootstrap.js';
import { onFindPeersTimer, onPeers, onPeersAnswer, onPeerUp } from './discovery.js';
import type { ConsensusEffect } from './effect.js';
import { onElectionTimer, onPreVote, onPreVoteAnswer } from './election.js';
import type { ConsensusEvent } from './event.js';
import {
  onFollowerCheck,
  onFollowerCheckAnswer,
  onFollowerCheckTimer,
  onHealth,
  onLeaderCheck,
  onLeaderCheckAnswer,
  onLeaderCheckTimer,
  onPaused,
  onPeerDown,
} from './fault-detection.js';
import { emit, type Consensus, setTimer } from './consensus-state.js';
import { onJoinRequest, onReelectionTimer, onRemovalTimer, onShutdown } from './membership.js';
import type { ConsensusMessage } from './message.js';
import { scheduleElection, seeTerm } from './mode.js';
import {
  onAcksTimer,
  onApplied,
  onCommit,
  onLagTimer,
  onNeedFull,
  onPropose,
  onPublish,
  onPublishOk,
  onPublishTimer,
  onValidated,
  recordApplied,
} from './publication.js';
import { followerOfTimer, TIMER } from './timer-id.js';
import { onJoin, onStartJoin } from './voting.js';

/**
 * Runs one step of the consensus state machine. Deterministic: no clock, no randomness. The caller performs the effects
 * in order. `consensus` is changed in place and returned (see `snapshot`); a refused event has no effects.
 */
export function step(
  consensus: Consensus,
  event: ConsensusEvent,
): { consensus: Consensus; effects: ConsensusEffect[] } {
  consensus.effects = [];
  dispatch(consensus, event);
  return { consensus, effects: consensus.effects };
}

function dispatch(k: Consensus, event: ConsensusEvent): void {
  switch (event.type) {
    case 'start':
      return start(k);
    case 'message':
      return onMessage(k, event.from, event.message);
    case 'timer':
      return onTimer(k, event.id);
    case 'persisted':
      return;
    case 'validated':
      return onValidated(k, event.term, event.version, event.result);
    case 'peerUp':
      return onPeerUp(k, event.peer);
    case 'peerDown':
      return onPeerDown(k, event.nodeId, event.how);
    case 'propose':
      return onPropose(k, event.proposal);
    case 'applied':
      return onApplied(k, event.term, event.version);
    case 'health':
      return onHealth(k, event.diskOk, event.persistStallMs, event.dataStallMs);
    case 'paused':
      return onPaused(k);
    case 'shutdown':
      return onShutdown(k);
  }
}

function start(k: Consensus): void {
  emit(k, { type: 'mode', mode: 'candidate', leaderId: null, term: k.core.term });
  setTimer(k, TIMER.findPeers, 0, 0);
  scheduleElection(k, 0);
  startBootstrap(k);
}

function onMessage(k: Consensus, from: string, m: ConsensusMessage): void {
  switch (m.type) {
    case 'peers':
      return onPeers(k, from, m);
    case 'peersAnswer':
      return onPeersAnswer(k, from, m);
    case 'preVote':
      return onPreVote(k, from, m);
    case 'preVoteAnswer':
      return onPreVoteAnswer(k, from, m);
    case 'startJoin':
      return onStartJoin(k, m);
    case 'join':
      return onJoin(k, from, m);
    case 'joinRequest':
      return onJoinRequest(k, from, m);
    case 'joinRefused':
      seeTerm(k, m.term);
      return emit(k, { type: 'joinRefused', leaderId: from, reason: m.reason });
    case 'publish':
      return onPublish(k, from, m);
    case 'publishOk':
      return onPublishOk(k, from, m);
    case 'needFull':
      return onNeedFull(k, from, m);
    case 'commit':
      return onCommit(k, m);
    case 'applyAck':
      return recordApplied(k, from, m.term, m.version);
    case 'followerCheck':
      return onFollowerCheck(k, from, m);
    case 'followerCheckAnswer':
      return onFollowerCheckAnswer(k, from, m);
    case 'leaderCheck':
      return onLeaderCheck(k, from, m);
    case 'leaderCheckAnswer':
      return onLeaderCheckAnswer(k, from, m);
  }
}

function onTimer(k: Consensus, id: string): void {
  switch (id) {
    case TIMER.election:
      return onElectionTimer(k);
    case TIMER.findPeers:
      return onFindPeersTimer(k);
    case TIMER.bootstrap:
      return onBootstrapTimer(k);
    case TIMER.leaderCheck:
      return onLeaderCheckTimer(k);
    case TIMER.publish:
      return onPublishTimer(k);
    case TIMER.acks:
      return onAcksTimer(k);
    case TIMER.lag:
      return onLagTimer(k);
    case TIMER.removal:
      return onRemovalTimer(k);
    case TIMER.reelection:
      return onReelectionTimer(k);
    default: {
      const follower = followerOfTimer(id);
      if (follower !== null) onFollowerCheckTimer(k, follower);
    }
  }
}
