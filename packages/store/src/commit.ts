import { ByteReader, ByteWriter } from '@shoal/codec';
import { errors } from '@shoal/errors';

/** One sealed segment of a commit point. */
export interface CommittedSegment {
  readonly segment: number;
  readonly maxDoc: number;
  readonly byteSize: number;
  /** Link of the segment's manifest, so that a manifest of another time does not verify. */
  readonly rootHash: Uint8Array;
  /** Generation of its deletes, 0 when it has none. */
  readonly deletesGeneration: number;
  readonly deletedDocs: number;
}

/** An operation that a newer one made useless, and the number of that newer one. */
export interface Superseded {
  readonly seqNo: number;
  readonly by: number;
}

/** A moment of the shard from which it can be opened: everything up to `maxSeqNo` is in segments. */
export interface Commit {
  readonly generation: number;
  readonly segments: readonly CommittedSegment[];
  readonly maxSeqNo: number;
  readonly primaryTerm: number;
  /** Number that the next segment gets. */
  readonly nextSegment: number;
  /** First batch of the chain that an opening store verifies, and the link before it. */
  readonly chainStart: number;
  readonly chainLink: Uint8Array;
  /** Operations that could not be removed yet because a reader still needs them. */
  readonly superseded: readonly Superseded[];
  /** Wall time of the commit. */
  readonly atMs: number;
}

const FORMAT = 1;

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
    rootHash: input.bytes().slice(),
    deletesGeneration: input.varint(),
    deletedDocs: input.varint(),
  };
}

export function encodeCommit(commit: Commit): Uint8Array {
  const out = new ByteWriter(256 + commit.superseded.length * 8);
  out.u8(FORMAT);
  out.varint(commit.generation);
  out.varint(commit.maxSeqNo + 1);
  out.varint(commit.primaryTerm);
  out.varint(commit.nextSegment);
  out.varint(commit.chainStart);
  out.bytes(commit.chainLink);
  out.varint(commit.atMs);
  out.varint(commit.segments.length);
  for (const segment of commit.segments) writeSegment(out, segment);
  out.varint(commit.superseded.length);
  for (const { seqNo, by } of commit.superseded) {
    out.varint(seqNo);
    out.varint(by);
  }
  return out.finish();
}

export function decodeCommit(content: Uint8Array): Commit {
  const input = new ByteReader(content);
  if (input.u8() !== FORMAT) throw errors.corruption('commit point of an unknown format');
  const generation = input.varint();
  const maxSeqNo = input.varint() - 1;
  const primaryTerm = input.varint();
  const nextSegment = input.varint();
  const chainStart = input.varint();
  const chainLink = input.bytes().slice();
  const atMs = input.varint();
  const segments: CommittedSegment[] = [];
  for (let i = input.varint(); i > 0; i--) segments.push(readSegment(input));
  const superseded: Superseded[] = [];
  for (let i = input.varint(); i > 0; i--) superseded.push({ seqNo: input.varint(), by: input.varint() });
  return { generation, maxSeqNo, primaryTerm, nextSegment, chainStart, chainLink, atMs, segments, superseded };
}
