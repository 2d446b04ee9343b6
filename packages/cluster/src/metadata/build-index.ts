import { INDEX_VERSION, isSeriesMode, SERIES_ROUTING } from '@shoal/values';
import { defaultRoutingShards } from './routing-shards.js';
import { type AliasMetadata, type IndexMetadata, type FlatSettings, indexSetting } from '@shoal/state';

/** Index version that Elasticsearch 8.12 writes into `index.version.created`. */
const VERSION_CREATED = String(INDEX_VERSION);

/** A validated new index, from which `buildIndex` makes metadata. */
export interface NewIndex {
  readonly name: string;
  readonly providedName: string;
  readonly uuid: string;
  readonly settings: FlatSettings;
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
  readonly nowMs: number;
  readonly routingShards?: number;
  readonly resizeSource?: IndexMetadata['resizeSource'];
  readonly restoredFrom?: IndexMetadata['restoredFrom'];
  readonly primaryTerms?: readonly number[];
}

/**
 * Adds the settings that the cluster sets on a new index: uuid, version, creation date … `isCopy`: the index gets the
 * documents of another one, and routes as that one did.
 */
export function completeSettings(
  settings: FlatSettings,
  facts: Pick<NewIndex, 'providedName' | 'uuid' | 'nowMs'>,
  isCopy: boolean,
): FlatSettings {
  return {
    'index.routing.allocation.include._tier_preference': 'data_content',
    'index.number_of_shards': '1',
    'index.number_of_replicas': '1',
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)),
    'index.provided_name': facts.providedName,
    'index.creation_date': String(facts.nowMs),
    'index.uuid': facts.uuid,
    'index.version.created': VERSION_CREATED,
    ...(!isCopy && isSeriesMode(settings) ? { [SERIES_ROUTING]: 'true' } : {}),
  };
}

/** Returns the metadata with the primary term of every shard raised, as its primaries start again. */
export function withNextTerms(meta: IndexMetadata): IndexMetadata {
  return { ...meta, primaryTerms: meta.primaryTerms.map((term) => term + 1), version: meta.version + 1 };
}

/** Makes the metadata of a new index. Everything is validated before. */
export function buildIndex(index: NewIndex): IndexMetadata {
  const shards = Number(indexSetting(index.settings, 'index.number_of_shards'));
  const explicit = indexSetting(index.settings, 'index.number_of_routing_shards');
  const { 'index.number_of_routing_shards': _given, ...settings } = index.settings;
  return {
    name: index.name,
    uuid: index.uuid,
    state: 'open',
    settings: explicit === null ? settings : index.settings,
    mapping: index.mapping,
    aliases: index.aliases,
    version: 1,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    numberOfShards: shards,
    numberOfRoutingShards: index.routingShards ?? (explicit === null ? defaultRoutingShards(shards) : Number(explicit)),
    routingPartitionSize: Number(indexSetting(index.settings, 'index.routing_partition_size')),
    numberOfReplicas: Number(indexSetting(index.settings, 'index.number_of_replicas')),
    primaryTerms: Array.from({ length: shards }, (_, shard) => index.primaryTerms?.[shard] ?? 1),
    inSync: Array.from({ length: shards }, () => []),
    ...(index.resizeSource ? { resizeSource: index.resizeSource } : {}),
    ...(index.restoredFrom ? { restoredFrom: index.restoredFrom } : {}),
  };
}
