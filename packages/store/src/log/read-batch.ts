import type { BatchOperation } from '@shoal/doors';
import { type BatchHeader, decodeBatchHeader } from './batch-header.js';
import { verifyRecord } from '../level/checksum.js';
import { isBatchKey, NUMBERED_KEY_BYTES, numberedKey, numberOfKey } from '../level/keys.js';

/** Changes of a batch to the log of a copy. */
export interface LogChange {
  /** Appended operations: numbers and records. */
  readonly operations: readonly (readonly [seqNo: number, record: Uint8Array])[];
  /** Number of the last operation that stays if the batch truncates the log; else null. */
  readonly truncatedTo: number | null;
  /** Global checkpoint that the batch stores, or null. */
  readonly globalCheckpoint: number | null;
}

const [OPERATION] = numberedKey('operation', 0);

/** Decodes a batch that a shard's store writes, for checkers of durability. Throws corrupt_index_exception. */
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
