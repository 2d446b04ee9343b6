import { errors } from '@shoal/errors';
import { PRESENCE, type WindowDirectory } from '../columns/window-directory.js';
import { WindowPresence } from '../columns/window-presence.js';
import type { ColumnSummary } from '../columns/window-writer.js';
import {
  CHUNK_BYTES_MAX,
  NO_MORE_DOCS,
  type VectorColumn,
  type VectorLayout,
  type VectorRows,
  WINDOW_DOCS,
} from '../segment-reader.js';
import type { PartReader } from '../storage/part-reader.js';
import { CHUNK_PADDING, CHUNK_PAYLOAD_MAX } from '../storage/part-writer.js';
import { vectorRows, vectorStride } from './vector-row.js';

/** Number of rows of `stride` floats in a full chunk. */
export const rowsInChunk = (stride: number): number => Math.floor(CHUNK_PAYLOAD_MAX / (stride * 4));

/** Place of the rows of a field. */
interface RowPlace {
  readonly part: PartReader;
  readonly firstChunk: number;
}

/**
 * Vectors of a sealed segment. Rows lie one after the other in whole chunks of the part 'vectors', so the chunk of a
 * row follows from its number; it is read where the block cache has it, without a copy.
 */
export class SealedVectorColumn implements VectorColumn {
  readonly layout: VectorLayout;
  readonly docsWithField: number;
  readonly valueCount: number;
  readonly isSingleValued = true;
  readonly #presence: WindowPresence;
  readonly #directory: WindowDirectory;
  readonly #place: RowPlace;
  readonly #keep: (read: () => Int32Array) => Int32Array;
  readonly #stride: number;
  readonly #perChunk: number;
  readonly #hasAll: boolean;
  /** Number of rows before each window. */
  readonly #rowsBefore: Int32Array;
  /** The piece that was read last. No others: the block cache bounds the memory of vectors, not their number. */
  #last: VectorRows | null = null;

  /** `keep` returns the documents of the rows that were read for an earlier reader, or reads them. */
  constructor(
    layout: VectorLayout,
    summary: ColumnSummary,
    directory: WindowDirectory,
    columns: PartReader,
    place: RowPlace,
    maxDoc: number,
    keep: (read: () => Int32Array) => Int32Array,
  ) {
    this.layout = layout;
    this.docsWithField = summary.docsWithField;
    this.valueCount = summary.valueCount;
    this.#presence = new WindowPresence(directory, columns, maxDoc);
    this.#directory = directory;
    this.#place = place;
    this.#keep = keep;
    this.#stride = vectorStride(layout);
    this.#perChunk = rowsInChunk(this.#stride);
    this.#rowsBefore = new Int32Array(directory.windows + 1);
    for (let w = 0; w < directory.windows; w++)
      this.#rowsBefore[w + 1] = this.#rowsBefore[w]! + directory.rowCounts[w]!;
    this.#hasAll = directory.modes.every((mode) => mode === PRESENCE.full);
  }

  nextDocWithField(target: number): number {
    return this.#presence.next(target);
  }

  rowOf(doc: number): number {
    if (this.#hasAll) return doc;
    const w = Math.floor(doc / WINDOW_DOCS);
    return this.#presence.locate(w, doc % WINDOW_DOCS) ? this.#rowsBefore[w]! + this.#presence.from : -1;
  }

  docsOfRows(): Int32Array | null {
    return this.#hasAll ? null : this.#keep(() => this.#readDocs());
  }

  rows(row: number): VectorRows {
    const last = this.#last;
    if (last !== null && row >= last.first && row < last.first + last.count) return last;
    return (this.#last = this.#read(Math.floor(row / this.#perChunk)));
  }

  #read(chunk: number): VectorRows {
    const { part, firstChunk } = this.#place;
    const first = chunk * this.#perChunk;
    const count = Math.min(this.#perChunk, this.docsWithField - first);
    const bytes = part.chunk((firstChunk + chunk) * CHUNK_BYTES_MAX);
    if (count <= 0 || bytes.length < count * this.#stride * 4 + CHUNK_PADDING)
      throw errors.corruption(`part [${part.name}] has no vectors from row ${first} on`);
    return vectorRows(bytes, first, count, this.#stride);
  }

  #readDocs(): Int32Array {
    const docs = new Int32Array(this.docsWithField);
    if (this.#rowsBefore[this.#directory.windows] !== docs.length)
      throw errors.corruption(`a column of ${docs.length} vectors has windows of others`);
    let row = 0;
    for (let doc = this.#presence.next(0); doc !== NO_MORE_DOCS; doc = this.#presence.next(doc + 1)) docs[row++] = doc;
    return docs;
  }
}
