/** Number of cached terms. Ordinals that are equal modulo SLOTS share a slot. */
const SLOTS = 128;
/** Limit for the length of a cached term, in UTF-16 units. */
const UNITS_MAX = 64;

/** Bytes that the texts of one field may take. */
export const TERM_TEXTS_BYTES = SLOTS * (UNITS_MAX * 2 + 24);

/**
 * Cache of the texts of terms that answers showed last. Requests on a field mostly show the same few buckets, and
 * reading a term decodes half a block on average.
 */
export class TermTexts {
  readonly #ordinals = new Int32Array(SLOTS).fill(-1);
  readonly #texts: string[] = Array.from({ length: SLOTS }, () => '');

  /** Returns the text of `ordinal`, from `read` if it is not cached. */
  text(ordinal: number, read: (ordinal: number) => string): string {
    const slot = ordinal & (SLOTS - 1);
    if (this.#ordinals[slot] === ordinal) return this.#texts[slot]!;
    const text = read(ordinal);
    if (text.length > UNITS_MAX) return text;
    this.#ordinals[slot] = ordinal;
    this.#texts[slot] = text;
    return text;
  }
}
