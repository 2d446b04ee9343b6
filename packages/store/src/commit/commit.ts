import { ByteReader, ByteWriter } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { Epoch } from '../log/epochs.js';

/** One sealed segment of a commit point. */
export interface CommittedSegment {
  readonly segment: number;
  readonly maxDoc: number;
  readonly byteSize: number;
  /** Hash of the segment's manifest: an older manifest of the same segment number does not verify. */
  readonly rootHash: Uint8Array;
  /** Generation of the segment's deletes; 0 if it has none. */
  readonly deletesGeneration: number;
  readonly deletedDocs: number;
}

/** Number of an operation that is superseded, and number of the newer operation of the same document. */
export interface Superseded {
  readonly seqNo: number;
  readonly by: number;
}

/** Retention lease: the log keeps operations from `retainedSeqNo` on for a copy that may come back. */
export interface RetentionLease {
  readonly id: string;
  readonly retainedSeqNo: number;
  /** Wall time of the last renewal, in milliseconds since 1970. */
  readonly atMs: number;
}

/** Commit point of a shard: all operations up to `maxSeqNo` are in its segments. */
export interface Commit {
  readonly generation: number;
  readonly segments: readonly CommittedSegment[];
  readonly maxSeqNo: number;
  /** Primary term in which the copy acted. */
  readonly primaryTerm: number;
  /** Epochs of the log up to `maxSeqNo`. */
  readonly epochs: readonly Epoch[];
  /** The log has every operation from this number on. */
  readonly historyFloor: number;
  /** Number of the next new segment. */
  readonly nextSegment: number;
  /** Number of the first batch that an open verifies, and the link of the batch before it. */
  readonly chainStart: number;
  readonly chainLink: Uint8Array;
  /** Operation number in the key of the header of `chainStart`. */
  readonly chainPosition: number;
  /** Operation number in the key of the oldest header that existed when the commit point was written. */
  readonly headersFrom: number;
  /** Superseded operations that are still in the log because a reader needs them. */
  readonly superseded: readonly Superseded[];
  /** Numbers of the delete operations up to `maxSeqNo` that are kept for late writes, ascending. */
  readonly tombstones: readonly number[];
  readonly leases: readonly RetentionLease[];
  /** Number of the oldest operation that a client may still retry; -1 if there is none. */
  readonly retriesFrom: number;
  /** Wall time of the commit, in milliseconds since 1970. */
  readonly atMs: number;
}

const FORMAT = 3;

function writeSegment(out: ByteWriter, segment: CommittedSegment): void {
  out.varint(segment.segment);
  out.varint(segment.maxDoc);
  out.varint(segment.byteSize);
  out.bytes(segment.rootHash);
  out.varint(segment.deletesGeneration);
  out.varint(segment.deletedDocs);
}

function readSegment(input: ByteReader): CommittedSegment {
  return {
    segment: input.varint(),
    maxDoc: input.varint(),
    byteSize: input.varint(),
    rootHash: new Uint8Array(input.bytes()),
    deletesGeneration: input.varint(),
    deletedDocs: input.varint(),
  };
}

function writeHistory(out: ByteWriter, commit: Commit): void {
  out.varint(commit.historyFloor);
  out.varint(commit.retriesFrom + 1);
  out.varint(commit.epochs.length);
  for (const { term, firstSeqNo } of commit.epochs) {
    out.varint(term);
    out.varint(firstSeqNo);
  }
  out.varint(commit.leases.length);
  for (const { id, retainedSeqNo, atMs } of commit.leases) {
    out.string(id);
    out.varint(retainedSeqNo);
    out.varint(atMs);
  }
}

function listOf<T>(input: ByteReader, read: () => T): T[] {
  const list: T[] = [];
  for (let i = input.varint(); i > 0; i--) list.push(read());
  return list;
}

const readEpoch = (input: ByteReader): Epoch => ({ term: input.varint(), firstSeqNo: input.varint() });
const readLease = (input: ByteReader): RetentionLease => ({
  id: input.string(),
  retainedSeqNo: input.varint(),
  atMs: input.varint(),
});

/** Writes ascending numbers as differences, of one or two bytes each. */
function writeRising(out: ByteWriter, numbers: readonly number[]): void {
  out.varint(numbers.length);
  let last = 0;
  for (const number of numbers) {
    out.varint(number - last);
    last = number;
  }
}

function readRising(input: ByteReader): number[] {
  let last = 0;
  return listOf(input, () => (last += input.varint()));
}

/** Encodes a commit point; see docs/formats/shard-store-v3.md. */
export function encodeCommit(commit: Commit): Uint8Array {
  const out = new ByteWriter(256 + commit.superseded.length * 8 + commit.tombstones.length * 2);
  out.u8(FORMAT);
  out.varint(commit.generation);
  out.varint(commit.maxSeqNo + 1);
  out.varint(commit.primaryTerm);
  writeHistory(out, commit);
  out.varint(commit.nextSegment);
  out.varint(commit.chainStart);
  out.bytes(commit.chainLink);
  out.varint(commit.chainPosition);
  out.varint(commit.headersFrom);
  out.varint(commit.atMs);
  out.varint(commit.segments.length);
  for (const segment of commit.segments) writeSegment(out, segment);
  out.varint(commit.superseded.length);
  for (const { seqNo, by } of commit.superseded) {
    out.varint(seqNo);
    out.varint(by);
  }
  writeRising(out, commit.tombstones);
  return out.finish();
}

/** Decodes a commit point. Throws corrupt_index_exception. */
export function decodeCommit(content: Uint8Array): Commit {
  const input = new ByteReader(content);
  if (input.u8() !== FORMAT) throw errors.corruption('commit point of an unknown format');
  const generation = input.varint();
  const maxSeqNo = input.varint() - 1;
  const primaryTerm = input.varint();
  const historyFloor = input.varint();
  const retriesFrom = input.varint() - 1;
  const epochs = listOf(input, () => readEpoch(input));
  const leases = listOf(input, () => readLease(input));
  const nextSegment = input.varint();
  const chainStart = input.varint();
  const chainLink = new Uint8Array(input.bytes());
  const chainPosition = input.varint();
  const headersFrom = input.varint();
  const atMs = input.varint();
  const segments = listOf(input, () => readSegment(input));
  const superseded = listOf(input, (): Superseded => ({ seqNo: input.varint(), by: input.varint() }));
  const tombstones = readRising(input);
  return {
    generation,
    maxSeqNo,
    primaryTerm,
    epochs,
    historyFloor,
    retriesFrom,
    leases,
    nextSegment,
    chainStart,
    chainLink,
    chainPosition,
    headersFrom,
    atMs,
    segments,
    superseded,
    tombstones,
  };
}
