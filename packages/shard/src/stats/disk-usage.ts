import type { SegmentReader } from '@shoal/segments';
import type { DiskUsage, FieldUsage } from '../shard-api.js';

/** Estimated bytes of one item of each kind, scaled afterwards so that the sum equals the segments' size. */
const BYTES = { term: 8, posting: 2, position: 1.25, value: 2, point: 5, float: 4, byte: 1 } as const;

const nothing = (): FieldUsage => ({
  inverted_index: 0,
  stored_fields: 0,
  doc_values: 0,
  points: 0,
  norms: 0,
  knn_vectors: 0,
});

function addField(reader: SegmentReader, field: string, into: FieldUsage): void {
  const terms = reader.terms(field);
  if (terms)
    into.inverted_index +=
      terms.termCount * BYTES.term +
      terms.sumDocFreq * BYTES.posting +
      (terms.layout.positions ? terms.sumTotalTermFreq * BYTES.position : 0);
  if (reader.norms(field)) into.norms += reader.maxDoc;
  const column = reader.numbers(field) ?? reader.ordinals(field) ?? reader.geo(field) ?? reader.binary(field);
  if (column) into.doc_values += column.docsWithField * BYTES.value;
  const vectors = reader.vectors(field);
  if (vectors) into.knn_vectors += vectors.docsWithField * vectors.layout.dims * BYTES[vectors.layout.element];
  if (reader.layout(field)?.points) into.points += (column?.docsWithField ?? reader.maxDoc) * BYTES.point;
}

function sumOf(fields: ReadonlyMap<string, FieldUsage>): number {
  let sum = 0;
  for (const usage of fields.values())
    sum += usage.inverted_index + usage.doc_values + usage.points + usage.norms + usage.knn_vectors;
  return sum;
}

function scaleUsage(usage: FieldUsage, factor: number): FieldUsage {
  const fit = (bytes: number): number => (bytes === 0 ? 0 : Math.max(1, Math.round(bytes * factor)));
  return {
    inverted_index: fit(usage.inverted_index),
    stored_fields: 0,
    doc_values: fit(usage.doc_values),
    points: fit(usage.points),
    norms: fit(usage.norms),
    knn_vectors: fit(usage.knn_vectors),
  };
}

/**
 * Returns the bytes of each field in sealed segments. A segment stores the blocks of all fields in the same files, so
 * its bytes are divided by the number of terms, postings and values of each field. Documents are in the operation log,
 * not in segments; they count as `_source`.
 */
export function diskUsage(readers: readonly SegmentReader[], storeBytes: number): DiskUsage {
  const rough = new Map<string, FieldUsage>();
  for (const reader of readers) {
    for (const field of reader.fields) {
      const usage = rough.get(field) ?? nothing();
      addField(reader, field, usage);
      rough.set(field, usage);
    }
  }
  const segmentBytes = readers.reduce((sum, reader) => sum + reader.byteSize, 0);
  const factor = segmentBytes / Math.max(1, sumOf(rough));
  const fields = [...rough].map(([name, usage]) => [name, scaleUsage(usage, factor)] as const);
  const source = { ...nothing(), stored_fields: Math.max(0, storeBytes - segmentBytes) };
  return { store: storeBytes, fields: [...fields, ['_source', source] as const].sort(([a], [b]) => (a < b ? -1 : 1)) };
}
