import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteReader, ByteWriter } from '@shoal/codec';

/** Bytes of a writer at first: what is handed on is a little more than a megabyte. */
const WRITER_BYTES = 1280 * 1024;
/** Largest piece that is read back, inflated: states of earlier versions are one. */
const PIECE_BYTES_MAX = 1024 * 1024 * 1024;
/** The last block of a deflated stream (RFC 1951, 3.2.3): of fixed codes, with the end alone. */
const END = Uint8Array.of(3, 0);

const LEVEL = 1;

/**
 * Deflates what `write` writes, about a megabyte at a time, so that models of 100 MB are not in memory a second time.
 * Together the pieces are one stream.
 */
export function packState(write: (out: ByteWriter) => void): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const add = (bytes: Uint8Array): void => {
    pieces.push(deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }));
  };
  const out = new ByteWriter(WRITER_BYTES, add);
  write(out);
  add(out.finish());
  return [...pieces, END];
}

const inflated = (piece: Uint8Array): Uint8Array =>
  inflateRawSync(piece, { maxOutputLength: PIECE_BYTES_MAX, finishFlush: constants.Z_SYNC_FLUSH });

/**
 * Reads a packed state. Each piece is inflated when it is needed, and no longer kept then: only a few are in memory
 * besides the model that is made of them.
 */
export function readPacked(pieces: readonly Uint8Array[]): ByteReader {
  const left = [...pieces].reverse();
  return new ByteReader(new Uint8Array(), () => {
    const piece = left.pop();
    return piece === undefined ? null : inflated(piece);
  });
}

/** Inflates all pieces of a state. */
export const unpackState = (pieces: readonly Uint8Array[]): Uint8Array => Buffer.concat(pieces.map(inflated));
