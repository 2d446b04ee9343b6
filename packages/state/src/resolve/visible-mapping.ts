import { type AccessLimits, fieldFilter, restrictMappingJson } from '@shoal/mapping';
import type { SearchTarget } from './search-targets.js';

const ALL_FIELDS = (): boolean => true;

/** Which fields of an index limits let be seen. */
export function visibleFields(limits: AccessLimits | null): (path: string) => boolean {
  return fieldFilter(limits) ?? ALL_FIELDS;
}

/** The mapping of an index as far as the caller may see its fields. */
export function visibleMapping({ index, limits }: SearchTarget): Readonly<Record<string, unknown>> {
  const shows = fieldFilter(limits);
  return shows === null ? index.mapping : restrictMappingJson(index.mapping, shows);
}
