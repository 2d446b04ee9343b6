import type { Clock, TimerHandle } from '@shoal/doors';
import { errors, toApiError } from '@shoal/errors';
import { CreditGrant } from './credit.js';
import { creditFrame, decodeBatch, type Frame, goodbyeFrame } from './frames.js';
import { Inbox } from './inbox.js';
import { GOODBYE_TIMEOUT_MS } from './limits.js';
import type { Wire, WireEvents } from './network.js';
import { Outbox } from './outbox.js';
import type { CloseHow } from './types.js';

/** Counters of a transport, updated by its streams. */
export interface TrafficCounts {
  rxCount: number;
  rxBytes: number;
  txCount: number;
  txBytes: number;
}

/** Handles the frames of a stream. An error that `frame` throws closes the link as broken. */
export interface FrameListener {
  /** Called for each frame except credit and goodbye. */
  frame(frame: Frame): void;
  /** Called exactly once. */
  closed(how: CloseHow): void;
}

/** Frames in both directions over a wire: queue, fragments, credit and the end of the link. */
export class FrameStream implements WireEvents {
  readonly inbox = new Inbox();
  readonly outbox: Outbox;
  readonly #wire: Wire;
  readonly #listener: FrameListener;
  readonly #counts: TrafficCounts;
  readonly #clock: Clock;
  #credit = new CreditGrant(0, () => undefined);
  #endTimer: TimerHandle | null = null;
  #isClosed = false;

  constructor(open: (events: WireEvents) => Wire, listener: FrameListener, counts: TrafficCounts, clock: Clock) {
    this.#listener = listener;
    this.#counts = counts;
    this.#clock = clock;
    this.#wire = open(this);
    this.outbox = new Outbox(this.#wire, clock, (bytes) => (counts.txBytes += bytes));
  }

  /** Credit for the payload that arrives. */
  get credit(): CreditGrant {
    return this.#credit;
  }

  /**
   * Called when both hellos are known, with the windows of this side and of the other side: payload bytes that each
   * accepts before it grants more; 0: no limit.
   */
  open(windowBytes: number, peerWindowBytes: number): void {
    this.#credit = new CreditGrant(windowBytes, (bytes) => this.outbox.post(creditFrame(bytes)));
    this.outbox.open(peerWindowBytes);
  }

  message(bytes: Uint8Array): void {
    this.#counts.rxBytes += bytes.length;
    if (this.#isClosed) return;
    try {
      for (const frame of decodeBatch(bytes)) this.#receive(frame);
      this.#credit.settle();
    } catch (error) {
      this.fail({ kind: 'protocol', reason: `broken frame: ${toApiError(error).reason}` });
    }
  }

  drain(): void {
    this.outbox.drained();
  }

  closed(how: CloseHow): void {
    this.#endTimer?.cancel();
    this.#finish(how);
  }

  /** Sends a goodbye and closes the wire once it is sent. For this side the link is closed at once. */
  end(kind: 'closed' | 'rejected', reason: string): void {
    if (this.#isClosed) return;
    this.outbox.post(goodbyeFrame(kind, reason));
    this.outbox.flush();
    this.#finish({ kind, reason });
    this.#hangUp();
  }

  /** Closes the wire at once. */
  fail(how: CloseHow): void {
    this.#finish(how);
    this.#wire.destroy();
  }

  #receive(frame: Frame): void {
    if (this.#isClosed) return;
    if (frame.credit) return this.outbox.grant(frame.credit.bytes);
    if (frame.goodbye) return this.#goodbye(frame.goodbye);
    if (!this.#credit.arrived(frame.payload.length))
      throw errors.corruption(`[${frame.payload.length}] bytes more than were granted`);
    this.#listener.frame(frame);
  }

  #goodbye({ kind, reason }: { kind: string; reason: string }): void {
    this.#finish({ kind: kind === 'rejected' ? 'rejected' : 'closed', reason });
    this.#hangUp();
  }

  #hangUp(): void {
    this.#endTimer = this.#clock.after(GOODBYE_TIMEOUT_MS, () => this.#wire.destroy());
    this.#wire.end();
  }

  #finish(how: CloseHow): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.outbox.stop();
    this.inbox.clear();
    this.#listener.closed(how);
  }
}
