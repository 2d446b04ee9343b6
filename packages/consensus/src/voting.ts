import { countJoin } from './coordination.js';
import type { Consensus } from './consensus-state.js';
import { requestProposal } from './membership.js';
import type { Join, StartJoin } from './message.js';
import { becomeLeader, enterTerm } from './mode.js';

/** A candidate, or a leader that abdicates in favour of one, calls a new term. */
export function onStartJoin(k: Consensus, m: StartJoin): void {
  enterTerm(k, m.candidateId, m.term);
}

/**
 * Counts a vote. One of a higher term says that a StartJoin naming this node is still on its way, so the term is
 * entered first.
 */
export function onJoin(k: Consensus, from: string, m: Join): void {
  if (m.term > k.core.term && k.config.isVoter && !k.config.votingOnly) enterTerm(k, k.config.nodeId, m.term);
  const counted = countJoin(k.core, k.guards, from, m);
  if (counted === 'refused') return;
  k.acceptedUuids.set(from, m.acceptedStateUuid);
  if (counted === 'won') lead(k);
  else if (k.mode === 'leader') takeIn(k, from);
}

/**
 * First batch: everybody who voted is taken in; members without a link are removed, and the leader before, where that
 * stopped answering.
 */
function lead(k: Consensus): void {
  const { nodes } = k.core.accepted;
  for (const id of k.core.joins) k.pendingJoins.add(id);
  k.pendingJoins.add(k.config.nodeId);
  for (const id of nodes) {
    if (k.pendingJoins.has(id)) continue;
    if (!k.peers.has(id)) k.failed.set(id, 'disconnected');
    else if (id === k.unreachableLeader) k.failed.set(id, 'followers check retry count exceeded');
  }
  becomeLeader(k);
  requestProposal(k);
}

function takeIn(k: Consensus, from: string): void {
  if (!k.core.accepted.nodes.includes(from) || k.failed.has(from)) k.pendingJoins.add(from);
  requestProposal(k);
}
