import { tryBootstrap } from './bootstrap.js';
import { emit, type Consensus, send, setTimer } from './consensus-state.js';
import { failNode, requestJoin } from './membership.js';
import type { PeerNode, PeersAnswer, PeersRequest } from './message.js';
import { enterTerm, seeTerm } from './mode.js';
import { TIMER } from './timer-id.js';

/** Probes of the first second come faster: 0, 50, 100, 200 … ms apart; then one each interval. */
const EARLY_PROBE_DELAYS_MS = [50, 50, 100, 200, 200, 200, 200];

/** A candidate dials whom it may know and asks everybody it reaches for the leader. */
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
 * A link stands: a node with another process than before has restarted. Candidates, and leaders that may be so no more,
 * ask who leads.
 */
export function onPeerUp(k: Consensus, peer: PeerNode): void {
  const before = k.peers.get(peer.nodeId);
  if (before !== undefined && before.ephemeralId !== peer.ephemeralId) failNode(k, peer.nodeId, 'restarted');
  k.peers.set(peer.nodeId, peer);
  if (k.unreachableLeader === peer.nodeId) k.unreachableLeader = null;
  if (peer.isVoter && k.mode !== 'follower') send(k, peer.nodeId, { type: 'peers', term: k.core.term });
  if (k.mode === 'candidate') tryBootstrap(k);
}

/** Says who leads, as far as known here, and which voters there are. */
export function onPeers(k: Consensus, from: string, m: PeersRequest): void {
  seeTerm(k, m.term);
  const peers: { nodeId: string; address: string }[] = [];
  for (const peer of k.peers.values()) {
    if (peer.isVoter && peer.nodeId !== from) peers.push({ nodeId: peer.nodeId, address: peer.address });
  }
  send(k, from, { type: 'peersAnswer', term: k.core.term, leaderId: k.leaderId, peers });
}

/** Joins a leader that answers for itself; one known by hearsay is asked, or dialled. */
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

/** The vote rides along, so the request waits for the last persist. */
function joinLeader(k: Consensus, leaderId: string, term: number): void {
  if (k.config.isSingleNode || k.isStopping) return;
  if (term > k.core.term) enterTerm(k, leaderId, term);
  requestJoin(k, leaderId, k.persistSeq > 0 && k.guards.persistBeforeJoin ? k.persistSeq : null);
}
