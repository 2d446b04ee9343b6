import type { Clock } from '@shoal/doors';
import type { ConsensusMessage, PersistRecord } from '@shoal/consensus';

/** Log, channels and callbacks of a node's writes and messages. */
export interface DurableSendsOptions {
  readonly clock: Clock;
  /** Appends a record to the state log; null if the record need not survive. */
  readonly write: (record: PersistRecord) => Promise<void> | null;
  readonly send: (to: string, message: ConsensusMessage) => void;
  /** The record `seq` and all before it are synced, and the messages that waited for them were sent. */
  readonly persisted: (seq: number) => void;
  /** Called when the state log could not be written: a vote may be forgotten. */
  readonly failed: (error: unknown) => void;
}

interface WaitingSend {
  readonly seq: number;
  readonly to: string;
  readonly message: ConsensusMessage;
}

/**
 * Keeps messages back until the records that they speak of are synced (I2, I4). Story: n3 votes for n1 in term 4 and
 * loses power before the vote is on disk; had the vote left already, n3 could vote for n2 in term 4 as well.
 */
export class DurableSends {
  readonly #options: DurableSendsOptions;
  #newestSeq = 0;
  #persistedSeq = 0;
  #lastWrite: Promise<void> = Promise.resolve();
  /** Start of the oldest write in progress, in monotonic milliseconds; null if there is none. */
  #oldestWrite: number | null = null;
  #waiting: WaitingSend[] = [];

  constructor(options: DurableSendsOptions) {
    this.#options = options;
  }

  /** For how many milliseconds the oldest write has been on its way; 0 if none is. */
  stallMs(now: number): number {
    return this.#oldestWrite === null ? 0 : now - this.#oldestWrite;
  }

  /** Appends the record `seq`, the one after the last. */
  persist(seq: number, record: PersistRecord): void {
    this.#newestSeq = seq;
    const written = this.#options.write(record);
    // What is not written is no more durable than what was before it.
    if (written === null && this.#persistedSeq === seq - 1) return this.#persisted(seq);
    this.#oldestWrite ??= this.#options.clock.monotonic();
    this.#lastWrite = written ?? this.#lastWrite;
    this.#lastWrite.then(() => this.#persisted(seq), this.#options.failed);
  }

  /** Sends a message once the record `afterPersist` is synced; null: at once. */
  send(to: string, message: ConsensusMessage, afterPersist: number | null): void {
    if (afterPersist === null || afterPersist <= this.#persistedSeq) this.#options.send(to, message);
    else this.#waiting.push({ seq: afterPersist, to, message });
  }

  #persisted(seq: number): void {
    this.#persistedSeq = Math.max(this.#persistedSeq, seq);
    // Writes are in order: what is still on its way began after this one did, as good as now.
    this.#oldestWrite = this.#persistedSeq === this.#newestSeq ? null : this.#options.clock.monotonic();
    const ready = this.#waiting.filter((waiting) => waiting.seq <= this.#persistedSeq);
    this.#waiting = this.#waiting.filter((waiting) => waiting.seq > this.#persistedSeq);
    for (const { to, message } of ready) this.#options.send(to, message);
    this.#options.persisted(seq);
  }
}
