import { errors } from '@shoal/errors';
import {
  type BinaryColumn,
  type FieldLayout,
  NO_MORE_DOCS,
  type SegmentReader,
  type VectorColumn,
  type VectorLayout,
  type VectorRows,
} from '../segment-reader.js';
import { encodeVector, vectorRows, vectorStride } from './vector-row.js';

/**
 * Returns the vectors of a field. Format 1 has them as byte strings without their lengths: such a column is read as
 * `layout` has it now, one row after the other.
 */
export function vectorsOf(
  reader: Pick<SegmentReader, 'vectors' | 'binary'>,
  { name, vectors }: FieldLayout,
): VectorColumn | null {
  const column = reader.vectors(name);
  if (column !== null || vectors === undefined) return column;
  const binary = reader.binary(name);
  return binary === null ? null : new BareVectors(binary, vectors);
}

class BareVectors implements VectorColumn {
  readonly layout: VectorLayout;
  readonly docsWithField: number;
  readonly valueCount: number;
  readonly isSingleValued = true;
  readonly #column: BinaryColumn;
  readonly #docs: Int32Array;

  constructor(column: BinaryColumn, layout: VectorLayout) {
    this.layout = layout;
    this.docsWithField = column.docsWithField;
    this.valueCount = column.valueCount;
    this.#column = column;
    this.#docs = new Int32Array(column.docsWithField);
    let row = 0;
    for (let doc = column.nextDocWithField(0); doc !== NO_MORE_DOCS; doc = column.nextDocWithField(doc + 1))
      this.#docs[row++] = doc;
  }

  nextDocWithField(target: number): number {
    return this.#column.nextDocWithField(target);
  }

  rowOf(doc: number): number {
    let low = 0;
    let high = this.#docs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#docs[middle]! < doc) low = middle + 1;
      else high = middle;
    }
    return this.#docs[low] === doc ? low : -1;
  }

  docsOfRows(): Int32Array {
    return this.#docs;
  }

  rows(row: number): VectorRows {
    const bytes = this.#column.get(this.#docs[row]!);
    const { dims, element } = this.layout;
    if (bytes?.length !== dims * (element === 'float' ? 4 : 1))
      throw errors.corruption(`a vector of ${dims} dimensions has ${bytes?.length ?? 0} bytes`);
    const copy = bytes.slice();
    const values = element === 'float' ? new Float32Array(copy.buffer) : new Int8Array(copy.buffer);
    return vectorRows(encodeVector(values, this.layout), row, 1, vectorStride(this.layout));
  }
}
