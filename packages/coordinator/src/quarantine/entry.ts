import { isUtf8 } from 'node:buffer';
import { isPlainObject } from '@shoal/json';
import type { WriteOperation } from '../bulk/write-request.js';
import type { Refusal } from './refusal.js';

/** Sources of more bytes are kept as text: they would hold the thread while they are looked at. */
const CHECKED_BYTES_MAX = 512 * 1024;

/** What is told of a refusal besides its document. */
export interface EntryOrigin {
  readonly nowMs: number;
  /** Name of the index as it was resolved then. */
  readonly index: string;
  /** Null if security is off. */
  readonly user: string | null;
}

/** Returns the document of a refusal for a quarantine, as JSON. With `isRaw` its source is kept as text. */
export function entryBytes(refusal: Refusal, { nowMs, index, user }: EntryOrigin, isRaw: boolean): Uint8Array {
  const { operation } = refusal;
  const error = JSON.stringify(errorOf(refusal));
  const head = JSON.stringify({ '@timestamp': new Date(nowMs).toISOString(), document: fields(operation, index) });
  const whose = user === null ? '' : `,"user":${JSON.stringify(user)}`;
  const [before, after] = [head.slice(0, -2), `},"error":${error}${whose},"attempts":1}`];
  if (isRaw || !isObject(operation.source)) {
    const raw = JSON.stringify(rawOf(operation.source)).slice(1, -1);
    return Buffer.from(`${before},${raw}${after}`);
  }
  return Buffer.concat([Buffer.from(`${before},"source":`), operation.source, Buffer.from(after)]);
}

/** Describes the error of a refusal as entries hold it. */
export function errorOf({ error, stage, at }: Pick<Refusal, 'error' | 'stage' | 'at'>): Record<string, unknown> {
  return {
    type: error.type,
    reason: error.reason,
    stage,
    ...(at === null ? {} : { pipeline: at.pipeline }),
    ...(at === null || at.processorType === null ? {} : { processor_type: at.processorType }),
    ...(at === null || at.processorTag === null ? {} : { processor_tag: at.processorTag }),
  };
}

/** What the write said besides its source; members that it did not have are left out. */
function fields(operation: WriteOperation, index: string): Record<string, unknown> {
  const { id, routing, op, pipeline, version, versionType, ifSeqNo, ifPrimaryTerm } = operation;
  return {
    index,
    ...(id === null ? {} : { id }),
    ...(routing === null ? {} : { routing }),
    op,
    ...(pipeline === null ? {} : { pipeline }),
    ...(version === null ? {} : { version }),
    ...(versionType === 'internal' ? {} : { version_type: versionType }),
    ...(ifSeqNo === null ? {} : { if_seq_no: ifSeqNo }),
    ...(ifPrimaryTerm === null ? {} : { if_primary_term: ifPrimaryTerm }),
    ...(operation.requireAlias ? { require_alias: true } : {}),
    ...(operation.dynamicTemplates === null ? {} : { dynamic_templates: operation.dynamicTemplates }),
  };
}

function rawOf(source: Uint8Array): Record<string, string> {
  if (isUtf8(source)) return { raw: textOf(source) };
  return { raw_base64: Buffer.from(source.buffer, source.byteOffset, source.length).toString('base64') };
}

const textOf = (source: Uint8Array): string =>
  Buffer.from(source.buffer, source.byteOffset, source.length).toString('utf8');

/** Whether bytes are one JSON object, so that they can be a member of another one as they are. */
function isObject(source: Uint8Array): boolean {
  if (source.length > CHECKED_BYTES_MAX || !isUtf8(source)) return false;
  try {
    return isPlainObject(JSON.parse(textOf(source)));
  } catch {
    return false;
  }
}
