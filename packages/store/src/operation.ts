import { ByteReader } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { CHECKSUM_BYTES, checksumOf, opened, readChecksum, writeChecksum } from './checksum.js';
import { numberedKey } from './keys.js';

export type OperationKind = 'index' | 'delete' | 'noop';

/** Names a write for as long as its coordinator may ask for it again. */
export interface OperationId {
  /** The coordinator's start of its process. */
  readonly coordinator: string;
  readonly counter: number;
}

/** One record of the operation log: transaction log, stored document and recovery history in one. */
export interface Operation {
  readonly kind: OperationKind;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  readonly id: string;
  readonly routing: string | null;
  /** The id was made by the coordinator. */
  readonly autoId: boolean;
  /** There was no document before: an index operation created it, a delete found none. */
  readonly created: boolean;
  /** Null for writes that are never repeated. */
  readonly opId: OperationId | null;
  /** Wall time at the primary; 0 when neither a tombstone nor a repetition needs it. */
  readonly atMs: number;
  /** Fields whose values were left out of the index. */
  readonly ignored: readonly string[];
  /** The document as the client sent it; empty for deletes and noops. */
  readonly source: Uint8Array;
}

const KINDS: readonly OperationKind[] = ['index', 'delete', 'noop'];
const NONE_IGNORED: readonly string[] = [];
const KIND_MASK = 3;
const HAS_ROUTING = 4;
const AUTO_ID = 8;
const CREATED = 16;
const HAS_IGNORED = 32;
const HAS_OP_ID = 64;
const HAS_TIME = 128;
/** Flags and varints of at most eight bytes: term, version, time, counter, lengths of three texts, number of ignored fields. */
const HEADER_BYTES_MAX = 72;

/** An operation ready to be written. */
export interface OperationRecord {
  readonly seqNo: number;
  readonly term: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly checksum: number;
}

function writeVarint(into: Buffer, at: number, value: number): number {
  let rest = value;
  let end = at;
  while (rest >= 0x80) {
    into[end++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  into[end++] = rest;
  return end;
}

function writeText(into: Buffer, at: number, text: string): number {
  const length = Buffer.byteLength(text);
  const start = writeVarint(into, at, length);
  into.write(text, start, length, 'utf8');
  return start + length;
}

function flagsOf({ kind, routing, autoId, created, ignored, opId, atMs }: Operation): number {
  const optional = (routing === null ? 0 : HAS_ROUTING) | (ignored.length === 0 ? 0 : HAS_IGNORED) | (opId === null ? 0 : HAS_OP_ID) | (atMs === 0 ? 0 : HAS_TIME);
  return KINDS.indexOf(kind) | optional | (autoId ? AUTO_ID : 0) | (created ? CREATED : 0);
}

/** Flags, term, version, time, operation id, id, routing, ignored fields, source, checksum: see docs/formats/shard-store-v2.md. Copies the source. */
export function encodeOperation(operation: Operation): OperationRecord {
  const { source, routing, ignored } = operation;
  const textBytesMax = operation.id.length * 3 + (operation.opId === null ? 0 : operation.opId.coordinator.length * 3) + (routing === null ? 0 : routing.length * 3) + ignored.reduce((sum, field) => sum + field.length * 3 + 8, 0);
  const value = Buffer.allocUnsafe(HEADER_BYTES_MAX + textBytesMax + source.length + CHECKSUM_BYTES);
  value[0] = flagsOf(operation);
  let at = writeVarint(value, 1, operation.primaryTerm);
  at = writeVarint(value, at, operation.version);
  if (operation.atMs !== 0) at = writeVarint(value, at, operation.atMs);
  if (operation.opId !== null) at = writeVarint(value, writeText(value, at, operation.opId.coordinator), operation.opId.counter);
  at = writeText(value, at, operation.id);
  if (routing !== null) at = writeText(value, at, routing);
  if (ignored.length > 0) {
    at = writeVarint(value, at, ignored.length);
    for (const field of ignored) at = writeText(value, at, field);
  }
  value.set(source, at);
  at += source.length;
  const key = numberedKey('operation', operation.seqNo);
  const checksum = checksumOf(key, value.subarray(0, at));
  writeChecksum(value, at, checksum);
  return { seqNo: operation.seqNo, term: operation.primaryTerm, key, value: value.subarray(0, at + CHECKSUM_BYTES), checksum };
}

/** Reads a record; its source is a view of `value`. Throws corrupt_index_exception when it is absent or damaged. */
export function decodeOperation(seqNo: number, key: Uint8Array, value: Uint8Array | undefined): Operation {
  const content = opened(key, value, `operation [${seqNo}]`);
  const input = new ByteReader(content);
  const flags = input.u8();
  const kind = KINDS[flags & KIND_MASK];
  if (kind === undefined) throw errors.corruption(`operation [${seqNo}] is of an unknown kind`);
  const primaryTerm = input.varint();
  const version = input.varint();
  const atMs = flags & HAS_TIME ? input.varint() : 0;
  const opId = flags & HAS_OP_ID ? { coordinator: input.string(), counter: input.varint() } : null;
  const id = input.string();
  const routing = flags & HAS_ROUTING ? input.string() : null;
  const ignored = flags & HAS_IGNORED ? Array.from({ length: input.varint() }, () => input.string()) : NONE_IGNORED;
  const source = input.raw(input.remaining);
  return { kind, seqNo, primaryTerm, version, id, routing, autoId: (flags & AUTO_ID) !== 0, created: (flags & CREATED) !== 0, opId, atMs, ignored, source };
}

/** A record that another copy wrote. Throws corrupt_index_exception when it is damaged. */
export function decodeReceived(seqNo: number, value: Uint8Array): Operation {
  return decodeOperation(seqNo, numberedKey('operation', seqNo), value);
}

/** The record of a received operation, as it came. */
export function receivedRecord({ seqNo, primaryTerm }: Operation, value: Uint8Array): OperationRecord {
  return { seqNo, term: primaryTerm, key: numberedKey('operation', seqNo), value, checksum: readChecksum(value, value.length - CHECKSUM_BYTES) };
}
