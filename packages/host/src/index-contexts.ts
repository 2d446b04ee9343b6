import { buildAnalysisRegistry, registryOptions } from '@shoal/analysis';
import { type IndexMetadata, nestedSettings } from '@shoal/state';
import { type Mapping, type MappingOptions, mappingOptions, parseMapping } from '@shoal/mapping';

/** Parsed settings and mapping of an index, shared by its shards. */
export interface IndexContext {
  readonly metadata: IndexMetadata;
  readonly mapping: Mapping;
  readonly mappingOptions: MappingOptions;
}

/** Parsed contexts of the indices of a thread. */
export interface IndexContexts {
  of(index: IndexMetadata): IndexContext;
  /** Drops the contexts of all other indices. */
  retain(uuids: { has(uuid: string): boolean }): void;
}

function optionsOf(index: IndexMetadata, before: IndexContext | undefined): MappingOptions {
  if (before?.metadata.settings === index.settings) return before.mappingOptions;
  const nested = nestedSettings(index.settings) as { index?: { analysis?: Record<string, unknown> } };
  return mappingOptions(
    index.settings,
    buildAnalysisRegistry(nested.index?.analysis ?? {}, registryOptions(index.settings)),
  );
}

/** Creates contexts; parses each version of an index's mapping once for all shards of this thread. */
export function createIndexContexts(): IndexContexts {
  const cache = new Map<string, IndexContext>();
  return {
    of(index) {
      const before = cache.get(index.uuid);
      if (before?.metadata === index) return before;
      const options = optionsOf(index, before);
      const sameMapping = before?.metadata.mapping === index.mapping && before.mappingOptions === options;
      const context = {
        metadata: index,
        mappingOptions: options,
        mapping: sameMapping ? before.mapping : parseMapping(index.mapping, options),
      };
      cache.set(index.uuid, context);
      return context;
    },
    retain(uuids) {
      for (const uuid of cache.keys()) if (!uuids.has(uuid)) cache.delete(uuid);
    },
  };
}
