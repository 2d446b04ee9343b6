import type { PeerNode } from '@shoal/consensus';
import type { NodeInfo } from '@shoal/state';

/** A node at the other end of a control link. */
export interface ControlPeer {
  readonly node: PeerNode;
  /** The node as it is added to the cluster state. */
  readonly info: NodeInfo;
}

/**
 * Control links to other nodes, implemented over the transport. A link works in both directions, whichever side
 * dialled.
 */
export interface ControlPeers {
  /** Connects to addresses (`host:port`) and keeps a link to the node at each. Addresses with a link are skipped. */
  dial(addresses: readonly string[]): void;
  /** Closes the link to a node, which is not needed any more. */
  forget(nodeId: string): void;
  /** Sends a request. Rejects if the node is not reached or does not answer in time. */
  request(nodeId: string, action: string, payload: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  /** Calls the listener for each new link, and for each link whose loss a redial has confirmed. */
  listen(listener: ControlPeersListener): void;
  close(): void;
}

/** Receives changes of control links. */
export interface ControlPeersListener {
  up(peer: ControlPeer): void;
  down(nodeId: string, how: 'refused' | 'silent' | 'restarted'): void;
}
