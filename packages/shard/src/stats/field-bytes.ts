import type { FieldType, Mapping } from '@shoal/mapping';
import type { SegmentReader } from '@shoal/segments';
import type { BoundedCache } from '../engine/searcher-cache.js';

/** Estimated memory of a value and a term of a column, in bytes: exact figures are spread over caches. */
const BYTES_PER_VALUE = 4;
const BYTES_PER_TERM = 8;

function columnBytes(readers: readonly SegmentReader[], field: string): number {
  let bytes = 0;
  for (const reader of readers) {
    const column = reader.ordinals(field);
    if (column)
      bytes += (column.docsWithField + column.valueCount) * BYTES_PER_VALUE + column.ordinalCount * BYTES_PER_TERM;
  }
  return bytes;
}

function sizes(
  readers: readonly SegmentReader[],
  fields: readonly FieldType[],
): readonly (readonly [field: string, bytes: number])[] {
  return fields
    .map((field) => [field.name, columnBytes(readers, field.name)] as const)
    .filter(([, bytes]) => bytes > 0);
}

function total(fields: readonly (readonly [string, number])[]): number {
  return fields.reduce((sum, [, bytes]) => sum + bytes, 0);
}

/**
 * Returns section `fielddata`: text fields that sorts and aggregations may read, and the ordinals that aggregations
 * built over the segments.
 */
export function fielddataStats(
  mapping: Mapping,
  readers: readonly SegmentReader[],
  cache: BoundedCache,
): Record<string, unknown> {
  const fields = mapping.fields
    .filter((field) => field.layout?.column === 'ordinals')
    .map(
      (field) =>
        [
          field.name,
          (field.capabilities.couldUninvert ? columnBytes(readers, field.name) : 0) +
            cache.values.bytesOf(`ordinals/${field.name}/`),
        ] as const,
    )
    .filter(([, bytes]) => bytes > 0);
  return {
    memory_size_in_bytes: total(fields),
    evictions: 0,
    global_ordinals: { build_time_in_millis: 0 },
    ...(fields.length > 0
      ? { fields: Object.fromEntries(fields.map(([name, bytes]) => [name, { memory_size_in_bytes: bytes }])) }
      : {}),
  };
}

/** Returns section `completion`: inputs of the completion suggester. */
export function completionStats(mapping: Mapping, readers: readonly SegmentReader[]): Record<string, unknown> {
  const fields = sizes(
    readers,
    mapping.fields.filter((field) => field.capabilities.completes),
  );
  return {
    size_in_bytes: total(fields),
    ...(fields.length > 0
      ? { fields: Object.fromEntries(fields.map(([name, bytes]) => [name, { size_in_bytes: bytes }])) }
      : {}),
  };
}

/** Returns the number of vectors that searches can compare, as `dense_vector` of stats counts them. */
export function vectorCount(readers: readonly SegmentReader[]): number {
  let count = 0;
  for (const reader of readers)
    for (const field of reader.fields) {
      const vectors = reader.layout(field)?.vectors;
      if (vectors !== undefined && vectors.similarity !== 'none') count += reader.vectors(field)?.docsWithField ?? 0;
    }
  return count;
}
