import { createHash } from 'node:crypto';
import { ByteReader, ByteWriter } from '@shoal/codec';
import { CHECKSUM_BYTES, checksumOf, readChecksum, writeChecksum } from '../level/checksum.js';

/** One entry of the state log; the log does not interpret `kind` and `payload`. */
export interface StateRecord {
  readonly kind: number;
  readonly payload: Uint8Array;
}

/*
 * A record is `length u32 | crc32 u32 | index varint | kind u8 | payload`; length and checksum are those of the fields
 * after the checksum.
 */

/** Bytes of length and checksum. */
const PREFIX_BYTES = 4 + CHECKSUM_BYTES;
const RECORD_BYTES_MAX = 1 << 30;
const NO_KEY = new Uint8Array(0);
const LINK_BYTES = 16;

/** Kind of the log's own record: the id of the node that the log belongs to. */
export const OWNER = 0;
/** Link before the first record of a file. */
export const FIRST_STATE_LINK: Uint8Array = new Uint8Array(LINK_BYTES);

/** A record that was found in a file. */
export interface FoundRecord extends StateRecord {
  readonly index: number;
  /** Offset after the record in its file. */
  readonly end: number;
}

/** What one of the two files of the state log holds. */
export interface StateMirror {
  readonly path: string;
  readonly records: readonly FoundRecord[];
  /** Length of the valid prefix. */
  readonly validBytes: number;
  /** Whether a valid record follows an invalid one: damage, not just a torn tail. */
  readonly isDamaged: boolean;
  readonly bytes: Uint8Array;
}

/** Encodes a record. */
export function encodeStateRecord(index: number, record: StateRecord): Uint8Array {
  const out = new ByteWriter(record.payload.length + 32);
  out.u32(0);
  out.u32(0);
  out.varint(index);
  out.u8(record.kind);
  out.raw(record.payload);
  const bytes = out.finish();
  writeChecksum(bytes, 0, bytes.length - PREFIX_BYTES);
  writeChecksum(bytes, 4, checksumOf(NO_KEY, bytes.subarray(PREFIX_BYTES)));
  return bytes;
}

/** Returns the link after a record: a hash of the record and of all before it in its file. */
export const nextStateLink = (link: Uint8Array, record: Uint8Array): Uint8Array =>
  createHash('sha256').update(link).update(record).digest().subarray(0, LINK_BYTES);

/** Returns the link after the record with `index`, which the mirror holds. */
export function linkAt({ records, bytes }: StateMirror, index: number): Uint8Array {
  let link: Uint8Array = FIRST_STATE_LINK;
  let at = 0;
  for (const record of records) {
    link = nextStateLink(link, bytes.subarray(at, record.end));
    if (record.index === index) break;
    at = record.end;
  }
  return link;
}

function recordAt(bytes: Uint8Array, at: number): FoundRecord | null {
  if (at + PREFIX_BYTES > bytes.length) return null;
  const length = readChecksum(bytes, at);
  const start = at + PREFIX_BYTES;
  if (length < 2 || length > RECORD_BYTES_MAX || start + length > bytes.length) return null;
  const content = bytes.subarray(start, start + length);
  if (checksumOf(NO_KEY, content) !== readChecksum(bytes, at + 4)) return null;
  const input = new ByteReader(content);
  const index = input.varint();
  return { index, kind: input.u8(), payload: input.raw(input.remaining), end: start + length };
}

/** Whether a valid record starts at any offset after `from`. */
function hasRecordBehind(bytes: Uint8Array, from: number): boolean {
  for (let at = from + 1; at + PREFIX_BYTES < bytes.length; at++) if (recordAt(bytes, at)) return true;
  return false;
}

/** Reads the longest valid prefix of a file. */
export function readStateMirror(path: string, bytes: Uint8Array): StateMirror {
  const records: FoundRecord[] = [];
  let at = 0;
  for (let record = recordAt(bytes, at); record; record = recordAt(bytes, at)) {
    if (records.length > 0 && record.index !== records.at(-1)!.index + 1) break;
    records.push(record);
    at = record.end;
  }
  return { path, records, validBytes: at, isDamaged: at < bytes.length && hasRecordBehind(bytes, at), bytes };
}
