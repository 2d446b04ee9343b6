import { errors } from '@shoal/errors';
import { PRESENCE, type WindowDirectory } from '../columns/window-directory.js';
import { WindowPresence } from '../columns/window-presence.js';
import type { ColumnSummary } from '../columns/window-writer.js';
import { GRAPH_PARTS } from '../graphs/graph-format.js';
import { SealedGraph } from '../graphs/sealed-graph.js';
import type { VectorsMeta } from '../segment-meta.js';
import {
  CHUNK_BYTES_MAX,
  NO_MORE_DOCS,
  type QuantisedRows,
  type VectorColumn,
  type VectorGraph,
  type VectorLayout,
  type VectorRows,
  WINDOW_DOCS,
} from '../segment-reader.js';
import type { PartReader } from '../storage/part-reader.js';
import { CHUNK_PADDING, CHUNK_PAYLOAD_MAX } from '../storage/part-writer.js';
import { vectorRows, vectorStride } from './vector-row.js';

/** Number of rows of `stride` floats in a full chunk. */
export const rowsInChunk = (stride: number): number => Math.floor(CHUNK_PAYLOAD_MAX / (stride * 4));

/** Floats from one row of quantised elements to the next. */
export const quantisedStride = (dims: number): number => Math.ceil(dims / 4);

/** Place of the rows of a field, and parts by name. */
interface RowPlace {
  readonly meta: VectorsMeta;
  readonly part: (name: string) => PartReader;
}

/** Rows of equal size, one after the other in whole chunks of a part. */
class RowChunks {
  readonly #part: PartReader;
  readonly #firstChunk: number;
  readonly #bytes: number;
  readonly #perChunk: number;
  readonly #count: number;

  constructor(part: PartReader, firstChunk: number, stride: number, count: number) {
    this.#part = part;
    this.#firstChunk = firstChunk;
    this.#bytes = stride * 4;
    this.#perChunk = rowsInChunk(stride);
    this.#count = count;
  }

  /** The first `bytes` bytes of a row where the cache has them. */
  row(row: number, bytes: number): Uint8Array {
    const index = Math.floor(row / this.#perChunk);
    const chunk = this.#part.chunk((this.#firstChunk + index) * CHUNK_BYTES_MAX);
    const at = (row - index * this.#perChunk) * this.#bytes;
    if (row >= this.#count || at + this.#bytes > chunk.length - CHUNK_PADDING)
      throw errors.corruption(`part [${this.#part.name}] has no vector of row ${row}`);
    return new Uint8Array(chunk.buffer, chunk.byteOffset + at, bytes);
  }
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
  readonly number: number;
  readonly #presence: WindowPresence;
  readonly #directory: WindowDirectory;
  readonly graphs: readonly VectorGraph[];
  readonly quantised: QuantisedRows | null;
  readonly #part: PartReader;
  readonly #firstChunk: number;
  readonly #rows: RowChunks;
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
    number: number,
    layout: VectorLayout,
    summary: ColumnSummary,
    directory: WindowDirectory,
    columns: PartReader,
    place: RowPlace,
    maxDoc: number,
    keep: (read: () => Int32Array) => Int32Array,
  ) {
    this.number = number;
    this.layout = layout;
    this.docsWithField = summary.docsWithField;
    this.valueCount = summary.valueCount;
    this.#presence = new WindowPresence(directory, columns, maxDoc);
    this.#directory = directory;
    const { meta, part } = place;
    this.#part = part('vectors');
    this.#firstChunk = meta.firstChunk;
    this.#keep = keep;
    this.#stride = vectorStride(layout);
    this.#rows = new RowChunks(this.#part, meta.firstChunk, this.#stride, summary.docsWithField);
    this.graphs = meta.graphs.map((graph) => new SealedGraph(graph, part(GRAPH_PARTS.links)));
    this.quantised = quantisedRows(meta, part, layout, summary.docsWithField);
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

  rowBytes(row: number, bytes: number): Uint8Array {
    return this.#rows.row(row, bytes);
  }

  #read(chunk: number): VectorRows {
    const part = this.#part;
    const firstChunk = this.#firstChunk;
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

function quantisedRows(
  { quantised }: VectorsMeta,
  part: RowPlace['part'],
  { dims }: VectorLayout,
  count: number,
): QuantisedRows | null {
  if (quantised === null) return null;
  const { scale, firstChunk } = quantised;
  const rows = new RowChunks(part(GRAPH_PARTS.quantised), firstChunk, quantisedStride(dims), count);
  return { scale, rowBytes: (row, bytes) => rows.row(row, bytes) };
}
