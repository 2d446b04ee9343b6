import type { PeerNode } from '@shoal/consensus';
import type { NodeInfo } from '@shoal/state';

/** A node that a control link leads to. */
export interface ControlPeer {
  readonly node: PeerNode;
  /** As it joins the cluster state. */
  readonly info: NodeInfo;
}

/**
 * The control links to other nodes; an adapter over the transport. Links are kept in both directions once one side has
 * dialled.
 */
export interface ControlPeers {
  /** Looks who answers at these addresses (`host:port`) and keeps a link to each; nothing happens where one stands. */
  dial(addresses: readonly string[]): void;
  /** The link to a node is of no further use. */
  forget(nodeId: string): void;
  /** Rejects when the node cannot be reached or does not answer in time. */
  request(nodeId: string, action: string, payload: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  /** Called for each link that stands, and for each whose loss a redial has proved. */
  listen(listener: ControlPeersListener): void;
  close(): void;
}

export interface ControlPeersListener {
  up(peer: ControlPeer): void;
  down(nodeId: string, how: 'refused' | 'silent' | 'restarted'): void;
}
