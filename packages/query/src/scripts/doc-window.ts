/** Distance of two documents up to which those behind the second are read ahead. */
const NEAR = 8;
/** Documents that are read at once. */
const AHEAD = 512;

/**
 * The documents that a script has its fields of, for a host that goes from one to the next: columns are read for many
 * at once as long as the documents lie close together.
 */
export class DocWindow {
  readonly docs = new Int32Array(AHEAD);
  readonly #maxDoc: number;
  #first = 0;
  #last = -NEAR - 1;
  count = 0;
  /** Whether the last `placeOf` has moved the window: its documents have to be read. */
  isNew = false;

  constructor(maxDoc: number) {
    this.#maxDoc = maxDoc;
  }

  /** Returns the place of a document in the window, which may move. */
  placeOf(doc: number): number {
    const at = doc - this.#first;
    const gap = doc - this.#last;
    this.#last = doc;
    this.isNew = at < 0 || at >= this.count;
    if (!this.isNew) return at;
    this.#first = doc;
    this.count = gap > 0 && gap <= NEAR ? Math.min(AHEAD, this.#maxDoc - doc) : 1;
    for (let i = 0; i < this.count; i++) this.docs[i] = doc + i;
    return 0;
  }
}
