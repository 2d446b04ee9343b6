import { errors } from '@shoal/errors';
import type { Mapping } from '@shoal/mapping';
import type { FlatSettings } from '@shoal/state';

/** Returns a list setting of index sorting: `field`, `order`, `mode` or `missing`; empty if it is not set. */
export function sortList(settings: FlatSettings, name: string): readonly string[] {
  const value = settings[`index.sort.${name}`];
  if (typeof value === 'string') return value === '' ? [] : value.split(',').map((name) => name.trim());
  return value ?? [];
}

/** Whether an index is sorted. */
export const isSorted = (settings: FlatSettings): boolean => sortList(settings, 'field').length > 0;

/** Throws if an index would be sorted and have nested objects: sorting would tear these from their root documents. */
export function refuseNestedSort(settings: FlatSettings, mapping: Mapping): void {
  if (mapping.hasNested && isSorted(settings))
    throw errors.illegalArgument('cannot have nested fields when index sort is activated');
}
