import type { GraphLimits } from '../merge/merge-columns.js';
import type { SegmentReader } from '../segment-reader.js';

/** Returns whether a field of a segment has as many vectors as get graphs, and none: a merge of it would make them. */
export function lacksGraphs(reader: SegmentReader, { rowsMin }: GraphLimits): boolean {
  return reader.fields.some((field) => {
    const similarity = reader.layout(field)?.vectors?.similarity ?? 'none';
    if (similarity === 'none') return false;
    const column = reader.vectors(field);
    return column !== null && column.docsWithField >= rowsMin && (column.graphs ?? []).length === 0;
  });
}
