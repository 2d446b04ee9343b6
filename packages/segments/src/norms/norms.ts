import { ByteReader, ByteWriter } from '@shoal/codec';
import { CHUNK_BYTES_MAX, type NormsReader, WINDOW_DOCS } from '../segment-reader.js';
import type { PartReader } from '../storage/part-reader.js';
import type { SegmentOutput, StreamLocation } from '../storage/part-writer.js';
import { encodeNumbers, type NumberEncoder } from '../values/encode-number-block.js';
import { decodeInts, loadNumberBlock, numberBlock } from '../values/number-block.kernel.js';

/** Writes the norm of each document in number blocks of WINDOW_DOCS; returns the encoded addresses of the blocks. */
export function writeNorms(
  output: SegmentOutput,
  norms: Uint8Array,
  maxDoc: number,
  encoder: NumberEncoder,
): StreamLocation {
  const part = output.part('norms');
  const addresses = new ByteWriter();
  const values = new Float64Array(WINDOW_DOCS);
  let last = 0;
  for (let from = 0; from < maxDoc; from += WINDOW_DOCS) {
    const count = Math.min(WINDOW_DOCS, maxDoc - from);
    for (let i = 0; i < count; i++) values[i] = norms[from + i]!;
    const address = part.append(encoder.out, 0, encodeNumbers(encoder, values, count));
    addresses.varint(address - last);
    last = address;
  }
  return output.part('index').appendStream(addresses.finish());
}

/** Reads all norms of a field into memory, one byte for each document. */
export function readNorms(part: PartReader, addresses: Uint8Array, maxDoc: number): Uint8Array {
  const input = new ByteReader(addresses);
  const block = numberBlock();
  const values = new Int32Array(WINDOW_DOCS);
  const norms = new Uint8Array(maxDoc);
  let address = 0;
  for (let from = 0; from < maxDoc; from += WINDOW_DOCS) {
    const count = Math.min(WINDOW_DOCS, maxDoc - from);
    address += input.varint();
    const chunk = part.chunk(address);
    loadNumberBlock(chunk, address % CHUNK_BYTES_MAX, count, block);
    decodeInts(chunk, block, values, 0);
    for (let i = 0; i < count; i++) norms[from + i] = values[i]!;
  }
  return norms;
}

/** A `NormsReader` over norms in memory. */
export function normsReader(bytes: Uint8Array): NormsReader {
  return {
    bytes,
    get: (doc) => bytes[doc]!,
    read: (docs, count, out) => {
      for (let i = 0; i < count; i++) out[i] = bytes[docs[i]!]!;
    },
  };
}
