/** Largest byte of a quantised element. */
const LARGEST = 127;

/**
 * Returns the factor of bytes that holds the given share of the elements, those nearest to zero; the others are cut
 * off. Sorts `elements`, their absolute values.
 */
export function quantisationScale(elements: Float32Array, confidence: number): number {
  elements.sort();
  const last = Math.min(elements.length - 1, Math.ceil(elements.length * confidence) - 1);
  const largest = elements[Math.max(0, last)] ?? 0;
  return largest > 0 && Number.isFinite(largest) ? largest / LARGEST : 1;
}

/** Writes floats as bytes: the nearest multiple of `scale` that a byte can hold. */
export function quantise(floats: Float32Array, dims: number, scale: number, into: Int8Array): void {
  for (let i = 0; i < dims; i++) into[i] = Math.max(-LARGEST, Math.min(LARGEST, Math.round(floats[i]! / scale)));
}
