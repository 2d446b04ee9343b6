import { type NumberColumn, WINDOW_DOCS } from '@shoal/segments';

/** Values of the batch at hand in one column. */
interface ColumnValues {
  /** Null: not read yet for this batch. */
  column: NumberColumn | null;
  readonly values: Float64Array;
}

/** Whether ascending documents without repeats are a run without holes. */
function isRun(docs: Int32Array, count: number): boolean {
  return docs[count - 1]! - docs[0]! === count - 1;
}

/**
 * Numbers of the documents that a request collects at the moment: aggregations and filters beside each other mostly
 * look at the same few columns, and the first look at scattered documents costs as much as all else done with them.
 */
export class BatchValues {
  readonly #columns: ColumnValues[] = [];
  readonly #room: () => Float64Array;
  #docs: Int32Array | null = null;
  #count = 0;

  /** `room` gives arrays of WINDOW_DOCS numbers, which hold anything. */
  constructor(room: () => Float64Array) {
    this.#room = room;
  }

  /** `count` ascending documents of a segment, none of them twice, which stay as they are until `end`. */
  begin(docs: Int32Array, count: number): void {
    for (const one of this.#columns) one.column = null;
    this.#docs = count > 0 && count <= WINDOW_DOCS ? docs : null;
    this.#count = count;
  }

  end(): void {
    this.#docs = null;
  }

  /**
   * First value of each of the batch's documents in `column`, NaN for none; not to be written to. Null for other
   * documents.
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
