import type { Mapping } from '@shoal/mapping';
import { docsWithNumbers, type SegmentReader } from '@shoal/segments';

/** Names of fields that are derived from a field, with these suffixes. */
const DERIVED = /^(.+)\._(?:index_prefix|[234]gram|nanos|cells)$/;

/**
 * Returns whether the terms and columns under a name may be seen: they belong to a visible field, or to the index
 * itself instead of a field.
 */
function isShown(name: string, mapping: Mapping, shows: (path: string) => boolean): boolean {
  if (shows(name)) return true;
  const owner = DERIVED.exec(name)?.[1];
  if (owner !== undefined) return shows(owner);
  return name.startsWith('_') && mapping.field(name) === null;
}

/**
 * Returns a reader in which hidden fields have no terms, columns or points. Queries cannot find hidden fields in the
 * mapping that they get; this covers queries that go by name alone. `mapping` is the whole mapping.
 */
export function restrictReader(
  reader: SegmentReader,
  mapping: Mapping,
  shows: (path: string) => boolean,
): SegmentReader {
  const shown = (field: string): boolean => isShown(field, mapping, shows);
  return {
    id: reader.id,
    maxDoc: reader.maxDoc,
    byteSize: reader.byteSize,
    fields: reader.fields.filter(shown),
    roots: reader.roots,
    layout: (field) => (shown(field) ? reader.layout(field) : null),
    terms: (field) => (shown(field) ? reader.terms(field) : null),
    norms: (field) => (shown(field) ? reader.norms(field) : null),
    numbers: (field) => (shown(field) ? reader.numbers(field) : null),
    docsWithNumbers: (field) => (shown(field) ? docsWithNumbers(reader, field) : 0),
    ordinals: (field) => (shown(field) ? reader.ordinals(field) : null),
    geo: (field) => (shown(field) ? reader.geo(field) : null),
    binary: (field) => (shown(field) ? reader.binary(field) : null),
    vectors: (field) => (shown(field) ? reader.vectors(field) : null),
    points: (field) => (shown(field) ? reader.points(field) : null),
    geoPoints: (field) => (shown(field) ? reader.geoPoints(field) : null),
    findId: (id) => reader.findId(id),
  };
}
