import type { OperationRecord } from './operation.js';

/** As much as one message to another copy takes. */
const KEPT_BYTES_MAX = 1024 * 1024;

/**
 * The newest synced records, for those who stream the log: reading one back takes 2 us, and they ask for each soon
 * after its sync.
 */
export interface RecentRecords {
  /** Those below are not asked for any more; infinite (as at first) when none are. */
  keepFrom(seqNo: number): void;
  /** Records that follow those before without a gap. */
  add(records: readonly OperationRecord[]): void;
  get(seqNo: number): OperationRecord | undefined;
  clear(): void;
}

class NewestRecords implements RecentRecords {
  /** In order of their numbers, without a gap. */
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

export function createRecentRecords(): RecentRecords {
  return new NewestRecords();
}
