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
import { canReach, failNode, requestProposal } from './membership.js';
import type { Commit, FollowerCheckAnswer, NeedFull, Publish, PublishOk } from './message.js';
import { deferredOf, publishDeferred, publishTo } from './publish-to.js';
import { applyCommitted, becomeCandidate, becomeFollower, enterTerm } from './mode.js';
import { TIMER } from './timer-id.js';

/**
 * Not while another publication runs, not without the leader itself, not with a configuration whose members have failed
 * meanwhile.
 */
function mayStart(k: Consensus, p: Proposal): boolean {
  if (k.guards.proposeWon && k.mode !== 'leader') return false;
  if (k.guards.proposeOnAccepted && k.publication !== null) return false;
  return p.nodes.includes(k.config.nodeId) && (canReach(k, p.config) || !k.guards.proposeConfigQuorum);
}

/** Publishes the next state to the nodes of the old and the new one, the leader itself included. */
export function onPropose(k: Consensus, p: Proposal): void {
  if (!mayStart(k, p) || !propose(k.core, k.guards, p.version, p.config)) {
    emit(k, { type: 'failTasks', reason: 'notMaster', version: p.version });
    return;
  }
  const old = k.core.accepted.nodes;
  const removed = old.filter((id) => !p.nodes.includes(id));
  const deferred = deferredOf(k, [...p.nodes, ...removed]);
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

/** Joins and failures that the proposal took up are done; a node that failed and is still in it comes up again. */
function settleMembership(k: Consensus, nodes: readonly string[]): void {
  for (const id of k.failed.keys()) if (!nodes.includes(id) || k.pendingJoins.has(id)) k.failed.delete(id);
  for (const id of k.pendingJoins) if (nodes.includes(id)) k.pendingJoins.delete(id);
}

/** Takes a publication in and has it validated; a node in a lower term enters the leader's first. */
export function onPublish(k: Consensus, from: string, m: Publish): void {
  if (m.term > k.core.term) enterTerm(k, from, m.term);
  if (!mayAccept(k.core, k.guards, m)) {
    answerAgain(k, from, m);
    return;
  }
  if (k.pending?.publication.term === m.term && k.pending.publication.version === m.version) return;
  if (from !== k.config.nodeId && m.term === k.core.term) becomeFollower(k, from);
  k.pending = { from, publication: m };
  if (k.guards.publishValidated) emit(k, { type: 'validate', from, publication: m });
  else onValidated(k, m.term, m.version, 'ok');
}

/** What was accepted before and comes again is answered again: the answer got lost. */
function answerAgain(k: Consensus, from: string, m: Publish): void {
  const la = k.core.accepted;
  if (m.term !== k.core.term || m.term !== la.term || m.version !== la.version || from === k.config.nodeId) return;
  const waits = hasVote(k) && k.guards.persistBeforePublishOk;
  sendAfter(k, from, { type: 'publishOk', term: m.term, version: m.version }, waits ? k.persistSeq : null);
}

/** The shell checked the content: accept, make durable, answer. */
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

/** Checks follow the membership; a node that went while it was being taken in has failed. */
function onAcceptedByLeader(k: Consensus): void {
  const { nodes } = k.core.accepted;
  for (const id of k.applied.keys()) if (!nodes.includes(id)) k.applied.delete(id);
  for (const id of nodes) if (id !== k.config.nodeId && !k.peers.has(id)) failNode(k, id, 'disconnected');
  if (k.mode === 'leader') syncFollowerChecks(k);
}

/** The whole state for a node that could not use the diff. */
export function onNeedFull(k: Consensus, from: string, m: NeedFull): void {
  const header = k.published;
  if (k.mode !== 'leader' || header === null || m.term !== header.term || m.version !== header.version) return;
  k.acceptedUuids.delete(from);
  send(k, from, header);
}

/** Counts an accept; on a quorum the state is committed, later accepts are answered at once. */
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
 * A check sent after the newest publication came back: whatever the follower does not show of it was lost, and is sent
 * again.
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

/** The leader said that the accepted state is committed. */
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
 * The leader applies last: after the acknowledgements of all others, or after the wait for them. Then the next batch
 * may start.
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
 * What a node that left had accepted says nothing about it when it comes back: it may have lost it. Its link is closed,
 * so it is no peer until it is discovered again; one that has asked to be taken in meanwhile did so over its link and
 * keeps it.
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

/** This node applied: tell the leader, or count it if this is the leader. */
export function onApplied(k: Consensus, term: number, version: number): void {
  k.appliedTerm = term;
  k.appliedVersion = version;
  if (k.mode === 'leader') recordApplied(k, k.config.nodeId, term, version);
  else if (k.leaderId !== null) send(k, k.leaderId, { type: 'applyAck', term, version });
}

/** Counts an application. */
export function recordApplied(k: Consensus, nodeId: string, term: number, version: number): void {
  if (k.mode !== 'leader' || term !== k.core.term || (k.applied.get(nodeId) ?? 0) >= version) return;
  k.applied.set(nodeId, version);
  emit(k, { type: 'nodeApplied', nodeId, term, version });
  finishPublication(k);
}

/** No quorum in time: the outcome of the publication is unknown and the leadership is over. */
export function onPublishTimer(k: Consensus): void {
  if (k.mode === 'leader' && k.publication?.isCommitted === false) becomeCandidate(k, null);
}

/** Some node is slow to apply: the leader does not wait for it any longer. */
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

/** Nodes that have not applied what was committed long ago are removed. */
export function onLagTimer(k: Consensus): void {
  if (k.mode !== 'leader' || k.lagVersion === 0) return;
  const { lagVersion, lagNodes } = k;
  k.lagVersion = 0;
  if (k.committedVersion > lagVersion) watchLag(k, k.committedVersion, k.core.accepted.nodes);
  for (const id of lagNodes) {
    if (id !== k.config.nodeId && (k.applied.get(id) ?? 0) < lagVersion) failNode(k, id, 'lagging');
  }
}
