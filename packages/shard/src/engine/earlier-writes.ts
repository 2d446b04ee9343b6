import { decodeReceived, type ShardStore } from '@shoal/store';
import { RETRY_WINDOW_MS, type RetryTable } from './retry-table.js';

/**
 * The writes of the last minutes before the start. A repetition of one is rare, and reading them all back would make
 * every start after a busy time a long one: they are read when the first repetition comes. Until their time is over the
 * log keeps them.
 */
export class EarlierWrites {
  #from = Number.POSITIVE_INFINITY;
  #to = -1;
  #sinceMs = 0;
  #reading: Promise<void> | null = null;

  /** Operations `from` to `to` of the log may be repeated. */
  begin(from: number, to: number, nowMs: number): void {
    this.#from = from;
    this.#to = to;
    this.#sinceMs = nowMs;
    this.#reading = null;
  }

  /** The oldest of them; infinite when there are none. */
  get lowestSeqNo(): number {
    return this.#from;
  }

  expire(nowMs: number): void {
    if (nowMs - this.#sinceMs > RETRY_WINDOW_MS) this.clear();
  }

  clear(): void {
    this.#from = Number.POSITIVE_INFINITY;
    this.#to = -1;
    this.#reading = null;
  }

  /** Puts them into the table, once. Throws corrupt_index_exception. */
  recall(store: ShardStore, table: RetryTable, nowMs: number): Promise<void> {
    if (this.#from > this.#to) return Promise.resolve();
    this.#reading ??= readInto(store, table, this.#from, this.#to, nowMs);
    return this.#reading;
  }
}

async function readInto(store: ShardStore, table: RetryTable, from: number, to: number, nowMs: number): Promise<void> {
  for await (const [seqNo, value] of store.records(from, to)) {
    const { opId } = decodeReceived(seqNo, value);
    if (opId) table.add(opId, seqNo, nowMs);
  }
}
