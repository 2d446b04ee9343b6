import type { SegmentView } from '@shoal/query';

/**
 * Returns for each document of a segment how many documents it stands for (`_doc_count`); null if each stands for one.
 */
export function docCounts(view: SegmentView): Int32Array | null {
  const column = view.reader.numbers('_doc_count');
  if (!column) return null;
  const counts = new Int32Array(view.maxDoc).fill(1);
  const values = new Float64Array(view.maxDoc);
  column.readRange(0, view.maxDoc, values);
  for (let doc = 0; doc < counts.length; doc++) if (values[doc]! >= 1) counts[doc] = values[doc]!;
  return counts;
}
