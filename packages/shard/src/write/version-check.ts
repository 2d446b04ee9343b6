import { type ApiError, errors } from '@shoal/errors';
import type { shard } from '@shoal/protocol';
import type { Located } from '../engine/engine.js';

/** Numbers of `WriteItem.version_type`. */
export const VERSION_TYPE = { internal: 0, external: 1, externalGte: 2 } as const;

/** Numbers of `WriteItem.op`. */
export const WRITE_OP = { index: 0, create: 1, update: 2, delete: 3 } as const;

/** Shard and index that a version conflict names. */
export interface ShardIdentity {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
}

/** Returns the version_conflict_engine_exception of a write to an id. */
export function versionConflict(identity: ShardIdentity, id: string, explanation: string): ApiError {
  return errors.versionConflict(`[${id}]: version conflict, ${explanation}`, {
    meta: { index_uuid: identity.indexUuid, shard: String(identity.shard), index: identity.index },
  });
}

function sequenceConflict(item: shard.WriteItem, current: Located | null): string | null {
  if (item.ifSeqNo === undefined) return null;
  const required = `required seqNo [${item.ifSeqNo}], primary term [${item.ifPrimaryTerm ?? 0}]`;
  if (current?.kind !== 'live') return `${required}. but no document was found`;
  if (current.seqNo === item.ifSeqNo && current.primaryTerm === item.ifPrimaryTerm) return null;
  return `${required}. current document has seqNo [${current.seqNo}] and primary term [${current.primaryTerm}]`;
}

function externalConflict(item: shard.WriteItem, current: Located | null): string | null {
  if (current === null || item.versionType === VERSION_TYPE.internal) return null;
  const provided = item.version ?? 0;
  if (item.versionType === VERSION_TYPE.external && current.version >= provided) {
    return `current version [${current.version}] is higher or equal to the one provided [${provided}]`;
  }
  return current.version > provided
    ? `current version [${current.version}] is higher than the one provided [${provided}]`
    : null;
}

/**
 * Returns why a write is refused, in Elasticsearch's words; null when it is allowed. Remembered deletes count for
 * external versions.
 */
export function conflictOf(item: shard.WriteItem, current: Located | null): string | null {
  const sequence = sequenceConflict(item, current);
  if (sequence !== null) return sequence;
  if (item.op === WRITE_OP.create && current?.kind === 'live')
    return `document already exists (current version [${current.version}])`;
  return externalConflict(item, current);
}

/** Returns the version that a write gives its document: the next one, or the client's own. */
export function nextVersion(item: shard.WriteItem, current: Located | null): number {
  if (item.versionType !== VERSION_TYPE.internal) return item.version ?? 1;
  return (current?.version ?? 0) + 1;
}
