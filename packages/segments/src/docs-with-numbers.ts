import type { SegmentReader } from './segment-reader.js';

/** Number of documents with numbers of a field; a reader that does not know it opens the column. */
export const docsWithNumbers = (reader: SegmentReader, field: string): number =>
  reader.docsWithNumbers === undefined ? (reader.numbers(field)?.docsWithField ?? 0) : reader.docsWithNumbers(field);
