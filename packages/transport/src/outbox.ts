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

/** A request or an answer on its way: its first frame says `totalBytes`, fragments with the same id bring the rest. */
export interface OutgoingMessage {
  readonly id: number;
  readonly payload: Uint8Array;
  /** The frame that begins the message, with its first bytes. */
  readonly begin: (first: Uint8Array) => Frame;
  sentBytes: number;
  fragments: number;
  isDropped: boolean;
}

/** All calls until `schedule` comes to it are one `run`. */
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

/** The oldest that was not dropped. */
function firstOf(queue: Fifo<OutgoingMessage>): OutgoingMessage | undefined {
  while (queue.first?.isDropped) queue.shift();
  return queue.first;
}

/**
 * What waits to be sent on one link: small messages until the turn of the event loop ends, so that those of many
 * requests go together. Frames without payload go first; small messages overtake large ones, of which one fragment goes
 * after each 256 KiB of small ones, the oldest four in turn. Payload needs credit of the receiver.
 */
export class Outbox {
  readonly #wire: Wire;
  readonly #onSent: (bytes: number) => void;
  readonly #flushAtTurnEnd: () => void;
  readonly #flushSoon: () => void;
  readonly #urgent: Frame[] = [];
  readonly #small = new Fifo<OutgoingMessage>();
  readonly #large = new Fifo<OutgoingMessage>();
  /** Large messages that are being sent. */
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

  /** The receiver's window, from its hello; 0: no limit. */
  open(windowBytes: number): void {
    this.#credit = windowBytes === 0 ? Infinity : windowBytes;
  }

  grant(bytes: number): void {
    this.#credit += bytes;
    this.#schedule();
  }

  /** A frame without payload. */
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

  /** Forgets what is not sent of a message. */
  drop(message: OutgoingMessage): void {
    if (message.isDropped || isComplete(message)) return;
    message.isDropped = true;
    this.#pendingBytes -= message.payload.length - message.sentBytes + MESSAGE_OVERHEAD_BYTES;
  }

  drained(): void {
    this.#isBlocked = false;
    this.flush();
  }

  /** Sends what can be sent now instead of at the end of the turn. */
  flush(): void {
    while (!this.#isBlocked && !this.#isStopped) {
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      const bytes = encodeBatch(batch);
      this.#onSent(bytes.length);
      this.#isBlocked = !this.#wire.write(bytes);
    }
  }

  /** The link is gone. */
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

  /** The large message whose turn it is. */
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
