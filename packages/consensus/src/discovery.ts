import { tryBootstrap } from './bootstrap.js';
import { emit, type Consensus, send, setTimer } from './consensus-state.js';
import { failNode, requestJoin } from './membership.js';
import type { PeerNode, PeersAnswer, PeersRequest } from './message.js';
import { enterTerm, seeTerm } from './mode.js';
import { TIMER } from './timer-id.js';

/**
 * Pauses between the first probes (at 0, 50, 100, 200 … ms); later probes follow at the interval of
 * `findPeersIntervalMs`.
 */
const EARLY_PROBE_DELAYS_MS = [50, 50, 100, 200, 200, 200, 200];

/** A candidate dials seeds and known nodes, and asks each linked voter who leads. */
export function onFindPeersTimer(k: Consensus): void {
  if (k.mode !== 'candidate') return;
  const intervalMs = k.config.settings.findPeersIntervalMs;
  setTimer(k, TIMER.findPeers, Math.min(EARLY_PROBE_DELAYS_MS[k.probeCount] ?? intervalMs, intervalMs), 0);
  k.probeCount++;
  const isMissing = (id: string): boolean => id !== k.config.nodeId && !k.peers.has(id);
  emit(k, { type: 'dial', seeds: true, addresses: [], nodeIds: k.core.accepted.nodes.filter(isMissing) });
  for (const peer of k.peers.values()) if (peer.isVoter) send(k, peer.nodeId, { type: 'peers', term: k.core.term });
  tryBootstrap(k);
}

/**
 * A link was established. If the peer is another process than before, it has restarted, and the leader removes the
 * previous one. Candidates and leaders ask the peer who leads, because a leader may have been replaced without noticing
 * it.
 */
export function onPeerUp(k: Consensus, peer: PeerNode): void {
  const before = k.peers.get(peer.nodeId);
  if (before !== undefined && before.ephemeralId !== peer.ephemeralId) failNode(k, peer.nodeId, 'restarted');
  k.peers.set(peer.nodeId, peer);
  if (k.unreachableLeader === peer.nodeId) k.unreachableLeader = null;
  if (peer.isVoter && k.mode !== 'follower') send(k, peer.nodeId, { type: 'peers', term: k.core.term });
  if (k.mode === 'candidate') tryBootstrap(k);
}

/** Answers with the leader and the voters that this node knows. */
export function onPeers(k: Consensus, from: string, m: PeersRequest): void {
  seeTerm(k, m.term);
  const peers: { nodeId: string; address: string }[] = [];
  for (const peer of k.peers.values()) {
    if (peer.isVoter && peer.nodeId !== from) peers.push({ nodeId: peer.nodeId, address: peer.address });
  }
  send(k, from, { type: 'peersAnswer', term: k.core.term, leaderId: k.leaderId, peers });
}

/** Joins the answering node if it leads. If it names another leader, asks that node, or dials it. */
export function onPeersAnswer(k: Consensus, from: string, m: PeersAnswer): void {
  seeTerm(k, m.term);
  if (k.unreachableLeader === from) k.unreachableLeader = null;
  if (k.mode !== 'candidate') return;
  if (m.leaderId === from) joinLeader(k, from, m.term);
  else if (m.leaderId !== null && k.peers.has(m.leaderId)) send(k, m.leaderId, { type: 'peers', term: k.core.term });
  const isNew = (p: { nodeId: string }): boolean => p.nodeId !== k.config.nodeId && !k.peers.has(p.nodeId);
  const addresses = m.peers.filter(isNew).map((p) => p.address);
  if (addresses.length > 0) emit(k, { type: 'dial', seeds: false, addresses, nodeIds: [] });
}

/** The join request may contain a vote, so it is sent only after the term is on disk. */
function joinLeader(k: Consensus, leaderId: string, term: number): void {
  if (k.config.isSingleNode || k.isStopping) return;
  if (term > k.core.term) enterTerm(k, leaderId, term);
  requestJoin(k, leaderId, k.persistSeq > 0 && k.guards.persistBeforeJoin ? k.persistSeq : null);
}
