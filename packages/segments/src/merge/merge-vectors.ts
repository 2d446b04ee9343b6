import { numberPlane, WindowWriter } from '../columns/window-writer.js';
import { CHUNK_BYTES_MAX, type FieldLayout, type VectorColumn } from '../segment-reader.js';
import { vectorsOf } from '../vectors/bare-vectors.js';
import { type ColumnMerge, eachWindow, endColumn, type MergedColumn } from './merge-columns.js';
import { mergeGraphs, type RowOrigins } from './merge-graphs.js';

/** Bytes of vectors whose copy counts as one unit of work. */
const UNIT_BYTES = 16;

/**
 * Merges a column of vectors: rows one after the other from the start of a chunk on, and which documents have one. The
 * column's own values are all zero, which takes no bytes. Large columns get graphs besides.
 */
export async function mergeVectors(merge: ColumnMerge, layout: FieldLayout): Promise<MergedColumn> {
  const writer = new WindowWriter(merge.output.part('columns'), merge.maxDoc, merge.encoder, [numberPlane], false);
  const part = merge.output.part('vectors');
  part.cut();
  const firstChunk = part.end / CHUNK_BYTES_MAX;
  const columns = merge.inputs.map(({ reader }) => vectorsOf(reader, layout));
  const origins = originsOf(columns);
  await eachWindow(merge, (input, i, docs, count) => {
    const column = columns[i];
    if (!column) return 0;
    let copied = 0;
    for (let k = 0; k < count; k++) {
      const row = column.rowOf(docs[k]!);
      if (row < 0) continue;
      const rows = column.rows(row);
      const bytes = rows.stride * 4;
      part.append(
        new Uint8Array(rows.bytes.buffer, rows.bytes.byteOffset + (row - rows.first) * bytes, bytes),
        0,
        bytes,
      );
      origins.column[origins.count] = i;
      origins.row[origins.count++] = row;
      writer.add(input.docMap[docs[k]!]!, 0);
      copied += bytes;
    }
    return count + copied / UNIT_BYTES;
  });
  const column = endColumn(merge, writer);
  return { column, points: null, vectors: { firstChunk, ...(await mergeGraphs(merge, layout.vectors!, origins)) } };
}

function originsOf(columns: readonly (VectorColumn | null)[]): RowOrigins {
  const rows = columns.reduce((sum, column) => sum + (column?.docsWithField ?? 0), 0);
  return { columns, column: new Uint16Array(rows), row: new Int32Array(rows), count: 0 };
}
