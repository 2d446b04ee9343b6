import { isPlainObject, ownProperty, stringify } from '@shoal/json';
import type { WriteOp, WriteOperation } from '../bulk/write-request.js';
import { parseVersionType } from '../bulk/action-line.js';
import type { SourceHit } from '../by-query/source-reader.js';

/** A write that a quarantine holds. */
export interface EntryOperation {
  readonly operation: WriteOperation;
  /** Whether the client gave no id. Then the entry's is used: a second replay does not write a second document. */
  readonly isAutoId: boolean;
}

const OPS: readonly unknown[] = ['index', 'create', 'update'];

/**
 * Returns the write that an entry holds, with another pipeline unless that is null. Null for a document that is no
 * entry.
 */
export function operationOfEntry({ id: entryId, source }: SourceHit, pipeline: string | null): EntryOperation | null {
  const document = source === null ? undefined : ownProperty(source.read(), 'document');
  if (!isPlainObject(document)) return null;
  const text = (name: string): string | null => {
    const value = ownProperty(document, name);
    return typeof value === 'string' ? value : null;
  };
  const long = (name: string): number | null => {
    const value = ownProperty(document, name);
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
  };
  const [index, op, bytes] = [text('index'), ownProperty(document, 'op'), sourceOf(document)];
  if (index === null || !OPS.includes(op) || bytes === null) return null;
  const id = text('id');
  const templates = ownProperty(document, 'dynamic_templates');
  const versionType = text('version_type');
  const operation: WriteOperation = {
    op: id === null ? 'create' : (op as WriteOp),
    index,
    id: id ?? entryId,
    routing: text('routing'),
    requireAlias: ownProperty(document, 'require_alias') === true,
    pipeline: pipeline ?? text('pipeline'),
    version: long('version'),
    versionType: versionType === null ? 'internal' : parseVersionType(versionType),
    ifSeqNo: long('if_seq_no'),
    ifPrimaryTerm: long('if_primary_term'),
    retryOnConflict: 0,
    source: bytes,
    updateSource: undefined,
    dynamicTemplates: isPlainObject(templates) ? templates : null,
    executedPipelines: null,
  };
  return { operation, isAutoId: id === null };
}

function sourceOf(document: Readonly<Record<string, unknown>>): Uint8Array | null {
  const [source, raw, base64] = ['source', 'raw', 'raw_base64'].map((name) => ownProperty(document, name));
  if (isPlainObject(source)) return Buffer.from(stringify(source));
  if (typeof raw === 'string') return Buffer.from(raw);
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : null;
}
