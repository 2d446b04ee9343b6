import { type Kernel, send } from './kernel.js';
import type { Publish } from './message.js';

/** Sends a publication as a diff to what the node accepted last as far as known, else whole. */
export function publishTo(k: Kernel, to: string, header: Publish): void {
  if (to !== k.config.nodeId && !k.peers.has(to)) return;
  const base = k.acceptedUuids.get(to);
  send(k, to, base === undefined ? header : { ...header, baseStateUuid: base });
}

/** A node that asks to join did not get the running publication, which may wait for just this accept. */
export function publishAgainTo(k: Kernel, nodeId: string): void {
  const header = k.published;
  if (header === null || k.publication?.isCommitted !== false || k.core.pubVotes.includes(nodeId)) return;
  const isConcerned = header.nodes.includes(nodeId) || header.config.includes(nodeId) || header.committedConfig.includes(nodeId);
  if (isConcerned) publishTo(k, nodeId, header);
}
