import { decodeReceived, type ShardStore } from '@shoal/store';
import { RETRY_WINDOW_MS, type RetryTable } from './retry-table.js';

/**
 * Operations of the last minutes before the shard was opened, of which a coordinator may repeat the write. Reading them
 * at every open would make an open after a busy time slow, and repetitions are rare. So they are read when the first
 * repetition arrives. The log keeps them until RETRY_WINDOW_MS is over.
 */
export class EarlierWrites {
  #from = Number.POSITIVE_INFINITY;
  #to = -1;
  #sinceMs = 0;
  #reading: Promise<void> | null = null;

  /** Declares that the writes of operations `from` to `to` of the log may be repeated. */
  begin(from: number, to: number, nowMs: number): void {
    this.#from = from;
    this.#to = to;
    this.#sinceMs = nowMs;
    this.#reading = null;
  }

  /** The lowest of these operations; Infinity when there are none. */
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

  /** Reads these operations into the retry table, once. Throws corrupt_index_exception. */
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
