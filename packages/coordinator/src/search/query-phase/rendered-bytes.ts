/** A view besides the bytes that it shows. */
const VIEW_BYTES = 100;

/** What rendered hits take, which are views of a message. */
export function renderedBytes(hits: readonly Uint8Array[]): number {
  let bytes = hits.length * VIEW_BYTES;
  for (const hit of hits) bytes += hit.length;
  return bytes;
}
