import type { SegmentView } from '@shoal/query';

/** Documents that each document of a segment stands for (`_doc_count`); null when each stands for itself. */
export function docCounts(view: SegmentView): Int32Array | null {
  const column = view.reader.numbers('_doc_count');
  if (!column) return null;
  const counts = new Int32Array(view.maxDoc).fill(1);
  const values = new Float64Array(view.maxDoc);
  column.readRange(0, view.maxDoc, values);
  for (let doc = 0; doc < counts.length; doc++) if (values[doc]! >= 1) counts[doc] = values[doc]!;
  return counts;
}
