import { createHash } from 'node:crypto';
import { ByteReader, ByteWriter } from '@shoal/codec';
import { errors } from '@shoal/errors';

/** Bytes of a link: a SHA-256 hash, cut. */
export const LINK_BYTES = 16;
const FORMAT = 3;

const SECTION = { end: 0, operations: 1, commit: 2, term: 3, truncate: 4, checkpoints: 5, peer: 6 } as const;

/** Last batch of a copy's log, as the copy has reported it: a witness of its log outside of its own disk. */
export interface PeerHead {
  readonly allocationId: string;
  readonly chainId: Uint8Array;
  readonly batch: number;
  readonly link: Uint8Array;
}

/** Global checkpoint, and local checkpoint: the log is synced and equals the primary's up to it. */
export interface Checkpoints {
  readonly global: number;
  readonly local: number;
}

/** Header of a batch: records everything that the batch wrote and removed, so that a loss is detected. */
export interface BatchHeader {
  /** Link of the batch before this one. */
  readonly previous: Uint8Array;
  /** Number of the first operation of the batch; the numbers of the operations follow without a gap. */
  readonly firstSeqNo: number;
  /** Primary term of all operations of the batch. */
  readonly operationTerm: number;
  /** Checksums of the operations, in order. */
  readonly checksums: Uint32Array;
  /** Commit point that the batch wrote, or null. */
  readonly commit: { readonly generation: number; readonly checksum: number } | null;
  /** Primary term in which the copy acts from this batch on, or null. */
  readonly newTerm: number | null;
  /** Number above which the batch removed all operations, or null. */
  readonly truncatedTo: number | null;
  readonly checkpoints: Checkpoints | null;
  readonly peers: readonly PeerHead[];
}

function writeOperations(out: ByteWriter, header: BatchHeader): void {
  out.u8(SECTION.operations);
  out.varint(header.firstSeqNo);
  out.varint(header.operationTerm);
  out.varint(header.checksums.length);
  for (let i = 0; i < header.checksums.length; i++) out.u32(header.checksums[i]!);
}

function writePeer(out: ByteWriter, peer: PeerHead): void {
  out.u8(SECTION.peer);
  out.string(peer.allocationId);
  out.bytes(peer.chainId);
  out.varint(peer.batch);
  out.bytes(peer.link);
}

/** Encodes a header, without its checksum. */
export function encodeBatchHeader(header: BatchHeader): Uint8Array {
  const out = new ByteWriter(96 + header.checksums.length * 4);
  out.u8(FORMAT);
  out.raw(header.previous);
  if (header.checksums.length > 0) writeOperations(out, header);
  if (header.commit) {
    out.u8(SECTION.commit);
    out.varint(header.commit.generation);
    out.u32(header.commit.checksum);
  }
  if (header.newTerm !== null) {
    out.u8(SECTION.term);
    out.varint(header.newTerm);
  }
  if (header.truncatedTo !== null) {
    out.u8(SECTION.truncate);
    out.varint(header.truncatedTo + 1);
  }
  if (header.checkpoints) {
    out.u8(SECTION.checkpoints);
    out.varint(header.checkpoints.global + 1);
    out.varint(header.checkpoints.local + 1);
  }
  for (const peer of header.peers) writePeer(out, peer);
  out.u8(SECTION.end);
  return out.finish();
}

type Sections = { -readonly [K in keyof BatchHeader]: BatchHeader[K] } & { peers: PeerHead[] };

function readOperations(input: ByteReader, into: Sections): void {
  into.firstSeqNo = input.varint();
  into.operationTerm = input.varint();
  const count = input.varint();
  if (count * 4 > input.remaining) throw errors.corruption('batch header names more operations than it holds');
  into.checksums = new Uint32Array(count);
  for (let i = 0; i < count; i++) into.checksums[i] = input.u32();
}

function readSection(section: number, input: ByteReader, into: Sections): void {
  switch (section) {
    case SECTION.operations:
      return readOperations(input, into);
    case SECTION.commit:
      into.commit = { generation: input.varint(), checksum: input.u32() };
      return;
    case SECTION.term:
      into.newTerm = input.varint();
      return;
    case SECTION.truncate:
      into.truncatedTo = input.varint() - 1;
      return;
    case SECTION.checkpoints:
      into.checkpoints = { global: input.varint() - 1, local: input.varint() - 1 };
      return;
    case SECTION.peer:
      into.peers.push({
        allocationId: input.string(),
        chainId: new Uint8Array(input.bytes()),
        batch: input.varint(),
        link: new Uint8Array(input.bytes()),
      });
      return;
    default:
      throw errors.corruption(`batch header with an unknown section [${section}]`);
  }
}

/** Decodes a header. Throws corrupt_index_exception. */
export function decodeBatchHeader(content: Uint8Array): BatchHeader {
  const input = new ByteReader(content);
  if (input.u8() !== FORMAT) throw errors.corruption('batch header of an unknown format');
  const header: Sections = {
    previous: new Uint8Array(input.raw(LINK_BYTES)),
    firstSeqNo: 0,
    operationTerm: 0,
    checksums: new Uint32Array(0),
    commit: null,
    newTerm: null,
    truncatedTo: null,
    checkpoints: null,
    peers: [],
  };
  for (let section = input.u8(); section !== SECTION.end; section = input.u8()) readSection(section, input, header);
  return header;
}

/**
 * Link of a batch: SHA-256 of its stored header, cut to 16 bytes. As a header has the previous link, it covers all
 * batches.
 */
export function linkOf(headerValue: Uint8Array): Uint8Array {
  return createHash('sha256').update(headerValue).digest().subarray(0, LINK_BYTES);
}

/** Link before the first batch: zeros. */
export const FIRST_LINK: Uint8Array = new Uint8Array(LINK_BYTES);
