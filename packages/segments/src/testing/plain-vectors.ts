import {
  type FieldLayout,
  NO_MORE_DOCS,
  type SegmentReader,
  type VectorColumn,
  type VectorLayout,
} from '../segment-reader.js';
import type { MergeInput } from '../merge/merge-input.js';
import { encodeVector, vectorRows, vectorStride } from '../vectors/vector-row.js';

/** Returns the layout of a field `v` of vectors. */
export const layoutOf = (vectors: VectorLayout): FieldLayout => ({
  name: 'v',
  terms: null,
  column: 'vectors',
  points: false,
  vectors,
});

/** A segment with nothing but these vectors; null for a document without one. */
export function plainVectors(layout: VectorLayout, vectors: readonly (readonly number[] | null)[]): MergeInput {
  const docs = vectors.flatMap((vector, doc) => (vector === null ? [] : [doc]));
  const stride = vectorStride(layout);
  const column: VectorColumn = {
    layout,
    isSingleValued: true,
    docsWithField: docs.length,
    valueCount: docs.length,
    nextDocWithField: (target) => docs.find((doc) => doc >= target) ?? NO_MORE_DOCS,
    rowOf: (doc) => docs.indexOf(doc),
    docsOfRows: () => Int32Array.from(docs),
    rows: (row) => vectorRows(encodeVector(vectors[docs[row]!]!, layout), row, 1, stride),
  };
  return {
    reader: readerOf(vectors.length, { vectors: () => column }, layoutOf(layout)),
    live: null,
    maxDoc: vectors.length,
  };
}

/** Returns a reader of a field `v` alone. */
export function readerOf(maxDoc: number, columns: Partial<SegmentReader>, layout: FieldLayout): SegmentReader {
  const none = (): null => null;
  return {
    id: 'plain',
    maxDoc,
    byteSize: 0,
    fields: ['v'],
    layout: () => layout,
    terms: none,
    norms: none,
    numbers: none,
    ordinals: none,
    geo: none,
    binary: none,
    vectors: none,
    points: none,
    geoPoints: none,
    roots: null,
    findId: () => [],
    ...columns,
  };
}
