import type { Clock } from '@shoal/doors';
import { IN_FLIGHT_BYTES_MAX } from './limits.js';
import type { Wire, WireEvents } from './network.js';
import type { CloseHow } from './types.js';

/** A process on the simulated network; after a restart the node is another process. */
export interface SimulatedHost {
  readonly nodeId: string;
  isDead: boolean;
  isPaused: boolean;
  readonly ends: Set<SimulatedEnd>;
}

/** The network's decisions about packets. */
export interface Physics {
  readonly clock: Clock;
  delayMs(from: string, to: string): number;
  /** Time that the sender needs for a packet. */
  sendingMs(from: string, to: string, bytes: number): number;
  /** Whether packets of `end` are held now; `pump` is called when they are released. */
  holds(end: SimulatedEnd): boolean;
  /** Whether packets to a dead process are answered with a reset; otherwise nothing answers. */
  resets(host: SimulatedHost): boolean;
}

interface Packet {
  readonly atMs: number;
  readonly deliver: () => void;
}

/** One end of a simulated connection; its packets arrive at the other end in order. */
export class SimulatedEnd implements Wire {
  readonly host: SimulatedHost;
  readonly #physics: Physics;
  readonly #queue: Packet[] = [];
  #other: SimulatedEnd | null = null;
  #events: WireEvents | null = null;
  #sentAtMs = 0;
  #lastAtMs = 0;
  #isArmed = false;
  #inFlightBytes = 0;
  #isFull = false;
  #isEnded = false;
  #isClosed = false;

  constructor(host: SimulatedHost, physics: Physics) {
    this.host = host;
    this.#physics = physics;
    host.ends.add(this);
  }

  join(other: SimulatedEnd): void {
    this.#other = other;
    other.#other = this;
  }

  get other(): SimulatedEnd | null {
    return this.#other;
  }

  /** Arrival time of the last packet in flight; 0 if there is none. */
  get lastArrivalMs(): number {
    return this.#queue.length > 0 ? this.#lastAtMs : 0;
  }

  start(events: WireEvents): void {
    this.#events = events;
  }

  write(message: Uint8Array): boolean {
    if (this.#isClosed || this.#isEnded || this.host.isDead) return false;
    const copy = message.slice();
    this.#inFlightBytes += copy.length;
    if (this.#inFlightBytes >= IN_FLIGHT_BYTES_MAX) this.#isFull = true;
    this.send(copy.length, (other) => {
      this.#inFlightBytes -= copy.length;
      other.#receive(copy);
      this.#relieve();
    });
    return !this.#isFull;
  }

  end(): void {
    if (this.#isClosed || this.#isEnded) return;
    this.#isEnded = true;
    this.send(0, (other) => {
      other.finish({ kind: 'closed', reason: 'the other side closed' });
      other.send(0, () => this.finish({ kind: 'closed', reason: 'closed by this side' }));
    });
  }

  destroy(): void {
    if (this.#isClosed) return;
    this.reset();
    this.finish({ kind: 'closed', reason: 'closed by this side' });
  }

  /** Sends a reset to the other end, after the packets sent before. */
  reset(): void {
    this.send(0, (other) => other.finish({ kind: 'lost', reason: 'connection reset' }));
  }

  /** The port refuses the connection. */
  refuse(reason: string): void {
    this.host.ends.delete(this);
    this.send(0, (other) => other.finish({ kind: 'refused', reason }));
  }

  /** Closes this side. A dead process is not notified. */
  finish(how: CloseHow): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.host.ends.delete(this);
    if (!this.host.isDead) this.#events?.closed(how);
  }

  /** Sends a packet; `deliver` is called when it arrives. */
  send(bytes: number, deliver: (other: SimulatedEnd) => void): void {
    const other = this.#other;
    if (!other) return;
    const [from, to] = [this.host.nodeId, other.host.nodeId];
    this.#sentAtMs =
      Math.max(this.#sentAtMs, this.#physics.clock.monotonic()) + this.#physics.sendingMs(from, to, bytes);
    this.#lastAtMs = Math.max(this.#lastAtMs, this.#sentAtMs + this.#physics.delayMs(from, to));
    this.#queue.push({ atMs: this.#lastAtMs, deliver: () => this.#arrive(other, deliver) });
    this.pump();
  }

  /** Delivers packets that are due; called again when a cut heals. */
  pump(): void {
    const head = this.#queue[0];
    if (!head || this.#isArmed) return;
    this.#isArmed = true;
    this.#physics.clock.after(Math.max(0, head.atMs - this.#physics.clock.monotonic()), () => {
      this.#isArmed = false;
      if (this.#physics.holds(this)) return;
      this.#queue.shift();
      head.deliver();
      this.pump();
    });
  }

  #arrive(other: SimulatedEnd, deliver: (other: SimulatedEnd) => void): void {
    if (!other.host.isDead) deliver(other);
    else if (!this.host.isDead && this.#physics.resets(other.host)) other.reset();
  }

  #receive(bytes: Uint8Array): void {
    if (!this.#isClosed) this.#events?.message(bytes);
  }

  #relieve(): void {
    if (!this.#isFull || this.#isClosed || this.host.isDead || this.#inFlightBytes >= IN_FLIGHT_BYTES_MAX) return;
    this.#isFull = false;
    this.#events?.drain();
  }
}
