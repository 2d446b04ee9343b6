/** Terms that are kept; a number shares its place with those that are SLOTS apart. */
const SLOTS = 128;
/** Longer terms are read anew. */
const UNITS_MAX = 64;

/** Bytes that the texts of one field may take. */
export const TERM_TEXTS_BYTES = SLOTS * (UNITS_MAX * 2 + 24);

/**
 * Texts of the terms that answers showed last: buckets of the requests on a field are mostly the same few, and each is
 * read from the middle of a block.
 */
export class TermTexts {
  readonly #ordinals = new Int32Array(SLOTS).fill(-1);
  readonly #texts: string[] = Array.from({ length: SLOTS }, () => '');

  /** The text of `ordinal`, by `read` when it is not kept. */
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
