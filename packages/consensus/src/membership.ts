import { stopFollowerCheck } from './checks.js';
import type { FailureReason, NodeFailure } from './effect.js';
import { callElection, reelect } from './election.js';
import { emit, isMember, type Consensus, send, sendAfter, setTimer } from './consensus-state.js';
import type { JoinRequest } from './message.js';
import { countJoin } from './coordination.js';
import { becomeCandidate, seeTerm } from './mode.js';
import { resendPublication } from './publish-to.js';
import { isQuorum, sameConfig } from './quorum.js';
import { reconfigure } from './reconfigure.js';
import { TIMER } from './timer-id.js';

const REELECTION_DELAY_MAX_MS = 60_000;

/** Handles a node's request to join: counts its vote, if it has one, and adds the node with the next proposal. */
export function onJoinRequest(k: Consensus, from: string, m: JoinRequest): void {
  seeTerm(k, m.term);
  const refusal = refusalOf(k, from, m);
  if (refusal !== null) {
    send(k, from, { type: 'joinRefused', term: k.core.term, reason: refusal });
    return;
  }
  if (m.vote !== null && countJoin(k.core, k.guards, from, m.vote) !== 'refused') {
    k.acceptedUuids.set(from, m.vote.acceptedStateUuid);
  }
  k.pendingJoins.add(from);
  if (k.core.accepted.nodes.includes(from) && !k.failed.has(from)) {
    send(k, from, { type: 'followerCheck', term: k.core.term, seq: 0 });
  }
  resendPublication(k, from);
  requestProposal(k);
}

function refusalOf(k: Consensus, from: string, m: JoinRequest): string | null {
  if (k.mode !== 'leader') return 'not the elected master';
  if (m.term > k.core.term) return 'term of the joining node is higher';
  if (k.config.isSingleNode) return 'cannot join node with [discovery.type] set to [single-node]';
  if (k.peers.get(from)?.ephemeralId !== m.ephemeralId) return 'no link to this process of the joining node';
  const { clusterUuid, clusterUuidCommitted } = k.core.accepted;
  if (m.clusterUuid === null || !clusterUuidCommitted || m.clusterUuid === clusterUuid) return null;
  return (
    `join validation on cluster state with a different cluster uuid [${clusterUuid}] than local cluster uuid ` +
    `[${m.clusterUuid}]`
  );
}

/**
 * The leader removes a node from the cluster. Nodes that fail within 10 ms are removed by one proposal. The leader
 * steps down if no live quorum is left.
 */
export function failNode(k: Consensus, nodeId: string, reason: FailureReason): void {
  if (k.mode !== 'leader') return;
  if (k.failed.has(nodeId) || !isMember(k, nodeId)) return;
  k.pendingJoins.delete(nodeId);
  stopFollowerCheck(k, nodeId);
  k.failed.set(nodeId, reason);
  if (k.failedUnreported.length === 0) setTimer(k, TIMER.removal, k.config.settings.removalBatchMs, 0);
  k.failedUnreported = [...k.failedUnreported, nodeId];
  stepDownWithoutQuorum(k);
}

/**
 * A link is lost and dialling failed. A member has failed; a node that wanted to join will not, and the leader may have
 * counted on it for a quorum.
 */
export function losePeer(k: Consensus, nodeId: string, reason: FailureReason): void {
  failNode(k, nodeId, reason);
  if (k.mode === 'leader' && k.pendingJoins.delete(nodeId)) stepDownWithoutQuorum(k);
}

/**
 * Without a live quorum neither the running publication nor a later one can be committed, so the leader does not wait
 * for the publish timeout.
 */
function stepDownWithoutQuorum(k: Consensus): void {
  if (!hasLiveQuorum(k)) becomeCandidate(k, null);
}

function hasLiveQuorum(k: Consensus): boolean {
  const { committedConfig, acceptedConfig } = k.core.accepted;
  const isPublishing = k.publication?.isCommitted === false;
  return (
    hasLiveQuorumOf(k, committedConfig) &&
    hasLiveQuorumOf(k, acceptedConfig) &&
    (!isPublishing || hasLiveQuorumOf(k, k.core.pubConfig))
  );
}

/**
 * Whether a quorum of `config` is in the cluster and has not failed. A node that asks to join counts only while no
 * publication runs, because a joining node is not checked during one. A vote in this term does not count as a sign of
 * life: the voter may have been removed since.
 */
export function hasLiveQuorumOf(k: Consensus, config: readonly string[]): boolean {
  const isPublishing = k.publication?.isCommitted === false;
  const isLive = (id: string): boolean =>
    !k.failed.has(id) && (isMember(k, id) || (!isPublishing && k.pendingJoins.has(id)));
  return isQuorum(config.filter(isLive), config);
}

/** Reports the failed nodes and requests the proposal that removes them. */
export function onRemovalTimer(k: Consensus): void {
  if (k.mode !== 'leader' || k.failedUnreported.length === 0) return;
  const nodes: NodeFailure[] = [];
  for (const nodeId of k.failedUnreported) {
    const reason = k.failed.get(nodeId);
    if (reason !== undefined) nodes.push({ nodeId, reason });
  }
  k.failedUnreported = [];
  if (nodes.length === 0) return;
  emit(k, { type: 'nodesFailed', nodes });
  requestProposal(k);
}

/**
 * Requests the next state from the shell if the leader is idle. Called whenever membership or configuration should
 * change.
 */
export function requestProposal(k: Consensus): void {
  if (k.mode !== 'leader' || k.publication !== null) return;
  if (k.core.pubVersion !== k.core.accepted.version) return;
  if ((k.isStopping || isExcludedFromLeading(k)) && abdicate(k)) return;
  const { term } = k.core;
  const { version } = k.core.accepted;
  const leaves = [...k.failed].map(([nodeId, reason]) => ({ nodeId, reason }));
  const joins = [...k.pendingJoins].sort();
  const elected = k.isElectedBatchDue;
  emit(k, { type: 'proposeRequested', term, version, elected, joins, leaves, config: nextConfig(k) });
}

function nextConfig(k: Consensus): readonly string[] | null {
  const { acceptedConfig, committedConfig, exclusions, nodes } = k.core.accepted;
  if (!sameConfig(acceptedConfig, committedConfig)) return null;
  const self = k.config.nodeId;
  const isLive = (id: string): boolean =>
    id === self ? k.config.isVoter : !k.failed.has(id) && k.peers.get(id)?.isVoter === true;
  const live = nodes.filter(isLive);
  const autoShrink = k.config.settings.autoShrinkVotingConfiguration;
  const next = reconfigure({ live, exclusions, leaderId: self, current: acceptedConfig, autoShrink });
  if (next === acceptedConfig) return null;
  if (isQuorum(k.core.joins, next)) {
    k.reelections = 0;
    return next;
  }
  scheduleReelection(k);
  return null;
}

function scheduleReelection(k: Consensus): void {
  if (k.isReelectionDue) return;
  k.isReelectionDue = true;
  const delayMs = k.config.settings.electionDurationMs * 2 ** Math.min(k.reelections, 10);
  setTimer(k, TIMER.reelection, Math.min(delayMs, REELECTION_DELAY_MAX_MS), 0);
}

/**
 * A better configuration can be adopted only with a quorum of votes for the leader, and members that joined without
 * voting for it are missing. If it is still so, an election in a new term collects their votes.
 */
export function onReelectionTimer(k: Consensus): void {
  k.isReelectionDue = false;
  if (k.mode !== 'leader') return;
  if (k.publication !== null) {
    scheduleReelection(k);
    return;
  }
  const before = k.reelections;
  const config = nextConfig(k);
  if (config !== null) requestProposal(k);
  else if (k.isReelectionDue) {
    k.reelections = before + 1;
    reelect(k);
  }
}

function isExcludedFromLeading(k: Consensus): boolean {
  const { acceptedConfig, committedConfig, exclusions } = k.core.accepted;
  const self = k.config.nodeId;
  return exclusions.includes(self) && !acceptedConfig.includes(self) && !committedConfig.includes(self);
}

/**
 * The voter with the smallest id that can lead and accepted the leader's newest state; null if there is none. A voter
 * without the newest state could lose the election.
 */
function successorOf(k: Consensus): string | null {
  const { acceptedConfig, exclusions, nodes, stateUuid } = k.core.accepted;
  const isFit = (id: string): boolean => {
    const peer = k.peers.get(id);
    if (peer === undefined || !peer.isVoter || peer.votingOnly || k.failed.has(id)) return false;
    return nodes.includes(id) && !exclusions.includes(id) && k.acceptedUuids.get(id) === stateUuid;
  };
  return acceptedConfig.filter((id) => id !== k.config.nodeId && isFit(id)).sort()[0] ?? null;
}

/**
 * Hands the leadership to a successor. Without a successor only a stopping node steps down. A leader does not abdicate
 * before its first publication, unless it is stopping. True if it stepped down.
 */
function abdicate(k: Consensus): boolean {
  if (k.isElectedBatchDue && !k.isStopping) return false;
  const successor = successorOf(k);
  if (successor === null && !k.isStopping) return false;
  if (successor !== null) callElection(k, successor);
  becomeCandidate(k, null);
  return true;
}

/** Before the process stops: a leader abdicates, after its running publication if there is one. */
export function onShutdown(k: Consensus): void {
  k.isStopping = true;
  if (k.mode === 'leader' && (k.publication === null || k.publication.isCommitted)) abdicate(k);
}

/**
 * Sends a join request to `leaderId`. It contains this node's vote, unless the vote of the term went to another node.
 */
export function requestJoin(k: Consensus, leaderId: string, afterPersist: number | null): void {
  const { core } = k;
  const { clusterUuid, clusterUuidCommitted, term, version, stateUuid } = core.accepted;
  const mayVote = k.config.isVoter && core.startedJoin && core.votedFor === leaderId;
  const vote = mayVote
    ? ({
        type: 'join',
        term: core.term,
        acceptedTerm: term,
        acceptedVersion: version,
        acceptedStateUuid: stateUuid,
      } as const)
    : null;
  const uuid = clusterUuidCommitted ? clusterUuid : null;
  sendAfter(
    k,
    leaderId,
    { type: 'joinRequest', term: core.term, ephemeralId: k.config.ephemeralId, vote, clusterUuid: uuid },
    afterPersist,
  );
}
