import { ByteReader } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { CHECKSUM_BYTES, checksumOf, opened, writeChecksum } from './checksum.js';
import { numberedKey } from './keys.js';

export type OperationKind = 'index' | 'delete' | 'noop';

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
  /** The document did not exist before. */
  readonly created: boolean;
  /** The document as the client sent it; empty for deletes and noops. */
  readonly source: Uint8Array;
}

const KINDS: readonly OperationKind[] = ['index', 'delete', 'noop'];
const KIND_MASK = 3;
const HAS_ROUTING = 4;
const AUTO_ID = 8;
const CREATED = 16;
/** Flags and three varints of at most eight bytes (term, version, length of the id), one more for routing. */
const HEADER_BYTES_MAX = 40;

/** An operation ready to be written. */
export interface OperationRecord {
  readonly seqNo: number;
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

/** Flags, term, version, id, routing, source, checksum: see docs/formats/shard-store-v1.md. Copies the source. */
export function encodeOperation(operation: Operation): OperationRecord {
  const { source, routing } = operation;
  const textBytesMax = operation.id.length * 3 + (routing === null ? 0 : routing.length * 3);
  const value = Buffer.allocUnsafe(HEADER_BYTES_MAX + textBytesMax + source.length + CHECKSUM_BYTES);
  value[0] =
    KINDS.indexOf(operation.kind) | (routing === null ? 0 : HAS_ROUTING) | (operation.autoId ? AUTO_ID : 0) | (operation.created ? CREATED : 0);
  let at = writeVarint(value, 1, operation.primaryTerm);
  at = writeVarint(value, at, operation.version);
  at = writeText(value, at, operation.id);
  if (routing !== null) at = writeText(value, at, routing);
  value.set(source, at);
  at += source.length;
  const key = numberedKey('operation', operation.seqNo);
  const checksum = checksumOf(key, value.subarray(0, at));
  writeChecksum(value, at, checksum);
  return { seqNo: operation.seqNo, key, value: value.subarray(0, at + CHECKSUM_BYTES), checksum };
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
  const id = input.string();
  const routing = flags & HAS_ROUTING ? input.string() : null;
  const source = input.raw(input.remaining);
  return { kind, seqNo, primaryTerm, version, id, routing, autoId: (flags & AUTO_ID) !== 0, created: (flags & CREATED) !== 0, source };
}
