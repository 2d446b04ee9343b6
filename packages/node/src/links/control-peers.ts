import type { ControlPeer, ControlPeers, ControlPeersListener } from '@shoal/cluster';
import type { NodeInfo } from '@shoal/state';
import type { Clock, Log } from '@shoal/doors';
import { toApiError } from '@shoal/errors';
import { createPeers, type PeerEvent, type PeerIdentity, type Peers, type Transport } from '@shoal/transport';

const DIAL_TIMEOUT_MS = 3_000;

/** Parts of a node that its control links need. */
export interface ControlPeersOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  readonly localNodeId: string;
}

/** Converts the identity of a handshake to the node's entry in the cluster state. */
export function nodeInfoOf(identity: PeerIdentity): NodeInfo {
  const host = identity.transportAddress.slice(0, identity.transportAddress.lastIndexOf(':'));
  return {
    id: identity.nodeId,
    ephemeralId: identity.ephemeralId,
    name: identity.name,
    host,
    ip: host,
    transportAddress: identity.transportAddress,
    dataAddress: identity.dataAddress,
    httpAddress: identity.httpAddress,
    roles: identity.roles,
    attributes: Object.fromEntries(identity.attributes),
    version: identity.version,
  };
}

function controlPeerOf(identity: PeerIdentity): ControlPeer {
  const { nodeId, ephemeralId, name, transportAddress, roles } = identity;
  const isVoter = roles.includes('master');
  return {
    node: {
      nodeId,
      ephemeralId,
      nodeName: name,
      address: transportAddress,
      isVoter,
      votingOnly: isVoter && roles.includes('voting_only'),
    },
    info: nodeInfoOf(identity),
  };
}

/**
 * Keeps control links to nodes that were found at an address or that dialled in. Each pair of nodes ends with links in
 * both directions.
 */
export class DiscoveredPeers implements ControlPeers {
  readonly #options: ControlPeersOptions;
  readonly #peers: Peers;
  readonly #known = new Map<string, PeerIdentity>();
  readonly #dialling = new Set<string>();
  /** Last reason by address why no link was opened. Logged once, not at every round of discovery. */
  readonly #refusals = new Map<string, string>();
  #listener: ControlPeersListener | null = null;

  constructor(options: ControlPeersOptions) {
    this.#options = options;
    this.#peers = createPeers(options.transport, {
      clock: options.clock,
      log: options.log,
      localNodeId: options.localNodeId,
      keep: ['control'],
      onUp: (_nodeId, identity) => this.#listener?.up(controlPeerOf(identity)),
      onDown: (nodeId, how) => {
        this.forget(nodeId);
        this.#listener?.down(nodeId, how === 'replaced' ? 'restarted' : how);
      },
    });
  }

  listen(listener: ControlPeersListener): void {
    this.#listener = listener;
  }

  /** Links a node in return after it dialled this one. */
  readonly onPeer = (event: PeerEvent): void => {
    if (event.type === 'opened' && event.inbound && event.linkClass === 'control') this.#learn(event.peer);
  };

  /**
   * Links a node that was dropped and still sends messages over its own link. It gets its answers, and may join again.
   */
  heard(identity: PeerIdentity): void {
    if (!this.#known.has(identity.nodeId)) this.#learn(identity);
  }

  dial(addresses: readonly string[]): void {
    const linked = new Set([...this.#known.values()].map(({ transportAddress }) => transportAddress));
    for (const address of new Set(addresses)) {
      if (linked.has(address) || this.#dialling.has(address) || address === this.#options.transport.boundAddress)
        continue;
      this.#dialling.add(address);
      void this.#look(address).finally(() => this.#dialling.delete(address));
    }
  }

  forget(nodeId: string): void {
    if (this.#known.delete(nodeId)) this.#update();
  }

  request(nodeId: string, action: string, payload: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return this.#peers.channel(nodeId, 'control').request(action, payload, { timeoutMs });
  }

  close(): void {
    this.#peers.close();
  }

  async #look(address: string): Promise<void> {
    try {
      const link = await this.#options.transport.connect(address, { class: 'control', timeoutMs: DIAL_TIMEOUT_MS });
      const { peer } = link;
      link.close('found');
      this.#refusals.delete(address);
      this.#learn(peer);
    } catch (error) {
      this.#refused(address, error);
    }
  }

  /** Logs why an address was not linked: `warn` for a failed handshake, `debug` for a node that is not up yet. */
  #refused(address: string, error: unknown): void {
    const reason = toApiError(error).causedBy?.message ?? toApiError(error).message;
    if (this.#refusals.get(address) === reason) return;
    this.#refusals.set(address, reason);
    const level = /handshake/.test(reason) && !/local node found/.test(reason) ? 'warn' : 'debug';
    this.#options.log.write(level, 'no node of this cluster could be linked at an address', {
      'server.address': address,
      'event.reason': reason,
    });
  }

  #learn(identity: PeerIdentity): void {
    if (identity.nodeId === this.#options.localNodeId) return;
    if (this.#known.get(identity.nodeId)?.ephemeralId === identity.ephemeralId) return;
    this.#known.set(identity.nodeId, identity);
    this.#update();
  }

  #update(): void {
    this.#peers.update(
      [...this.#known.values()].map(({ nodeId, ephemeralId, name, transportAddress, dataAddress }) => ({
        id: nodeId,
        ephemeralId,
        name,
        address: transportAddress,
        dataAddress,
      })),
    );
  }
}
