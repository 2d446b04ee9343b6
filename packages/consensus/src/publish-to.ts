import { type Consensus, send } from './consensus-state.js';
import type { Publish } from './message.js';

/** Sends a publication: as a diff to the state that the node accepted last, if known, else whole. */
export function publishTo(k: Consensus, to: string, header: Publish): void {
  if (to !== k.config.nodeId && !k.peers.has(to)) return;
  if (k.publication?.deferred.includes(to)) return;
  const base = k.acceptedUuids.get(to);
  send(k, to, base === undefined ? header : { ...header, baseStateUuid: base });
}

/**
 * Sends the running publication to a node that asks to join and did not get it. The publication may need just this
 * node's accept for its quorum.
 */
export function resendPublication(k: Consensus, nodeId: string): void {
  const header = k.published;
  if (header === null || k.publication?.isCommitted !== false || k.core.pubVotes.includes(nodeId)) return;
  const isConcerned =
    header.nodes.includes(nodeId) || header.config.includes(nodeId) || header.committedConfig.includes(nodeId);
  if (isConcerned) publishTo(k, nodeId, header);
}

/**
 * Voting-only nodes among `nodes`; they get a publication after a node that can lead has accepted it durably.
 * Otherwise: leader n1 publishes version 9, only voting-only v1 gets it, n1 dies. v1 refuses to vote for n2, which has
 * version 8, and cannot lead itself: no leader is possible.
 */
export function votingOnlyAmong(k: Consensus, nodes: readonly string[]): string[] {
  return nodes.filter((id) => k.peers.get(id)?.votingOnly === true);
}

/** After an accept by a node that can lead, sends the publication to the voting-only nodes. */
export function publishDeferred(k: Consensus, acceptedBy: string): void {
  const p = k.publication;
  if (p === null || p.deferred.length === 0 || k.published === null) return;
  const peer = k.peers.get(acceptedBy);
  if (acceptedBy !== k.config.nodeId && (peer === undefined || peer.votingOnly || !peer.isVoter)) return;
  const targets = p.deferred;
  p.deferred = [];
  for (const id of targets) publishTo(k, id, k.published);
}
