import { createHash } from 'node:crypto';
import { ByteReader, ByteWriter } from '@shoal/codec';
import { errors } from '@shoal/errors';

/** Bytes of SHA-256 that link one batch to the next. */
export const LINK_BYTES = 16;
const FORMAT = 1;

const SECTION = { end: 0, operations: 1, commit: 2 } as const;

/** What one batch wrote and removed: the record that makes losing any of it visible. */
export interface BatchHeader {
  /** Link of the batch before. */
  readonly previous: Uint8Array;
  /** Number of the first operation in the batch; the others follow without a gap. */
  readonly firstSeqNo: number;
  /** Checksums of the operations, in order. */
  readonly checksums: Uint32Array;
  /** The commit point that the batch wrote. */
  readonly commit: { readonly generation: number; readonly checksum: number } | null;
}

/** Content of a header, without its checksum. */
export function encodeBatchHeader(header: BatchHeader): Uint8Array {
  const out = new ByteWriter(64 + header.checksums.length * 4);
  out.u8(FORMAT);
  out.raw(header.previous);
  if (header.checksums.length > 0) {
    out.u8(SECTION.operations);
    out.varint(header.firstSeqNo);
    out.varint(header.checksums.length);
    for (let i = 0; i < header.checksums.length; i++) out.u32(header.checksums[i]!);
  }
  if (header.commit) {
    out.u8(SECTION.commit);
    out.varint(header.commit.generation);
    out.u32(header.commit.checksum);
  }
  out.u8(SECTION.end);
  return out.finish();
}

function readChecksums(input: ByteReader): Uint32Array {
  const count = input.varint();
  if (count * 4 > input.remaining) throw errors.corruption('batch header names more operations than it holds');
  const checksums = new Uint32Array(count);
  for (let i = 0; i < count; i++) checksums[i] = input.u32();
  return checksums;
}

export function decodeBatchHeader(content: Uint8Array): BatchHeader {
  const input = new ByteReader(content);
  if (input.u8() !== FORMAT) throw errors.corruption('batch header of an unknown format');
  const previous = input.raw(LINK_BYTES).slice();
  let firstSeqNo = 0;
  let checksums = new Uint32Array(0);
  let commit: BatchHeader['commit'] = null;
  for (let section = input.u8(); section !== SECTION.end; section = input.u8()) {
    if (section === SECTION.operations) {
      firstSeqNo = input.varint();
      checksums = readChecksums(input) as Uint32Array<ArrayBuffer>;
    } else if (section === SECTION.commit) commit = { generation: input.varint(), checksum: input.u32() };
    else throw errors.corruption(`batch header with an unknown section [${section}]`);
  }
  return { previous, firstSeqNo, checksums, commit };
}

/** The link of a batch: SHA-256 of its header as stored, cut to 16 bytes. It covers all batches before it. */
export function linkOf(headerValue: Uint8Array): Uint8Array {
  return createHash('sha256').update(headerValue).digest().subarray(0, LINK_BYTES);
}

/** The link before the first batch. */
export const FIRST_LINK: Uint8Array = new Uint8Array(LINK_BYTES);
