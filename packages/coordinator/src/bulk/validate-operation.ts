import { type ApiError, errors } from '@shoal/errors';
import { hasTooManyValues } from './document-values.js';
import { inspectUpdate } from './update-body.js';
import type { VersionType, WriteOperation } from './write-request.js';

/** Limit for the length of `_id` in bytes of UTF-8. */
export const ID_BYTES_MAX = 512;

const VERSION_TYPE_NAMES: Readonly<Record<VersionType, string>> = {
  internal: 'INTERNAL',
  external: 'EXTERNAL',
  external_gte: 'EXTERNAL_GTE',
};

/** Makes the error `Validation Failed: 1: first;2: second;`. */
export function validationError(messages: readonly string[]): ApiError {
  return errors.actionRequestValidation(
    `Validation Failed: ${messages.map((message, i) => `${i + 1}: ${message};`).join('')}`,
  );
}

function checkCreate(operation: WriteOperation): string | null {
  if (operation.versionType !== 'internal')
    return 'create operations only support internal versioning. use index instead';
  if (operation.version !== null) return 'create operations do not support explicit versions. use index instead';
  if (operation.ifSeqNo !== null || operation.ifPrimaryTerm !== null)
    return 'create operations do not support compare and set. use index instead';
  return null;
}

function checkVersion(operation: WriteOperation, messages: string[]): void {
  const { version, versionType } = operation;
  if (versionType === 'internal' && version !== null) {
    messages.push(
      'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and ' +
        '`if_primary_term` instead',
    );
  } else if (versionType !== 'internal' && (version === null || version < 0)) {
    messages.push(`illegal version value [${version ?? -3}] for version type [${VERSION_TYPE_NAMES[versionType]}]`);
  }
}

function checkSequence(operation: WriteOperation, messages: string[]): void {
  const { ifSeqNo, ifPrimaryTerm } = operation;
  if (ifSeqNo !== null && (ifPrimaryTerm === null || ifPrimaryTerm === 0))
    messages.push('ifSeqNo is set, but primary term is [0]');
  if (ifSeqNo === null && ifPrimaryTerm !== null && ifPrimaryTerm !== 0)
    messages.push(`ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`);
}

function checkUpdate(operation: WriteOperation, messages: string[]): void {
  const shape = inspectUpdate(operation.source);
  if (operation.retryOnConflict > 0 && operation.ifSeqNo !== null)
    messages.push('compare and write operations can not be retried');
  if (shape.docAsUpsert && operation.ifSeqNo !== null)
    messages.push('compare and write operations can not be used with upsert');
  if (shape.hasUpsert && operation.ifSeqNo !== null)
    messages.push("upsert requests don't support `if_seq_no` and `if_primary_term`");
  if (shape.docAsUpsert && !shape.hasDoc) messages.push('doc must be specified if doc_as_upsert is enabled');
  else if (shape.hasDoc && shape.hasScript) messages.push("can't provide both script and doc");
  else if (!shape.hasDoc && !shape.hasScript) messages.push('script or doc is missing');
}

function checkId(operation: WriteOperation, messages: string[]): void {
  const { id, op } = operation;
  if (id === null) {
    if (op === 'delete' || op === 'update') messages.push('id is missing');
    else if (op === 'index' && operation.versionType !== 'internal')
      messages.push('an id must be provided if version type or value are set');
    return;
  }
  if (id.length * 3 <= ID_BYTES_MAX) return;
  const bytes = Buffer.byteLength(id);
  if (bytes > ID_BYTES_MAX) messages.push(`id [${id}] is too long, must be no longer than 512 bytes but was: ${bytes}`);
}

/**
 * Adds the validation errors of an operation that do not depend on its index. Throws if the body of an update cannot be
 * parsed. An update of more than `valuesMax` values is not parsed: it is refused when its shard is looked for.
 */
export function validateOperation(operation: WriteOperation, messages: string[], valuesMax: number): void {
  if (operation.index === '') messages.push('index is missing');
  checkId(operation, messages);
  const refusedCreate = operation.op === 'create' ? checkCreate(operation) : null;
  if (refusedCreate) messages.push(refusedCreate);
  else {
    if (operation.version !== null || operation.versionType !== 'internal') checkVersion(operation, messages);
    if (operation.ifSeqNo !== null || operation.ifPrimaryTerm !== null) checkSequence(operation, messages);
  }
  if (operation.op === 'update' && !hasTooManyValues(operation, valuesMax)) checkUpdate(operation, messages);
}
