import type { recovery } from '@shoal/protocol';
import type { ShardStore } from '@shoal/store';
import { copied } from './wire.js';

/** Identifies a record: its checksum, which covers its sequence number, and its length. */
interface RecordMark {
  readonly checksum: number;
  readonly byteSize: number;
}

/** Records of a copy, from a sequence number on, that may equal those of another copy. */
export interface KnownRecords {
  readonly from: number;
  /** All records below it are included; 0: nothing is known. */
  readonly below: number;
  readonly records: ReadonlyMap<number, RecordMark>;
}

const MARK_WORDS = 3;
const CHECKSUM_BYTES = 4;

function markOf(record: Uint8Array): RecordMark {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  return { checksum: view.getUint32(record.byteLength - CHECKSUM_BYTES, true), byteSize: record.byteLength };
}

/** Reads at most `countMax` records in `[from, ownBelow)` and verifies them. Throws corrupt_index_exception. */
export async function knownRecords(
  store: ShardStore,
  from: number,
  ownBelow: number,
  countMax: number,
): Promise<KnownRecords> {
  const records = new Map<number, RecordMark>();
  if (from >= ownBelow) return { from, below: 0, records };
  for await (const [seqNo, record] of store.records(from, ownBelow - 1)) {
    if (records.size === countMax) return { from, below: seqNo, records };
    records.set(seqNo, markOf(record));
  }
  return { from, below: ownBelow, records };
}

/** Encodes records for `OperationsRequest.known`. */
export function encodeKnown({ from, records }: KnownRecords): Uint8Array {
  const words = new Uint32Array(records.size * MARK_WORDS);
  let at = 0;
  for (const [seqNo, { checksum, byteSize }] of records) {
    words[at++] = seqNo - from;
    words[at++] = checksum;
    words[at++] = byteSize;
  }
  return new Uint8Array(words.buffer);
}

/** Returns the test whether the asking copy has a record, by length and checksum. */
export function knownTo(request: recovery.OperationsRequest): (seqNo: number, record: Uint8Array) => boolean {
  const words = new Uint32Array(copied(request.known).buffer);
  const at = new Map<number, number>();
  for (let i = 0; i < words.length; i += MARK_WORDS) at.set(request.from + words[i]!, i);
  return (seqNo, record) => {
    const i = at.get(seqNo);
    if (i === undefined) return false;
    const { checksum, byteSize } = markOf(record);
    return words[i + 1] === checksum && words[i + 2] === byteSize;
  };
}
