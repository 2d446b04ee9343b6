import { decodePatched, encodePatched, patchedBytesMax } from '@shoal/codec';

/** Documents in one block of points. */
export const POINT_BLOCK = 512;
const RUN = 128;

/** Upper bound of the bytes of one block's documents. */
export const DOC_BLOCK_BYTES_MAX = (POINT_BLOCK / RUN) * patchedBytesMax(RUN);

/**
 * Writes docs[0 … count - 1], ascending and possibly doubled, as differences; `docs` is clobbered. Returns the offset
 * behind.
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

/** Reads what `encodeDocBlock` wrote; numbers are kept below `maxDoc`. Returns the offset behind. */
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

/** Sets the bits of docs[0 … count - 1]. */
export function setDocs(docs: Int32Array, count: number, words: Int32Array): void {
  for (let i = 0; i < count; i++) words[docs[i]! >>> 5]! |= 1 << (docs[i]! & 31);
}
