import { matchesWildcard } from '@shoal/values';
import type { FieldType } from '../field-type.js';
import type { Mapping } from '../mapping-api.js';

const byName = (a: FieldType, b: FieldType): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Returns the fields of a mapping with runtime fields, which hide mapped fields and aliases of their names. */
export function joinRuntime(
  fields: readonly FieldType[],
  runtime: ReadonlyMap<string, FieldType>,
): readonly FieldType[] {
  if (runtime.size === 0) return fields;
  return [...fields.filter(({ name }) => !runtime.has(name)), ...runtime.values()].sort(byName);
}

/** Returns a mapping with further runtime fields, those of a request's `runtime_mappings`. */
export function withRuntimeFields(mapping: Mapping, added: ReadonlyMap<string, FieldType>): Mapping {
  if (added.size === 0) return mapping;
  return {
    ...mapping,
    runtime: new Map([...mapping.runtime, ...added]),
    field: (path) => added.get(path) ?? mapping.field(path),
    matching: (pattern) => [
      ...mapping.matching(pattern).filter(({ name }) => !added.has(name)),
      ...[...added.values()].filter(({ name }) => matchesWildcard(pattern, name)),
    ],
    fields: joinRuntime(mapping.fields, added),
    aliases: new Map([...mapping.aliases].filter(([alias]) => !added.has(alias))),
  };
}
