import { compile, compileTokenPredicate } from '@shoal/script';
import { buildAnalysisRegistry, registryOptions } from '@shoal/analysis';
import {
  type Mapping,
  type MappingOptions,
  mappingOptions,
  mergeMappings,
  type ParsedMapping,
  parseMapping,
  SharedMappings,
} from '@shoal/mapping';
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
  /** Returns the parsed mapping of an index, which indices with an equal one share. */
  current(meta: IndexMetadata): ParsedMapping;
  /** Counts the fields of indices. */
  readonly counts: FieldCounts;
}

function analysisSettings(settings: FlatSettings): Readonly<Record<string, unknown>> {
  const chosen = Object.entries(settings).filter(([name]) => name.startsWith('index.analysis.'));
  const nested = nestedSettings(Object.fromEntries(chosen)) as { index?: { analysis?: Record<string, unknown> } };
  return nested.index?.analysis ?? {};
}

const checkScript: NonNullable<MappingOptions['checkScript']> = (script, context) =>
  void compile({ ...script, id: null, params: {}, options: {} }, context);

function buildOptions(settings: Readonly<Record<string, unknown>>): MappingOptions {
  const analysis = buildAnalysisRegistry(analysisSettings(settings as FlatSettings), {
    ...registryOptions(settings),
    predicate: compileTokenPredicate,
  });
  return { ...mappingOptions(settings, analysis), checkScript };
}

/**
 * Parsed mappings of the indices of this thread: those that are equal, and those that the shards, the coordinator and
 * the master of a node with one thread have parsed, are the same objects.
 */
export const sharedMappings = new SharedMappings(buildOptions);

/** Makes the mappings service of a coordinator, which keeps what it was asked for as long as the indices live. */
export function createIndexMappings(): IndexMappings {
  const parsed = new WeakMap<IndexMetadata, ParsedMapping>();
  return mappingsService((meta) => {
    let entry = parsed.get(meta);
    if (entry === undefined) parsed.set(meta, (entry = sharedMappings.parse(meta.mapping, meta.settings)));
    return entry;
  });
}

/** Fields of mappings that a master keeps parsed, 3 KB each: it needs them again only for the next change. */
const MASTER_FIELDS_KEPT = 5_000;

/** Makes the mappings service of a master, which keeps only the mappings that it changed last. */
export function createMasterMappings(): IndexMappings {
  const kept = new Map<ParsedMapping, number>();
  let fields = 0;
  const drop = (entry: ParsedMapping): void => {
    fields -= kept.get(entry) ?? 0;
    kept.delete(entry);
  };
  const service = mappingsService((meta) => {
    const entry = sharedMappings.parse(meta.mapping, meta.settings);
    drop(entry);
    const count = service.counts.of(meta);
    kept.set(entry, count);
    fields += count;
    for (const oldest of kept.keys()) {
      if (fields <= MASTER_FIELDS_KEPT || oldest === entry) break;
      drop(oldest);
    }
    return entry;
  });
  return service;
}

function mappingsService(current: IndexMappings['current']): IndexMappings {
  return {
    counts: new FieldCounts(),
    options: (settings) => sharedMappings.options(settings),
    parse: (json, options) => parseMapping(json, options),
    merge: (mapping, update, options, reason) => mergeMappings(mapping, update, options, reason),
    current,
  };
}
