import type { OperationRecord } from './operation.js';

/** Limit of the bytes of the kept records: those of one replication message. */
const KEPT_BYTES_MAX = 1024 * 1024;

/**
 * The newest synced records in memory, for replication, which reads each record soon after it is synced. Reading a
 * record from the store would take 2 us.
 */
export interface RecentRecords {
  /** Keeps only records from `seqNo` on; Infinity, the initial value, keeps none. */
  keepFrom(seqNo: number): void;
  /** Adds records that follow the last ones without a gap; drops the oldest ones beyond the limit. */
  add(records: readonly OperationRecord[]): void;
  get(seqNo: number): OperationRecord | undefined;
  clear(): void;
}

class NewestRecords implements RecentRecords {
  /** Records in the order of their numbers, without a gap. */
  readonly #records: OperationRecord[] = [];
  #from = Number.POSITIVE_INFINITY;
  #bytes = 0;

  keepFrom(seqNo: number): void {
    this.#from = seqNo;
    let count = 0;
    while (count < this.#records.length && this.#records[count]!.seqNo < seqNo) count++;
    this.#drop(count);
  }

  add(records: readonly OperationRecord[]): void {
    for (let i = 0; i < records.length; i++) {
      const record = records[i]!;
      if (record.seqNo < this.#from) continue;
      this.#records.push(record);
      this.#bytes += record.byteLength;
    }
    let count = 0;
    for (let bytes = this.#bytes; bytes > KEPT_BYTES_MAX; bytes -= this.#records[count++]!.byteLength);
    this.#drop(count);
  }

  #drop(count: number): void {
    if (count === 0) return;
    for (const { byteLength } of this.#records.splice(0, count)) this.#bytes -= byteLength;
  }

  get(seqNo: number): OperationRecord | undefined {
    return this.#records.length === 0 ? undefined : this.#records[seqNo - this.#records[0]!.seqNo];
  }

  clear(): void {
    this.#drop(this.#records.length);
  }
}

/** An empty set of recent records. */
export function createRecentRecords(): RecentRecords {
  return new NewestRecords();
}
