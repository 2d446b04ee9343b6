import { decodePatched, encodePatched, patchedBytesMax } from '@shoal/codec';

/** Number of documents in one block of points. */
export const POINT_BLOCK = 512;
const RUN = 128;

/** Upper bound of the encoded bytes of the documents of one block. */
export const DOC_BLOCK_BYTES_MAX = (POINT_BLOCK / RUN) * patchedBytesMax(RUN);

/**
 * Encodes docs[0 … count - 1], ascending and possibly with duplicates, as differences; overwrites `docs`. Returns the
 * offset after the encoded bytes.
 */
export function encodeDocBlock(
  docs: Int32Array,
  count: number,
  out: Uint8Array,
  start: number,
  histogram: Int32Array,
): number {
  for (let i = count - 1; i > 0; i--) docs[i]! -= docs[i - 1]!;
  let at = start;
  for (let from = 0; from < count; from += RUN)
    at = encodePatched(docs, from, Math.min(RUN, count - from), out, at, histogram);
  return at;
}

/**
 * Decodes the documents of `encodeDocBlock`; returns the offset after them. Damaged numbers are cut to below `maxDoc`.
 */
export function decodeDocBlock(
  chunk: Uint8Array,
  start: number,
  count: number,
  maxDoc: number,
  out: Int32Array,
): number {
  let at = start;
  for (let from = 0; from < count; from += RUN) at = decodePatched(chunk, at, Math.min(RUN, count - from), out, from);
  let doc = 0;
  for (let i = 0; i < count; i++) {
    doc += out[i]!;
    if (doc < 0 || doc >= maxDoc) doc = maxDoc - 1;
    out[i] = doc;
  }
  return at;
}

/** Sets the bits of the documents docs[0 … count - 1] in `words`. */
export function setDocs(docs: Int32Array, count: number, words: Int32Array): void {
  for (let i = 0; i < count; i++) words[docs[i]! >>> 5]! |= 1 << (docs[i]! & 31);
}
