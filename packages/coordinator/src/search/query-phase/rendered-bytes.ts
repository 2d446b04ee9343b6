/** Estimated memory of a view, besides its bytes. */
const VIEW_BYTES = 100;

/** Estimates the memory of rendered hits, which are views of a message. */
export function renderedBytes(hits: readonly Uint8Array[]): number {
  let bytes = hits.length * VIEW_BYTES;
  for (const hit of hits) bytes += hit.length;
  return bytes;
}
