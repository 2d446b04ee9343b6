import type { shard } from '@shoal/protocol';
import type { Operation } from '@shoal/store';
import { parseUpdate } from './update-request.js';
import { WRITE_OP } from './version-check.js';
import { answeredGet, OUTCOME } from './write-result.js';

function outcomeOf({ kind, created }: Operation): number {
  if (kind === 'delete') return created ? OUTCOME.notFound : OUTCOME.deleted;
  return created ? OUTCOME.created : OUTCOME.updated;
}

/** Returns the answer that a write got when it became an operation of the log. */
export function storedResult(operation: Operation, item: shard.WriteItem, body: Uint8Array): shard.WriteResult {
  const { version, seqNo, primaryTerm, source } = operation;
  const result = { outcome: outcomeOf(operation), version, seqNo, primaryTerm };
  return item.op === WRITE_OP.update
    ? { ...result, get: answeredGet(parseUpdate(item, body).answeredSource, source, operation) }
    : result;
}
