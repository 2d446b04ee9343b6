import { type AccessLimits, fieldFilter, restrictMappingJson } from '@shoal/mapping';
import type { SearchTarget } from './search-targets.js';

const ALL_FIELDS = (): boolean => true;

/** Makes the test for fields that the caller may see. */
export function visibleFields(limits: AccessLimits | null): (path: string) => boolean {
  return fieldFilter(limits) ?? ALL_FIELDS;
}

/** Returns the mapping of an index without the fields that the caller may not see. */
export function visibleMapping({ index, limits }: SearchTarget): Readonly<Record<string, unknown>> {
  const shows = fieldFilter(limits);
  return shows === null ? index.mapping : restrictMappingJson(index.mapping, shows);
}
