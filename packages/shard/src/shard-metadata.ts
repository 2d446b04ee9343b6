import type { Mapping, MappingOptions } from '@shoal/mapping';

/** Settings and mapping of the index, parsed once for all its shards on a thread. */
export interface ShardMetadata {
  /**
   * From the metadata of the index. Settings are flat, with the prefix `index.`; values are strings, lists are arrays
   * of strings.
   */
  readonly metadata: {
    readonly name: string;
    readonly uuid: string;
    readonly settings: Readonly<Record<string, string | readonly string[] | null>>;
  };
  readonly mapping: Mapping;
  readonly mappingOptions: MappingOptions;
}
