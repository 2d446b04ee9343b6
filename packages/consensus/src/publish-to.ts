import { type Consensus, send } from './consensus-state.js';
import type { Publish } from './message.js';

/** Sends a publication as a diff to what the node accepted last as far as known, else whole. */
export function publishTo(k: Consensus, to: string, header: Publish): void {
  if (to !== k.config.nodeId && !k.peers.has(to)) return;
  if (k.publication?.deferred.includes(to)) return;
  const base = k.acceptedUuids.get(to);
  send(k, to, base === undefined ? header : { ...header, baseStateUuid: base });
}

/** A node that asks to join did not get the running publication, which may wait for just this accept. */
export function publishAgainTo(k: Consensus, nodeId: string): void {
  const header = k.published;
  if (header === null || k.publication?.isCommitted !== false || k.core.pubVotes.includes(nodeId)) return;
  const isConcerned =
    header.nodes.includes(nodeId) || header.config.includes(nodeId) || header.committedConfig.includes(nodeId);
  if (isConcerned) publishTo(k, nodeId, header);
}

/**
 * Nodes of the running publication that only vote: they get it after a node that can lead has it durably. Else the
 * newest state could be on nodes alone that never lead and refuse to vote for anybody else.
 */
export function deferredOf(k: Consensus, nodes: readonly string[]): string[] {
  return nodes.filter((id) => k.peers.get(id)?.votingOnly === true);
}

/** A node accepted: if it can lead, the voting-only nodes get the publication now. */
export function publishDeferred(k: Consensus, acceptedBy: string): void {
  const p = k.publication;
  if (p === null || p.deferred.length === 0 || k.published === null) return;
  const peer = k.peers.get(acceptedBy);
  if (acceptedBy !== k.config.nodeId && (peer === undefined || peer.votingOnly || !peer.isVoter)) return;
  const targets = p.deferred;
  p.deferred = [];
  for (const id of targets) publishTo(k, id, k.published);
}
