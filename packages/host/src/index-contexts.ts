import { sharedMappings } from '@shoal/cluster';
import type { Mapping, MappingOptions, ParsedMapping } from '@shoal/mapping';
import type { IndexMetadata } from '@shoal/state';

/** Parsed settings and mapping of an index, shared by its shards. */
export interface IndexContext {
  readonly metadata: IndexMetadata;
  readonly mapping: Mapping;
  readonly mappingOptions: MappingOptions;
}

/** Parsed contexts of the indices of a thread. */
export interface IndexContexts {
  of(index: IndexMetadata): IndexContext;
  /** Drops the contexts of deleted indices. */
  drop(uuids: Iterable<string>): void;
}

/** Context that parses the mapping on first use: most of many indices are idle when their mapping changes. */
class LazyContext implements IndexContext {
  readonly metadata: IndexMetadata;
  #parsed: ParsedMapping | null = null;

  constructor(metadata: IndexMetadata) {
    this.metadata = metadata;
  }

  get mapping(): Mapping {
    return this.#parse().mapping;
  }

  get mappingOptions(): MappingOptions {
    return this.#parse().options;
  }

  #parse(): ParsedMapping {
    return (this.#parsed ??= sharedMappings.parse(this.metadata.mapping, this.metadata.settings));
  }
}

/** Creates contexts, one for all shards of an index on this thread. */
export function createIndexContexts(): IndexContexts {
  const cache = new Map<string, IndexContext>();
  return {
    of(index) {
      const before = cache.get(index.uuid);
      if (before?.metadata === index) return before;
      const context = new LazyContext(index);
      cache.set(index.uuid, context);
      return context;
    },
    drop(uuids) {
      for (const uuid of uuids) cache.delete(uuid);
    },
  };
}
