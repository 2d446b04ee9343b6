import type { Mapping } from '@shoal/mapping';
import type { SegmentReader } from '@shoal/segments';

/** Terms that a field keeps besides its own, under its name and such a suffix. */
const DERIVED = /^(.+)\._(?:index_prefix|[234]gram)$/;

/**
 * Whether what a segment keeps under a name may be seen: it is of a shown field, or of no field but of the index
 * itself.
 */
function isShown(name: string, mapping: Mapping, shows: (path: string) => boolean): boolean {
  if (shows(name)) return true;
  const owner = DERIVED.exec(name)?.[1];
  if (owner !== undefined) return shows(owner);
  return name.startsWith('_') && mapping.field(name) === null;
}

/**
 * A segment in which hidden fields have no terms, columns or points. Queries find no hidden field in the mapping that
 * they are given; this is for those that go by a name alone. `mapping` is the whole one.
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
    ordinals: (field) => (shown(field) ? reader.ordinals(field) : null),
    geo: (field) => (shown(field) ? reader.geo(field) : null),
    binary: (field) => (shown(field) ? reader.binary(field) : null),
    points: (field) => (shown(field) ? reader.points(field) : null),
    geoPoints: (field) => (shown(field) ? reader.geoPoints(field) : null),
    findId: (id) => reader.findId(id),
  };
}
