import type { Channel, Clock, Log } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { PeerConnection } from './peer-connection.js';
import type { CloseHow, LinkClass, LinkRequestOptions, PeerIdentity, PeerNode, Transport } from './types.js';

/** Why a node counts as gone: its port refuses, nothing answers, or another process has its address. */
export type DownReason = 'refused' | 'silent' | 'replaced';

/** A channel whose requests take the options of links. */
export interface PeerChannel extends Channel {
  request(action: string, payload: Uint8Array, options?: LinkRequestOptions): Promise<Uint8Array>;
}

/** Options of `createPeers`. */
export interface PeersOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Id of this node; `update` ignores it. */
  readonly localNodeId?: string;
  /**
   * Classes of links that are dialed without a request and again after a loss; control and data by default. Other links
   * are dialed on demand.
   */
  readonly keep?: readonly LinkClass[];
  readonly connectTimeoutMs?: number;
  readonly probeTimeoutMs?: number;
  /** All kept links to a node are up, for the first time or again after `onDown`. */
  readonly onUp?: (nodeId: string, identity: PeerIdentity) => void;
  /**
   * A node could not be reached, and a redial proved that this process of it is gone. Called once until the node is up
   * again.
   */
  readonly onDown?: (nodeId: string, how: DownReason) => void;
}

/** Links to the nodes of the cluster, one of each class to each node. */
export interface Peers {
  /**
   * Sets the list of other nodes. Links to nodes that are not in the list, or have another ephemeral id or address, are
   * closed, and their waiting requests fail at once.
   */
  update(nodes: readonly PeerNode[]): void;
  /**
   * A channel over the node's link of a class. A request waits while the link is dialed for the first time or after a
   * loss. It rejects with `node_not_connected_exception` at once if the node is down or unknown.
   */
  channel(nodeId: string, linkClass: LinkClass): PeerChannel;
  /** Whether all kept links to a node are up. */
  isUp(nodeId: string): boolean;
  close(): void;
}

/** A node with its connections. */
interface Peer {
  readonly node: PeerNode;
  readonly connections: Map<LinkClass, PeerConnection>;
  status: 'new' | 'up' | 'down' | 'removed';
  proof: Promise<DownReason | null> | null;
}

/** Creates links of a transport to the nodes passed to `update`. */
export function createPeers(transport: Transport, options: PeersOptions): Peers {
  return new LinkedPeers(transport, options);
}

class LinkedPeers implements Peers {
  readonly #transport: Transport;
  readonly #options: PeersOptions;
  readonly #keep: readonly LinkClass[];
  readonly #peers = new Map<string, Peer>();
  #isClosed = false;

  constructor(transport: Transport, options: PeersOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#keep = options.keep ?? ['control', 'data'];
  }

  update(nodes: readonly PeerNode[]): void {
    const wanted = new Map(nodes.filter(({ id }) => id !== this.#options.localNodeId).map((node) => [node.id, node]));
    for (const [id, peer] of this.#peers) if (!isSame(peer.node, wanted.get(id))) this.#remove(id, peer);
    for (const [id, node] of wanted) if (!this.#peers.has(id) && !this.#isClosed) this.#add(node);
  }

  channel(nodeId: string, linkClass: LinkClass): PeerChannel {
    return {
      request: (action, payload, options) => {
        const peer = this.#peers.get(nodeId);
        if (peer) return this.#connection(peer, linkClass).request(action, payload, options);
        return Promise.reject(errors.nodeNotConnected(`[${nodeId}] Node not connected`));
      },
    };
  }

  isUp(nodeId: string): boolean {
    const peer = this.#peers.get(nodeId);
    return peer?.status === 'up' && this.#isLinked(peer);
  }

  close(): void {
    this.#isClosed = true;
    this.update([]);
  }

  #add(node: PeerNode): void {
    const peer: Peer = { node, connections: new Map(), status: 'new', proof: null };
    this.#peers.set(node.id, peer);
    for (const linkClass of this.#keep) this.#connection(peer, linkClass);
  }

  #remove(id: string, peer: Peer): void {
    this.#peers.delete(id);
    peer.status = 'removed';
    for (const connection of peer.connections.values()) connection.close();
  }

  #connection(peer: Peer, linkClass: LinkClass): PeerConnection {
    const known = peer.connections.get(linkClass);
    if (known) return known;
    const { clock, log, connectTimeoutMs = 3_000 } = this.#options;
    const address = linkClass === 'control' ? peer.node.address : (peer.node.dataAddress ?? peer.node.address);
    const connection = new PeerConnection({
      clock,
      log,
      node: peer.node,
      address,
      linkClass,
      connectTimeoutMs,
      isKept: this.#keep.includes(linkClass),
      connect: () => this.#transport.connect(address, { class: linkClass, timeoutMs: connectTimeoutMs }),
      opened: (identity) => this.#opened(peer, identity),
      prove: (how) => this.#prove(peer, address, how),
    });
    peer.connections.set(linkClass, connection);
    connection.start();
    return connection;
  }

  #isLinked(peer: Peer): boolean {
    return this.#keep.every((linkClass) => peer.connections.get(linkClass)?.isUp);
  }

  #opened(peer: Peer, identity: PeerIdentity): void {
    if (peer.status === 'up' || peer.status === 'removed') return;
    if (!this.#isLinked(peer)) return;
    peer.status = 'up';
    this.#options.onUp?.(peer.node.id, identity);
  }

  /**
   * Resolves with whether this process of the node is proved to be gone; all links of a node share one running proof.
   */
  async #prove(peer: Peer, address: string, how: CloseHow): Promise<boolean> {
    if (peer.status === 'down') return true;
    peer.proof ??= this.#redial(peer, address).finally(() => (peer.proof = null));
    const reason = await peer.proof;
    if (reason === null) return false;
    // During the redial another link may have proved it, or the node may have been removed.
    if (isGoneOrDown(peer)) return true;
    peer.status = 'down';
    this.#options.log.write('info', 'a node is gone', {
      'shoal.peer.id': peer.node.id,
      'shoal.peer.name': peer.node.name,
      'event.reason': how.reason,
      'shoal.probe': reason,
    });
    this.#options.onDown?.(peer.node.id, reason);
    return true;
  }

  async #redial(peer: Peer, address: string): Promise<DownReason | null> {
    const found = await this.#transport.probe(address, this.#options.probeTimeoutMs);
    if (typeof found === 'string') return found;
    return found.nodeId === peer.node.id && found.ephemeralId === peer.node.ephemeralId ? null : 'replaced';
  }
}

const isGoneOrDown = (peer: Peer): boolean => peer.status === 'removed' || peer.status === 'down';

function isSame(a: PeerNode, b: PeerNode | undefined): boolean {
  return (
    b !== undefined && a.ephemeralId === b.ephemeralId && a.address === b.address && a.dataAddress === b.dataAddress
  );
}
