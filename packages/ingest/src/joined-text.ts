/** Characters of a block: pieces are joined when they have as many. */
const BLOCK_CHARS = 32 * 1024;

/**
 * A text that is made of many pieces. Added one by one to a string they would be a tree of pieces, of which a text of
 * megabytes has millions: they take 32 bytes each until somebody reads the string, and that reads them all at a
 * stretch.
 */
export class JoinedText {
  readonly #blocks: string[] = [];
  #pieces: string[] = [];
  #chars = 0;

  add(piece: string): void {
    if (piece === '') return;
    this.#pieces.push(piece);
    this.#chars += piece.length;
    if (this.#chars >= BLOCK_CHARS) this.#endBlock();
  }

  /** The whole text. */
  join(): string {
    this.#endBlock();
    return this.#blocks.join('');
  }

  #endBlock(): void {
    this.#blocks.push(this.#pieces.join(''));
    this.#pieces = [];
    this.#chars = 0;
  }
}
