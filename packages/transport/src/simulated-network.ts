import type { Clock, Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { portsOf } from './ports.js';
import type { Listener, Network, Wire, WireEvents } from './network.js';
import { Cuts, type DelayModel, drawDelay } from './simulated-faults.js';
import { type Physics, SimulatedEnd, type SimulatedHost } from './simulated-wire.js';
import { openTransport } from './transport.js';
import type { BindOptions, Transport, TransportOptions } from './types.js';

/** Options of a simulated network. */
export interface SimulatedNetworkOptions {
  /** Virtual time. Microtasks must run between its timers. */
  readonly clock: Clock;
  readonly random: Random;
  /** Delay of packets; 0.1 to 0.5 ms by default. */
  readonly delay?: DelayModel;
}

/**
 * A network in memory. The same seed and calls give the same order of events. Nodes are named by their ids. Faults take
 * effect at once, on existing connections too.
 */
export interface SimulatedNetwork {
  /**
   * Like `createTransport`. A node may have several transports; after `crash` the next one belongs to a new process of
   * the node.
   */
  transport(options: TransportOptions): Promise<Transport>;
  /** Sets the delay of all packets, or of those from one node to another. */
  setDelay(delay: DelayModel, from?: string, to?: string): void;
  /** Holds packets between two groups, in both directions or only from the first to the second. */
  partition(from: readonly string[], to: readonly string[], options?: { oneWay?: boolean }): void;
  /** Ends all partitions and delivers the held packets. */
  heal(): void;
  /** Breaks the connections between two live nodes. */
  reset(a: string, b: string): void;
  /**
   * Ends the process: its connections are reset and its ports refuse. `silent`: the machine is gone and nothing
   * answers.
   */
  crash(nodeId: string, options?: { silent?: boolean }): void;
  /** Holds all packets from and to a node; its connections stay. The clock, not this method, stops its timers. */
  pause(nodeId: string): void;
  resume(nodeId: string): void;
  /** Time at which the last packet now in flight arrives, including packets queued behind it. */
  readonly lastArrivalMs: number;
}

interface Listening {
  readonly host: SimulatedHost;
  readonly accept: (wire: Wire) => WireEvents;
}

/** Creates a deterministic network for tests and the simulator. */
export function simulatedNetwork(options: SimulatedNetworkOptions): SimulatedNetwork {
  return new MemoryNetwork(options);
}

class MemoryNetwork implements SimulatedNetwork, Physics {
  readonly clock: Clock;
  readonly #random: Random;
  readonly #hosts = new Map<string, SimulatedHost>();
  /** Ends of connections whose packets wait for the end of a partition or pause. */
  readonly #held = new Set<SimulatedEnd>();
  readonly #listening = new Map<string, Listening>();
  readonly #delays = new Map<string, DelayModel>();
  readonly #cuts = new Cuts();
  readonly #nowhere: SimulatedHost = { nodeId: '', isDead: false, isPaused: false, ends: new Set() };
  #delay: DelayModel;

  constructor({ clock, random, delay = { minMs: 0.1, maxMs: 0.5 } }: SimulatedNetworkOptions) {
    this.clock = clock;
    this.#random = random;
    this.#delay = delay;
  }

  transport(options: TransportOptions): Promise<Transport> {
    const host = this.#host(options.local().nodeId);
    return openTransport(this.#networkOf(host), options);
  }

  setDelay(delay: DelayModel, from?: string, to?: string): void {
    if (from === undefined || to === undefined) this.#delay = delay;
    else this.#delays.set(JSON.stringify([from, to]), delay);
  }

  partition(from: readonly string[], to: readonly string[], { oneWay = false }: { oneWay?: boolean } = {}): void {
    for (const a of from) {
      for (const b of to) {
        this.#cuts.cut(a, b);
        if (!oneWay) this.#cuts.cut(b, a);
      }
    }
  }

  heal(): void {
    this.#cuts.clear();
    this.#pumpAll();
  }

  reset(a: string, b: string): void {
    const host = this.#hosts.get(a);
    for (const end of [...(host?.ends ?? [])]) {
      const { other } = end;
      if (other?.host.nodeId !== b) continue;
      this.clock.after(0, () => end.finish({ kind: 'lost', reason: 'connection reset' }));
      this.clock.after(0, () => other.finish({ kind: 'lost', reason: 'connection reset' }));
    }
  }

  crash(nodeId: string, { silent = false }: { silent?: boolean } = {}): void {
    const host = this.#hosts.get(nodeId);
    if (!host) return;
    host.isDead = true;
    host.isPaused = false;
    if (silent) return;
    for (const end of [...host.ends]) {
      end.reset();
      end.finish({ kind: 'lost', reason: 'the process ended' });
    }
    for (const [address, listening] of this.#listening) if (listening.host === host) this.#listening.delete(address);
  }

  pause(nodeId: string): void {
    this.#host(nodeId).isPaused = true;
  }

  resume(nodeId: string): void {
    this.#host(nodeId).isPaused = false;
    this.#pumpAll();
  }

  get lastArrivalMs(): number {
    const ends = [...this.#hosts.values()].flatMap((host) => [...host.ends]);
    return ends.reduce((last, end) => Math.max(last, end.lastArrivalMs), 0);
  }

  delayMs(from: string, to: string): number {
    return drawDelay(this.#modelOf(from, to), this.#random);
  }

  sendingMs(from: string, to: string, bytes: number): number {
    const { bytesPerSecond } = this.#modelOf(from, to);
    return bytesPerSecond === undefined ? 0 : (bytes * 1000) / bytesPerSecond;
  }

  holds(end: SimulatedEnd): boolean {
    const to = end.other!.host;
    const isHeld = end.host.isPaused || to.isPaused || this.#cuts.has(end.host.nodeId, to.nodeId);
    if (isHeld) this.#held.add(end);
    return isHeld;
  }

  resets(host: SimulatedHost): boolean {
    if (this.#hosts.get(host.nodeId) !== host) return true;
    return ![...this.#listening.values()].some((listening) => listening.host === host);
  }

  #modelOf(from: string, to: string): DelayModel {
    return this.#delays.get(JSON.stringify([from, to])) ?? this.#delay;
  }

  #host(nodeId: string): SimulatedHost {
    const known = this.#hosts.get(nodeId);
    if (known && !known.isDead) return known;
    const host: SimulatedHost = { nodeId, isDead: false, isPaused: false, ends: new Set() };
    this.#hosts.set(nodeId, host);
    return host;
  }

  #networkOf(host: SimulatedHost): Network {
    return {
      listen: async (bind, accept) => this.#listen(host, bind, accept),
      dial: (address, _linkClass, events) => this.#dial(host, address, events),
      close: () => {
        for (const end of [...host.ends])
          if (end.other?.host.isDead) end.finish({ kind: 'closed', reason: 'the node closes' });
      },
    };
  }

  #listen(host: SimulatedHost, { host: name, port }: BindOptions, accept: (wire: Wire) => WireEvents): Listener {
    const ports = String(port) === '0' ? portsOf('49152-65535') : portsOf(port);
    const address = ports.map((candidate) => `${name}:${candidate}`).find((candidate) => this.#isFree(candidate));
    if (!address) throw errors.ioError(`Failed to bind to ${name}:[${port}]`);
    this.#listening.set(address, { host, accept });
    return { address, close: async () => void this.#listening.delete(address), abort: () => undefined };
  }

  #isFree(address: string): boolean {
    return this.#listening.get(address)?.host.isDead ?? true;
  }

  #dial(host: SimulatedHost, address: string, events: WireEvents): Wire {
    const listening = this.#listening.get(address);
    const near = new SimulatedEnd(host, this);
    const far = new SimulatedEnd(listening?.host ?? this.#nowhere, this);
    near.join(far);
    near.start(events);
    if (host.isDead) return near;
    near.send(0, () => {
      if (this.#listening.get(address) === listening && listening) far.start(listening.accept(far));
      else far.refuse(`connection to ${address} refused`);
    });
    return near;
  }

  #pumpAll(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const end of held) end.pump();
  }
}
