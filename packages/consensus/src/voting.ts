import { countJoin } from './coordination.js';
import type { Consensus } from './consensus-state.js';
import { requestProposal } from './membership.js';
import type { Join, StartJoin } from './message.js';
import { becomeLeader, enterTerm } from './mode.js';

/** A candidate calls an election of itself, or an abdicating leader one of its successor. */
export function onStartJoin(k: Consensus, m: StartJoin): void {
  enterTerm(k, m.candidateId, m.term);
}

/**
 * Counts a vote. If its term is higher, the StartJoin that names this node has not arrived yet, so this node enters the
 * term first.
 */
export function onJoin(k: Consensus, from: string, m: Join): void {
  if (m.term > k.core.term && k.config.isVoter && !k.config.votingOnly) enterTerm(k, k.config.nodeId, m.term);
  const counted = countJoin(k.core, k.guards, from, m);
  if (counted === 'refused') return;
  k.acceptedUuids.set(from, m.acceptedStateUuid);
  if (counted === 'won') startLeading(k);
  else if (k.mode === 'leader') admitVoter(k, from);
}

/**
 * Starts the leadership. The first proposal adds all nodes that voted and removes members without a link. It also
 * removes the previous leader if that one stopped answering.
 */
function startLeading(k: Consensus): void {
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

function admitVoter(k: Consensus, from: string): void {
  if (!k.core.accepted.nodes.includes(from) || k.failed.has(from)) k.pendingJoins.add(from);
  requestProposal(k);
}
