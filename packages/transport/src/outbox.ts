import { type Clock, Fifo } from '@shoal/doors';
import {
  BATCH_BYTES_MAX,
  FRAGMENT_BYTES,
  GATHERED_BYTES_MAX,
  INTERLEAVED_MAX,
  MESSAGE_OVERHEAD_BYTES,
} from './limits.js';
import { encodeBatch, type Frame, fragmentFrame } from './frames.js';
import type { Wire } from './network.js';

/** A message being sent: its first frame contains `totalBytes`, fragments with the same id follow. */
export interface OutgoingMessage {
  readonly id: number;
  readonly payload: Uint8Array;
  /** Creates the first frame, which contains the first bytes of the payload. */
  readonly begin: (first: Uint8Array) => Frame;
  sentBytes: number;
  fragments: number;
  isDropped: boolean;
}

/** Returns a function that schedules one `run`, however often it is called before `run` starts. */
function oncePer(schedule: (callback: () => void) => void, run: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    schedule(() => {
      isDue = false;
      run();
    });
  };
}

/** The oldest message that was not dropped. */
function firstOf(queue: Fifo<OutgoingMessage>): OutgoingMessage | undefined {
  while (queue.first?.isDropped) queue.shift();
  return queue.first;
}

/**
 * Send queue of one link. Small messages wait for the end of the turn of the event loop, so that those of several
 * requests are written together. Frames without payload go first. Small messages overtake large ones; after each 256
 * KiB of small ones, one fragment of the four oldest large ones is sent, in turn. Payload needs credit of the receiver.
 */
export class Outbox {
  readonly #wire: Wire;
  readonly #onSent: (bytes: number) => void;
  readonly #flushAtTurnEnd: () => void;
  readonly #flushSoon: () => void;
  readonly #urgent: Frame[] = [];
  readonly #small = new Fifo<OutgoingMessage>();
  readonly #large = new Fifo<OutgoingMessage>();
  /** Large messages whose fragments alternate. */
  #turns: OutgoingMessage[] = [];
  #credit = Infinity;
  #smallBytesInTurn = 0;
  #isBlocked = false;
  #isStopped = false;
  #pendingBytes = 0;

  constructor(wire: Wire, clock: Pick<Clock, 'turnEnd'>, onSent: (bytes: number) => void) {
    this.#wire = wire;
    const flush = (): void => this.flush();
    this.#flushAtTurnEnd = oncePer((callback) => clock.turnEnd(callback), flush);
    this.#flushSoon = oncePer(queueMicrotask, flush);
    this.#onSent = onSent;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Sets the receiver's window, from its hello; 0: no limit. */
  open(windowBytes: number): void {
    this.#credit = windowBytes === 0 ? Infinity : windowBytes;
  }

  grant(bytes: number): void {
    this.#credit += bytes;
    this.#schedule();
  }

  /** Queues a frame without payload. */
  post(frame: Frame): void {
    this.#urgent.push(frame);
    this.#schedule();
  }

  send(id: number, payload: Uint8Array, begin: (first: Uint8Array) => Frame): OutgoingMessage {
    const message: OutgoingMessage = { id, payload, begin, sentBytes: 0, fragments: 0, isDropped: false };
    this.#pendingBytes += payload.length + MESSAGE_OVERHEAD_BYTES;
    (payload.length > FRAGMENT_BYTES ? this.#large : this.#small).push(message);
    this.#schedule();
    return message;
  }

  /** Removes the unsent part of a message. */
  drop(message: OutgoingMessage): void {
    if (message.isDropped || isComplete(message)) return;
    message.isDropped = true;
    this.#pendingBytes -= message.payload.length - message.sentBytes + MESSAGE_OVERHEAD_BYTES;
  }

  drained(): void {
    this.#isBlocked = false;
    this.flush();
  }

  /** Sends at once what can be sent, without waiting for the end of the turn. */
  flush(): void {
    while (!this.#isBlocked && !this.#isStopped) {
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      const bytes = encodeBatch(batch);
      this.#onSent(bytes.length);
      this.#isBlocked = !this.#wire.write(bytes);
    }
  }

  /** Drops everything: the link is closed. */
  stop(): void {
    this.#isStopped = true;
    this.#pendingBytes = 0;
  }

  #schedule(): void {
    if (this.#isBlocked || this.#isStopped) return;
    if (this.#pendingBytes > GATHERED_BYTES_MAX) this.#flushSoon();
    else this.#flushAtTurnEnd();
  }

  #nextBatch(): Frame[] {
    const batch = this.#urgent.splice(0);
    for (let bytes = 0; bytes < BATCH_BYTES_MAX; ) {
      const frame = this.#nextFrame();
      if (!frame) break;
      batch.push(frame);
      bytes += frame.payload.length + MESSAGE_OVERHEAD_BYTES;
    }
    return batch;
  }

  #nextFrame(): Frame | null {
    const small = firstOf(this.#small);
    const large = this.#nextLarge();
    const isLargeDue = large !== undefined && (small === undefined || this.#smallBytesInTurn >= FRAGMENT_BYTES);
    const message = isLargeDue ? large : small;
    if (!message) return null;
    const bytes = Math.min(message.payload.length - message.sentBytes, FRAGMENT_BYTES);
    if (bytes > this.#credit) return null;
    this.#credit -= bytes;
    this.#smallBytesInTurn = isLargeDue || !large ? 0 : this.#smallBytesInTurn + bytes + MESSAGE_OVERHEAD_BYTES;
    if (!isLargeDue) this.#small.shift();
    return this.#cut(message, bytes);
  }

  /** The large message whose fragment is next. */
  #nextLarge(): OutgoingMessage | undefined {
    if (this.#turns.length === 0 && !firstOf(this.#large)) return undefined;
    this.#turns = this.#turns.filter((message) => !message.isDropped && !isComplete(message));
    for (let next = firstOf(this.#large); next && this.#turns.length < INTERLEAVED_MAX; next = firstOf(this.#large)) {
      this.#turns.push(next);
      this.#large.shift();
    }
    return this.#turns[0];
  }

  #cut(message: OutgoingMessage, bytes: number): Frame {
    const part = message.payload.subarray(message.sentBytes, message.sentBytes + bytes);
    const frame = message.fragments === 0 ? message.begin(part) : fragmentFrame(message.id, message.fragments, part);
    message.fragments++;
    message.sentBytes += bytes;
    this.#pendingBytes -= bytes;
    if (message === this.#turns[0]) this.#turns.push(this.#turns.shift()!);
    if (isComplete(message)) this.#pendingBytes -= MESSAGE_OVERHEAD_BYTES;
    return frame;
  }
}

function isComplete(message: OutgoingMessage): boolean {
  return message.fragments > 0 && message.sentBytes === message.payload.length;
}
