import { AcceptedLink } from './accepted-link.js';
import { type DialOutcome, dialLink } from './dialed-link.js';
import { CLOSE_TIMEOUT_MS, PROBE_TIMEOUT_MS } from './limits.js';
import { connectFailed, nodeNotConnected } from './link-errors.js';
import type { Listener, Network, Wire, WireEvents } from './network.js';
import type {
  CloseHow,
  ConnectOptions,
  HelloFacts,
  LinkClass,
  LinkMembership,
  PeerEvent,
  PeerIdentity,
  PeerLink,
  ProbeResult,
  Transport,
  TransportOptions,
  TransportStats,
} from './types.js';

/** Opens a transport over a network; rejects if no port of `bind` is free. */
export async function openTransport(network: Network, options: TransportOptions): Promise<Transport> {
  const transport = new NetworkTransport(network, options);
  await transport.listen();
  return transport;
}

class NetworkTransport implements Transport {
  readonly #network: Network;
  readonly #options: TransportOptions;
  readonly #counts = { rxCount: 0, rxBytes: 0, txCount: 0, txBytes: 0 };
  /** Accepted links, with the identity of the peer once its hello arrived. */
  readonly #accepted = new Map<AcceptedLink, PeerIdentity | null>();
  readonly #dialed = new Set<PeerLink>();
  #listener: Listener | null = null;
  #outboundCount = 0;
  #isClosed = false;

  constructor(network: Network, options: TransportOptions) {
    this.#network = network;
    this.#options = options;
  }

  async listen(): Promise<void> {
    this.#listener = await this.#network.listen(this.#options.bind, (wire) => this.#accept(wire));
  }

  get boundAddress(): string {
    return this.#listener!.address;
  }

  async connect(address: string, { class: linkClass, timeoutMs }: ConnectOptions): Promise<PeerLink> {
    if (this.#isClosed) throw nodeNotConnected(this.#options.local());
    const outcome = await this.#dial(address, linkClass, timeoutMs, false);
    if (!('link' in outcome))
      throw connectFailed(
        address,
        'failed' in outcome ? outcome.failed : { kind: 'lost', reason: 'probed' },
        timeoutMs,
      );
    this.#outboundCount++;
    this.#adopt(outcome.link);
    return outcome.link;
  }

  async probe(address: string, timeoutMs: number = PROBE_TIMEOUT_MS): Promise<ProbeResult> {
    const outcome = await this.#dial(address, 'control', timeoutMs, true);
    if ('identity' in outcome) return outcome.identity;
    return 'failed' in outcome && outcome.failed.kind === 'silent' ? 'silent' : 'refused';
  }

  stats(): TransportStats {
    return { serverOpen: this.#accepted.size, totalOutboundConnections: this.#outboundCount, ...this.#counts };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const link of [...this.#dialed, ...this.#accepted.keys()]) link.close('the node closes');
    const timer = this.#options.clock.after(CLOSE_TIMEOUT_MS, () => this.#listener?.abort());
    await this.#listener?.close();
    timer.cancel();
    this.#network.close();
  }

  get #membership(): LinkMembership | null {
    return this.#options.membership ?? null;
  }

  /** The facts of this node, with what its membership says of security. */
  #local(): HelloFacts {
    const { local, membership } = this.#options;
    return membership ? { ...local(), security: membership.isSecured ? 'on' : 'off' } : local();
  }

  #dial(address: string, linkClass: LinkClass, timeoutMs: number, probe: boolean): Promise<DialOutcome> {
    const { clock } = this.#options;
    const open = (events: WireEvents): Wire => this.#network.dial(address, linkClass, events);
    return dialLink({
      clock,
      local: () => this.#local(),
      membership: this.#membership,
      counts: this.#counts,
      open,
      linkClass,
      timeoutMs,
      probe,
    });
  }

  #adopt(link: PeerLink): void {
    if (this.#isClosed) return link.close('the node closes');
    this.#dialed.add(link);
    this.#tell({ type: 'opened', peer: link.peer, linkClass: link.linkClass, inbound: false });
    link.onClose((how) => {
      this.#dialed.delete(link);
      this.#logEnd(link.peer, how);
      this.#tell({ type: 'closed', peer: link.peer, linkClass: link.linkClass, inbound: false, how });
    });
  }

  #accept(wire: Wire): WireEvents {
    const { clock, handler } = this.#options;
    let linkClass: LinkClass = 'control';
    const link = new AcceptedLink(wire, {
      clock,
      local: () => this.#local(),
      membership: this.#membership,
      handler,
      counts: this.#counts,
      opened: (openedLink, peer, openedClass) => {
        linkClass = openedClass;
        this.#closeEarlierStarts(peer);
        this.#accepted.set(openedLink, peer);
        this.#tell({ type: 'opened', peer, linkClass, inbound: true });
      },
      closed: (closedLink, peer, how) => {
        this.#accepted.delete(closedLink);
        this.#logEnd(peer, how);
        if (peer) this.#tell({ type: 'closed', peer, linkClass, inbound: true, how });
      },
    });
    this.#accepted.set(link, null);
    return link.events;
  }

  /**
   * Closes links of earlier processes of a node that dials again. If the machine of n2 lost power, its old connections
   * stay open here until the new n2 dials.
   */
  #closeEarlierStarts({ nodeId, ephemeralId }: PeerIdentity): void {
    for (const [link, peer] of this.#accepted) {
      if (peer?.nodeId === nodeId && peer.ephemeralId !== ephemeralId) link.close(`node [${nodeId}] was started again`);
    }
  }

  #tell(event: PeerEvent): void {
    this.#options.onPeer?.(event);
  }

  #logEnd(peer: PeerIdentity | null, how: CloseHow): void {
    const level = how.kind === 'protocol' || how.kind === 'rejected' ? 'warn' : 'debug';
    this.#options.log.write(level, 'a link between nodes was closed', {
      'event.reason': how.reason,
      'shoal.link.end': how.kind,
      ...(peer
        ? { 'shoal.peer.id': peer.nodeId, 'shoal.peer.name': peer.name, 'shoal.peer.address': peer.transportAddress }
        : {}),
    });
  }
}
