import type { IndexMetadata } from '@shoal/state';
import { isPlainObject, stringify } from '@shoal/json';
import { runtimeFieldTypes } from './runtime-field-stats.js';

interface TypeCount {
  count: number;
  readonly indices: Set<string>;
}

function countFields(properties: unknown, index: string, counts: Map<string, TypeCount>): void {
  if (!isPlainObject(properties)) return;
  for (const field of Object.values(properties)) {
    if (!isPlainObject(field)) continue;
    const type = typeof field['type'] === 'string' ? field['type'] : 'object';
    const entry = counts.get(type) ?? { count: 0, indices: new Set<string>() };
    entry.count++;
    entry.indices.add(index);
    counts.set(type, entry);
    countFields(field['properties'], index, counts);
    countFields(field['fields'], index, counts);
  }
}

/**
 * `_doc_count`, `_feature`, `_field_names`, `_id`, `_ignored`, `_index`, `_nested_path`, `_routing`, `_seq_no`,
 * `_source`, `_version`.
 */
const METADATA_FIELDS = 11;
/** Memory that 8.12 estimates for a field, in bytes. */
const FIELD_BYTES = 1024;

function fieldsOf({ mapping, uuid }: IndexMetadata): number {
  const counts = new Map<string, TypeCount>();
  countFields(mapping['properties'], uuid, counts);
  const runtime = isPlainObject(mapping['runtime']) ? Object.keys(mapping['runtime']).length : 0;
  const fields = [...counts.values()].reduce((sum, { count }) => sum + count, runtime);
  return fields === 0 ? 0 : fields + METADATA_FIELDS;
}

/**
 * Section `mappings` of a node: number of fields and metadata fields; each index is counted once. An index without
 * fields counts none.
 */
export function nodeMappingStats(indices: readonly IndexMetadata[]): Record<string, number> {
  const count = indices.reduce((sum, meta) => sum + fieldsOf(meta), 0);
  return { total_count: count, total_estimated_overhead_in_bytes: count * FIELD_BYTES };
}

const NO_ANALYSIS = {
  char_filter_types: [],
  tokenizer_types: [],
  filter_types: [],
  analyzer_types: [],
  built_in_char_filters: [],
  built_in_tokenizers: [],
  built_in_filters: [],
  built_in_analyzers: [],
  synonyms: {},
};

/**
 * Sections `mappings` and `analysis` of cluster statistics: number of fields of each type and of indices that have
 * them.
 */
export function mappingStats(indices: readonly IndexMetadata[]): Record<string, unknown> {
  const counts = new Map<string, TypeCount>();
  for (const meta of indices) countFields(meta.mapping['properties'], meta.uuid, counts);
  const types = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { count, indices: used }]) => ({ name, count, index_count: used.size, script_count: 0 }));
  const fields = types.reduce((sum, type) => sum + type.count, 0);
  const size = indices.reduce((sum, meta) => sum + stringify(meta.mapping).length, 0);
  return {
    mappings: {
      total_field_count: fields,
      total_deduplicated_field_count: fields,
      total_deduplicated_mapping_size_in_bytes: size,
      field_types: types,
      runtime_field_types: runtimeFieldTypes(indices),
    },
    analysis: NO_ANALYSIS,
  };
}
