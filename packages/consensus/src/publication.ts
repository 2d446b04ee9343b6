import { syncFollowerChecks } from './checks.js';
import { accept, commit, countPublishOk, mayAccept, propose } from './coordination.js';
import type { Proposal } from './event.js';
import {
  cancelTimer,
  emit,
  hasVote,
  type Consensus,
  persist,
  type Publication,
  send,
  sendAfter,
  setTimer,
} from './consensus-state.js';
import { hasLiveQuorumOf, failNode, requestProposal } from './membership.js';
import type { Commit, FollowerCheckAnswer, NeedFull, Publish, PublishOk } from './message.js';
import { votingOnlyAmong, publishDeferred, publishTo } from './publish-to.js';
import { applyCommitted, becomeCandidate, becomeFollower, enterTerm } from './mode.js';
import { TIMER } from './timer-id.js';

/**
 * Whether a proposal may be published: the node leads, no publication is running, the leader is in the new state, and a
 * quorum of the new configuration is live (members may have failed since the request).
 */
function mayStart(k: Consensus, p: Proposal): boolean {
  if (k.guards.proposeWon && k.mode !== 'leader') return false;
  if (k.guards.proposeOnAccepted && k.publication !== null) return false;
  return p.nodes.includes(k.config.nodeId) && (hasLiveQuorumOf(k, p.config) || !k.guards.proposeConfigQuorum);
}

/** Publishes the next state to the nodes of the previous and of the next state, the leader included. */
export function onPropose(k: Consensus, p: Proposal): void {
  if (!mayStart(k, p) || !propose(k.core, k.guards, p.version, p.config)) {
    emit(k, { type: 'failTasks', reason: 'notMaster', version: p.version });
    return;
  }
  const old = k.core.accepted.nodes;
  const removed = old.filter((id) => !p.nodes.includes(id));
  const deferred = votingOnlyAmong(k, [...p.nodes, ...removed]);
  k.publication = {
    version: p.version,
    removed,
    deferred,
    isCommitted: false,
    isCommittedHere: false,
    isAckWaitOver: false,
  };
  k.published = publishHeader(k, p);
  k.publishedAtCheck = k.checkSeq;
  k.isElectedBatchDue = false;
  settleMembership(k, p.nodes);
  setTimer(k, TIMER.publish, k.config.settings.publishTimeoutMs, 0);
  for (const id of [...p.nodes, ...removed]) publishTo(k, id, k.published);
  syncFollowerChecks(k);
}

function publishHeader(k: Consensus, p: Proposal): Publish {
  const { term, accepted } = k.core;
  const { committedConfig } = accepted;
  return { type: 'publish', term, baseStateUuid: null, committedConfig, ...p };
}

/**
 * Removes joins and failures that the proposal contains from the queues. A node that failed but is in the proposal is
 * kept as failed and removed by the next one, unless it has asked to join again.
 */
function settleMembership(k: Consensus, nodes: readonly string[]): void {
  for (const id of k.failed.keys()) if (!nodes.includes(id) || k.pendingJoins.has(id)) k.failed.delete(id);
  for (const id of k.pendingJoins) if (nodes.includes(id)) k.pendingJoins.delete(id);
}

/** Sends a received publication to validation. A node in a lower term enters the leader's term first. */
export function onPublish(k: Consensus, from: string, m: Publish): void {
  if (m.term > k.core.term) enterTerm(k, from, m.term);
  if (!mayAccept(k.core, k.guards, m)) {
    resendPublishOk(k, from, m);
    return;
  }
  if (k.pending?.publication.term === m.term && k.pending.publication.version === m.version) return;
  if (from !== k.config.nodeId && m.term === k.core.term) becomeFollower(k, from);
  k.pending = { from, publication: m };
  if (k.guards.publishValidated) emit(k, { type: 'validate', from, publication: m });
  else onValidated(k, m.term, m.version, 'ok');
}

/**
 * Sends PublishOk again for a publication that is accepted already: the leader repeats it because the first answer was
 * lost.
 */
function resendPublishOk(k: Consensus, from: string, m: Publish): void {
  const la = k.core.accepted;
  if (m.term !== k.core.term || m.term !== la.term || m.version !== la.version || from === k.config.nodeId) return;
  const waits = hasVote(k) && k.guards.persistBeforePublishOk;
  sendAfter(k, from, { type: 'publishOk', term: m.term, version: m.version }, waits ? k.persistSeq : null);
}

/** The shell has validated a publication: accepts it, persists it, then sends PublishOk. */
export function onValidated(k: Consensus, term: number, version: number, result: 'ok' | 'needFull' | 'refused'): void {
  const { pending } = k;
  if (pending === null || pending.publication.term !== term || pending.publication.version !== version) return;
  k.pending = null;
  const { from } = pending;
  if (result === 'needFull') send(k, from, { type: 'needFull', term, version });
  if (result !== 'ok' || !accept(k.core, k.guards, pending.publication)) return;
  const seq = persist(k, { type: 'accept', accepted: k.core.accepted });
  const waits = hasVote(k) && k.guards.persistBeforePublishOk;
  sendAfter(k, from, { type: 'publishOk', term, version }, waits ? seq : null);
  if (k.mode === 'leader') onAcceptedByLeader(k);
}

/**
 * After the leader accepted its own publication: checks the members of the new state. A member without a link was lost
 * while it joined, and fails.
 */
function onAcceptedByLeader(k: Consensus): void {
  const { nodes } = k.core.accepted;
  for (const id of k.applied.keys()) if (!nodes.includes(id)) k.applied.delete(id);
  for (const id of nodes) if (id !== k.config.nodeId && !k.peers.has(id)) failNode(k, id, 'disconnected');
  if (k.mode === 'leader') syncFollowerChecks(k);
}

/** Sends the publication without a base, so that the shell adds the whole state. */
export function onNeedFull(k: Consensus, from: string, m: NeedFull): void {
  const header = k.published;
  if (k.mode !== 'leader' || header === null || m.term !== header.term || m.version !== header.version) return;
  k.acceptedUuids.delete(from);
  send(k, from, header);
}

/** Counts an accept. The quorum commits the state; a later accept is answered with Commit at once. */
export function onPublishOk(k: Consensus, from: string, m: PublishOk): void {
  if (k.mode !== 'leader' || k.published === null) return;
  const counted = countPublishOk(k.core, k.guards, from, m.term, m.version);
  if (counted === 'refused') return;
  k.acceptedUuids.set(from, k.published.stateUuid);
  publishDeferred(k, from);
  const order = { type: 'commit', term: k.published.term, version: k.published.version } as const;
  if (counted === 'late') send(k, from, order);
  if (counted !== 'quorum' || k.publication === null) return;
  k.publication.isCommitted = true;
  cancelTimer(k, TIMER.publish);
  setTimer(k, TIMER.acks, k.config.settings.ackWaitMs, 0);
  if (k.lagVersion === 0) watchLag(k, m.version, k.published.nodes);
  for (const id of k.core.pubVotes) send(k, id, order);
}

/**
 * Sends again what a follower missed of the newest publication, Publish or Commit. Only the answer to a check sent
 * after the publication counts: an older answer may have been sent before the publication arrived.
 */
export function repairPublication(k: Consensus, from: string, m: FollowerCheckAnswer): void {
  const header = k.published;
  if (m.term !== k.core.term || header === null || m.seq <= k.publishedAtCheck) return;
  if (m.applied > 0) recordApplied(k, from, m.term, m.applied);
  if (header !== k.published || !header.nodes.includes(from)) return;
  if (!k.core.pubVotes.includes(from)) publishTo(k, from, header);
  else if (m.committed < header.version && k.publication?.isCommitted !== false) {
    send(k, from, { type: 'commit', term: header.term, version: header.version });
  }
}

/** The leader has committed the accepted state. */
export function onCommit(k: Consensus, m: Commit): void {
  const result = commit(k.core, k.guards, m.term, m.version);
  if (result === 'refused') return;
  persist(k, { type: 'commit', term: m.term, version: m.version, sync: result === 'final' });
  if (k.mode !== 'leader') {
    applyCommitted(k);
    return;
  }
  if (k.publication === null || k.publication.version !== m.version) return;
  k.publication.isCommittedHere = true;
  finishPublication(k);
}

/**
 * The leader applies a state last: after the other nodes acknowledged it, or after `ackWaitMs`. Then the next
 * publication may start.
 */
export function finishPublication(k: Consensus): void {
  const p = k.publication;
  if (p === null || !p.isCommittedHere || !(p.isAckWaitOver || isAcknowledged(k, p))) return;
  applyCommitted(k);
  k.publication = null;
  cancelTimer(k, TIMER.acks);
  for (const nodeId of p.removed) forgetNode(k, nodeId);
  requestProposal(k);
}

/**
 * Forgets a node that was removed from the cluster. If n3 comes back, it may have lost the state that it accepted, so
 * the leader must not send it a diff. Its link is closed, so that it is discovered again; the link stays if n3 has
 * asked to join over it meanwhile.
 */
function forgetNode(k: Consensus, nodeId: string): void {
  k.acceptedUuids.delete(nodeId);
  if (k.pendingJoins.has(nodeId) || !k.peers.delete(nodeId)) return;
  emit(k, { type: 'close', nodeId });
}

function isAcknowledged(k: Consensus, p: Publication): boolean {
  const isDone = (id: string): boolean => {
    if (id === k.config.nodeId || !k.peers.has(id) || k.failed.has(id)) return true;
    return (k.applied.get(id) ?? 0) >= p.version;
  };
  return k.core.accepted.nodes.every(isDone);
}

/** This node applied a state: reports it to the leader, or counts it if this node leads. */
export function onApplied(k: Consensus, term: number, version: number): void {
  k.appliedTerm = term;
  k.appliedVersion = version;
  if (k.mode === 'leader') recordApplied(k, k.config.nodeId, term, version);
  else if (k.leaderId !== null) send(k, k.leaderId, { type: 'applyAck', term, version });
}

/** Records that a node applied a version of this term. */
export function recordApplied(k: Consensus, nodeId: string, term: number, version: number): void {
  if (k.mode !== 'leader' || term !== k.core.term || (k.applied.get(nodeId) ?? 0) >= version) return;
  k.applied.set(nodeId, version);
  emit(k, { type: 'nodeApplied', nodeId, term, version });
  finishPublication(k);
}

/** No quorum before the publish timeout: the leader steps down, and the outcome of the publication is unknown. */
export function onPublishTimer(k: Consensus): void {
  if (k.mode === 'leader' && k.publication?.isCommitted === false) becomeCandidate(k, null);
}

/** The wait for acknowledgements is over: the leader applies without the slow nodes. */
export function onAcksTimer(k: Consensus): void {
  if (k.publication === null) return;
  k.publication.isAckWaitOver = true;
  finishPublication(k);
}

function watchLag(k: Consensus, version: number, nodes: readonly string[]): void {
  const s = k.config.settings;
  k.lagVersion = version;
  k.lagNodes = nodes;
  setTimer(k, TIMER.lag, s.publishTimeoutMs + s.followerLagTimeoutMs, 0);
}

/** Fails nodes that have not applied a version long after it was committed. */
export function onLagTimer(k: Consensus): void {
  if (k.mode !== 'leader' || k.lagVersion === 0) return;
  const { lagVersion, lagNodes } = k;
  k.lagVersion = 0;
  if (k.committedVersion > lagVersion) watchLag(k, k.committedVersion, k.core.accepted.nodes);
  for (const id of lagNodes) {
    if (id !== k.config.nodeId && (k.applied.get(id) ?? 0) < lagVersion) failNode(k, id, 'lagging');
  }
}
