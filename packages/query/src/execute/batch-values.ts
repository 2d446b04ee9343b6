import { type NumberColumn, WINDOW_DOCS } from '@shoal/segments';

/** Values of one column for the current batch of documents. */
interface ColumnValues {
  /** Null: not read yet for this batch. */
  column: NumberColumn | null;
  readonly values: Float64Array;
}

/** Returns whether ascending documents without repeats are consecutive numbers. */
function isRun(docs: Int32Array, count: number): boolean {
  return docs[count - 1]! - docs[0]! === count - 1;
}

/**
 * Column values of the batch of documents that a search collects at the moment, shared by its aggregations and filters.
 * They mostly read the same few columns. The first read of scattered documents costs as much as everything else done
 * with the values.
 */
export class BatchValues {
  readonly #columns: ColumnValues[] = [];
  readonly #room: () => Float64Array;
  #docs: Int32Array | null = null;
  #count = 0;

  /** `room` returns an array of WINDOW_DOCS numbers whose content does not matter. */
  constructor(room: () => Float64Array) {
    this.#room = room;
  }

  /**
   * Starts a batch: `count` ascending documents of a segment without repeats. The caller must not change `docs` until
   * `end`.
   */
  begin(docs: Int32Array, count: number): void {
    for (const one of this.#columns) one.column = null;
    this.#docs = count > 0 && count <= WINDOW_DOCS ? docs : null;
    this.#count = count;
  }

  end(): void {
    this.#docs = null;
  }

  /**
   * Returns the first value of each document of the batch in `column`, NaN where a document has none. The caller must
   * not write to the array. Returns null if `docs` is not the current batch.
   */
  of(column: NumberColumn, docs: Int32Array, count: number): Float64Array | null {
    if (docs !== this.#docs || count !== this.#count) return null;
    for (const one of this.#columns) if (one.column === column) return one.values;
    const own = this.#free();
    if (isRun(docs, count)) column.readRange(docs[0]!, docs[0]! + count, own.values);
    else column.read(docs, count, own.values);
    own.column = column;
    return own.values;
  }

  #free(): ColumnValues {
    for (const one of this.#columns) if (one.column === null) return one;
    const entry: ColumnValues = { column: null, values: this.#room() };
    this.#columns.push(entry);
    return entry;
  }
}
