import { type VectorColumn, type VectorLayout, type VectorRows, vectorRows, vectorStride } from '@shoal/segments';
import {
  appendRow,
  type DocumentRows,
  docOfRow,
  documentRows,
  nextRowDoc,
  rowFrom,
  rowsBelow,
  rowsBytes,
} from './document-rows.js';

/** Bytes of a full piece of rows. */
const PIECE_BYTES = 64 * 1024;

/** Vectors of a field, one a document, in pieces of equal size. */
export interface VectorStore {
  readonly layout: VectorLayout;
  readonly rows: DocumentRows;
  readonly rowBytes: number;
  readonly perPiece: number;
  readonly pieces: Uint8Array[];
}

/** Returns a store without vectors. */
export function vectorStore(layout: VectorLayout): VectorStore {
  const rowBytes = vectorStride(layout) * Float32Array.BYTES_PER_ELEMENT;
  return {
    layout,
    rows: documentRows(),
    rowBytes,
    perPiece: Math.max(1, Math.floor(PIECE_BYTES / rowBytes)),
    pieces: [],
  };
}

/** Adds the row of a document. */
export function addVector(store: VectorStore, doc: number, row: Uint8Array): void {
  const { rows, rowBytes, perPiece, pieces } = store;
  const at = rows.rowCount % perPiece;
  if (at === 0) pieces.push(new Uint8Array(perPiece * rowBytes));
  pieces.at(-1)!.set(row, at * rowBytes);
  appendRow(rows, doc, 1);
}

/** Returns the memory of a store in bytes. */
export const vectorStoreBytes = ({ rows, pieces, perPiece, rowBytes }: VectorStore): number =>
  rowsBytes(rows) + pieces.length * perPiece * rowBytes;

/** Returns the vectors of the documents below `limit`. */
export function bufferVectors(store: VectorStore, limit: number): VectorColumn {
  const rows = rowsBelow(store.rows, limit);
  const stride = store.rowBytes / Float32Array.BYTES_PER_ELEMENT;
  const pieceOf = (row: number): VectorRows => {
    const piece = Math.floor(row / store.perPiece);
    const first = piece * store.perPiece;
    return vectorRows(store.pieces[piece]!, first, Math.min(store.perPiece, rows.rowCount - first), stride);
  };
  let last: VectorRows | null = null;
  return {
    layout: store.layout,
    isSingleValued: true,
    docsWithField: rows.rowCount,
    valueCount: rows.rowCount,
    nextDocWithField: (target) => nextRowDoc(rows, target),
    rowOf: (doc) => {
      const row = rowFrom(rows, doc, 0);
      return row < rows.rowCount && docOfRow(rows, row) === doc ? row : -1;
    },
    docsOfRows: () => rows.docs,
    rows: (row) => {
      if (last === null || row < last.first || row >= last.first + last.count) last = pieceOf(row);
      return last;
    },
  };
}
