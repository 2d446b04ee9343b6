import { ByteReader } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { CHECKSUM_BYTES, checksumOfJoined, verifyRecord, readChecksum, writeChecksum } from '../level/checksum.js';
import { NUMBERED_KEY_BYTES, numberedKey, writeNumberedKey } from '../level/keys.js';

/** Kinds of operations; a `noop` has a number and writes no document. */
export type OperationKind = 'index' | 'delete' | 'noop';

/** Identifies a write while its coordinator may retry it. */
export interface OperationId {
  /** Id of the coordinator's process: another one after each start. */
  readonly coordinator: string;
  readonly counter: number;
}

/** One operation of the log, which is transaction log, document store and recovery history in one. */
export interface Operation {
  readonly kind: OperationKind;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  readonly id: string;
  readonly routing: string | null;
  /** Whether the coordinator generated the document id. */
  readonly autoId: boolean;
  /** Whether no document existed before: an index operation created it, or a delete did not find it. */
  readonly created: boolean;
  /** Null for a write that is never retried. */
  readonly opId: OperationId | null;
  /** For deletes the wall time at the primary, in milliseconds since 1970; else 0. */
  readonly atMs: number;
  /** Names of the fields of which values were not indexed (`_ignored`). */
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
/**
 * Limit of the bytes of the fields with variable length that precede the texts: flags, and varints of at most eight
 * bytes for term, version, time, operation id, lengths of three texts, and number of ignored fields.
 */
const HEADER_BYTES_MAX = 72;

/** An encoded operation; `key` and `value` are views that are created at each access. */
export interface OperationRecord {
  readonly type: 'put';
  readonly seqNo: number;
  readonly term: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** Bytes of the value. */
  readonly byteLength: number;
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

/** ASCII texts up to this length are written in a loop, which is faster than a call of the runtime. */
const SHORT_TEXT_MAX = 32;

function writeText(into: Buffer, at: number, text: string): number {
  if (text.length <= SHORT_TEXT_MAX) {
    const end = writeAscii(into, at, text);
    if (end >= 0) return end;
  }
  const length = Buffer.byteLength(text);
  const start = writeVarint(into, at, length);
  into.write(text, start, length, 'utf8');
  return start + length;
}

/** Writes an ASCII text and returns the offset after it; -1 if the text is not ASCII. */
function writeAscii(into: Buffer, at: number, text: string): number {
  into[at] = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return -1;
    into[at + 1 + i] = unit;
  }
  return at + 1 + text.length;
}

/** Maps integers to non-negative ones, so that those near 0 stay small. */
const zigzag = (number: number): number => (number < 0 ? -2 * number - 1 : 2 * number);
const unzigzag = (number: number): number => (number % 2 === 0 ? number / 2 : -(number + 1) / 2);

function flagsOf({ kind, routing, autoId, created, ignored, opId, atMs }: Operation): number {
  const optional =
    (routing === null ? 0 : HAS_ROUTING) |
    (ignored.length === 0 ? 0 : HAS_IGNORED) |
    (opId === null ? 0 : HAS_OP_ID) |
    (atMs === 0 ? 0 : HAS_TIME);
  return KINDS.indexOf(kind) | optional | (autoId ? AUTO_ID : 0) | (created ? CREATED : 0);
}

function writeContent(into: Buffer, start: number, operation: Operation): number {
  const { source, routing, ignored, opId } = operation;
  into[start] = flagsOf(operation);
  let at = writeVarint(into, start + 1, operation.primaryTerm);
  at = writeVarint(into, at, operation.version);
  if (operation.atMs !== 0) at = writeVarint(into, at, operation.atMs);
  if (opId !== null)
    at = writeVarint(into, writeText(into, at, opId.coordinator), zigzag(opId.counter - operation.seqNo));
  at = writeText(into, at, operation.id);
  if (routing !== null) at = writeText(into, at, routing);
  if (ignored.length > 0) {
    at = writeVarint(into, at, ignored.length);
    for (const field of ignored) at = writeText(into, at, field);
  }
  into.set(source, at);
  return at + source.length;
}

function contentBytesMax({ id, opId, routing, ignored, source }: Operation): number {
  let characters = id.length + (opId === null ? 0 : opId.coordinator.length) + (routing === null ? 0 : routing.length);
  for (const field of ignored) characters += field.length + 3;
  return HEADER_BYTES_MAX + characters * 3 + source.length;
}

/** A record whose key and value are in a slab, a buffer that it shares with other records. */
class SlabRecord implements OperationRecord {
  readonly type = 'put';
  readonly seqNo: number;
  readonly term: number;
  readonly checksum: number;
  readonly byteLength: number;
  readonly #slab: Buffer;
  readonly #at: number;

  constructor(seqNo: number, term: number, checksum: number, slab: Buffer, at: number, byteLength: number) {
    this.seqNo = seqNo;
    this.term = term;
    this.checksum = checksum;
    this.byteLength = byteLength;
    this.#slab = slab;
    this.#at = at;
  }

  get key(): Uint8Array {
    return new Uint8Array(this.#slab.buffer, this.#slab.byteOffset + this.#at, NUMBERED_KEY_BYTES);
  }

  get value(): Uint8Array {
    return new Uint8Array(this.#slab.buffer, this.#slab.byteOffset + this.#at + NUMBERED_KEY_BYTES, this.byteLength);
  }
}

const SLAB_BYTES = 64 * 1024;

/**
 * Encodes operations into shared slabs. Thousands of records may wait for their group, and separate buffers for each
 * would survive the young generation of the garbage collector.
 */
export class OperationEncoder {
  #slab: Buffer = Buffer.alloc(0);
  #at = 0;

  /**
   * Encodes an operation: flags, term, version, time, operation id, id, routing, ignored fields, source, checksum (see
   * docs/formats/shard-store-v3.md). Copies the source.
   */
  encode(operation: Operation): OperationRecord {
    const { seqNo, primaryTerm } = operation;
    const bytesMax = NUMBERED_KEY_BYTES + contentBytesMax(operation) + CHECKSUM_BYTES;
    if (this.#at + bytesMax > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, bytesMax));
      this.#at = 0;
    }
    const slab = this.#slab;
    const start = this.#at;
    writeNumberedKey(slab, start, 'operation', seqNo);
    const end = writeContent(slab, start + NUMBERED_KEY_BYTES, operation);
    const checksum = checksumOfJoined(slab, start, end);
    writeChecksum(slab, end, checksum);
    this.#at = end + CHECKSUM_BYTES;
    return new SlabRecord(seqNo, primaryTerm, checksum, slab, start, this.#at - start - NUMBERED_KEY_BYTES);
  }
}

/** Decodes a record; the source is a view of `value`. Throws corrupt_index_exception if it is missing or damaged. */
export function decodeOperation(seqNo: number, key: Uint8Array, value: Uint8Array | undefined): Operation {
  const content = verifyRecord(key, value, `operation [${seqNo}]`);
  const input = new ByteReader(content);
  const flags = input.u8();
  const kind = KINDS[flags & KIND_MASK];
  if (kind === undefined) throw errors.corruption(`operation [${seqNo}] is of an unknown kind`);
  const primaryTerm = input.varint();
  const version = input.varint();
  const atMs = flags & HAS_TIME ? input.varint() : 0;
  const opId = flags & HAS_OP_ID ? { coordinator: input.string(), counter: seqNo + unzigzag(input.varint()) } : null;
  const id = input.string();
  const routing = flags & HAS_ROUTING ? input.string() : null;
  const ignored = flags & HAS_IGNORED ? Array.from({ length: input.varint() }, () => input.string()) : NONE_IGNORED;
  const source = input.raw(input.remaining);
  return {
    kind,
    seqNo,
    primaryTerm,
    version,
    id,
    routing,
    autoId: (flags & AUTO_ID) !== 0,
    created: (flags & CREATED) !== 0,
    opId,
    atMs,
    ignored,
    source,
  };
}

/** Decodes a record that another copy wrote. Throws corrupt_index_exception if it is damaged. */
export function decodeReceived(seqNo: number, value: Uint8Array): Operation {
  return decodeOperation(seqNo, numberedKey('operation', seqNo), value);
}

/** The record of an operation that was received as `value`; no copy. */
export function receivedRecord({ seqNo, primaryTerm }: Operation, value: Uint8Array): OperationRecord {
  return {
    type: 'put',
    seqNo,
    term: primaryTerm,
    key: numberedKey('operation', seqNo),
    value,
    byteLength: value.length,
    checksum: readChecksum(value, value.length - CHECKSUM_BYTES),
  };
}
