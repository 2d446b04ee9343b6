import { buildAnalysisRegistry, registryOptions } from '@shoal/analysis';
import { type Mapping, type MappingOptions, mappingOptions, mergeMappings, parseMapping } from '@shoal/mapping';
import { type FlatSettings, nestedSettings, type IndexMetadata } from '@shoal/state';
import { FieldCounts } from './field-limit.js';

/** Source of a mapping update: a request, a document, or a template. */
export type MergeReason = 'update' | 'dynamic' | 'template';

/** Parsing and merging of mappings, as tasks use them. */
export interface IndexMappings {
  /** Makes the options of mappings from index settings. Throws if an analyzer cannot be built. */
  options(settings: FlatSettings): MappingOptions;
  parse(json: Readonly<Record<string, unknown>>, options: MappingOptions): Mapping;
  merge(
    current: Mapping,
    update: Readonly<Record<string, unknown>>,
    options: MappingOptions,
    reason: MergeReason,
  ): Mapping;
  /** Returns the parsed mapping of an index. Cached while the metadata stays the same object. */
  current(meta: IndexMetadata): { mapping: Mapping; options: MappingOptions };
  /** Counts the fields of indices. */
  readonly counts: FieldCounts;
}

function analysisSettings(settings: FlatSettings): Readonly<Record<string, unknown>> {
  const chosen = Object.entries(settings).filter(([name]) => name.startsWith('index.analysis.'));
  const nested = nestedSettings(Object.fromEntries(chosen)) as { index?: { analysis?: Record<string, unknown> } };
  return nested.index?.analysis ?? {};
}

function buildOptions(settings: FlatSettings): MappingOptions {
  return mappingOptions(settings, buildAnalysisRegistry(analysisSettings(settings), registryOptions(settings)));
}

/** Makes the mappings service, with a cache of parsed mappings. */
export function createIndexMappings(): IndexMappings {
  const parsed = new WeakMap<IndexMetadata, { mapping: Mapping; options: MappingOptions }>();
  return {
    counts: new FieldCounts(),
    options: buildOptions,
    parse: (json, options) => parseMapping(json, options),
    merge: (current, update, options, reason) => mergeMappings(current, update, options, reason),
    current(meta) {
      const known = parsed.get(meta);
      if (known) return known;
      const options = buildOptions(meta.settings);
      const entry = { mapping: parseMapping(meta.mapping, options), options };
      parsed.set(meta, entry);
      return entry;
    },
  };
}
