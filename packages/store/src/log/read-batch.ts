import type { BatchOperation } from '@shoal/doors';
import { type BatchHeader, decodeBatchHeader } from './batch-header.js';
import { verifyRecord } from '../level/checksum.js';
import { isBatchKey, NUMBERED_KEY_BYTES, numberedKey, numberOfKey } from '../level/keys.js';

/** What a batch changes in the log of a copy. */
export interface LogChange {
  /** Numbers and records. */
  readonly operations: readonly (readonly [seqNo: number, record: Uint8Array])[];
  /** The last operation that stays, when the log is cut. */
  readonly truncatedTo: number | null;
  /** The global checkpoint that the copy notes. */
  readonly globalCheckpoint: number | null;
}

const [OPERATION] = numberedKey('operation', 0);

/** Reads a batch that a shard's store wrote, for those who watch what stores write. Throws corrupt_index_exception. */
export function readBatch(batch: readonly BatchOperation[]): LogChange {
  const operations: (readonly [number, Uint8Array])[] = [];
  let header: BatchHeader | null = null;
  for (const change of batch) {
    if (change.type !== 'put' || change.key[0] !== OPERATION) continue;
    if (isBatchKey(change.key)) header = decodeBatchHeader(verifyRecord(change.key, change.value, 'header of a batch'));
    else if (change.key.length === NUMBERED_KEY_BYTES) operations.push([numberOfKey(change.key), change.value]);
  }
  return {
    operations,
    truncatedTo: header?.truncatedTo ?? null,
    globalCheckpoint: header?.checkpoints?.global ?? null,
  };
}
