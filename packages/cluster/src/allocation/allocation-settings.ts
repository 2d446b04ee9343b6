import { parseTimeValue } from '@shoal/values';
import { ownProperty } from '@shoal/json';
import { clusterSetting, type FlatSettings, type ClusterState, type SettingValue } from '@shoal/state';

const PREFIX = 'cluster.routing.allocation.';

/** Values in force of `cluster.routing.*`, parsed. */
export interface AllocationSettings {
  readonly enable: string;
  readonly rebalance: string;
  readonly allowRebalance: string;
  readonly concurrentRebalance: number;
  readonly sameShardHost: boolean;
  readonly incomingRecoveries: number;
  readonly outgoingRecoveries: number;
  readonly initialPrimaries: number;
  readonly totalShardsPerNode: number;
  readonly awareness: readonly string[];
  /** Values of `cluster.routing.allocation.awareness.force.*`, by awareness attribute. */
  readonly forced: ReadonlyMap<string, readonly string[]>;
  readonly filters: readonly NodeFilter[];
  readonly weights: {
    readonly shard: number;
    readonly index: number;
    readonly writeLoad: number;
    readonly disk: number;
    readonly threshold: number;
  };
  /** Returns the value of a setting as text. */
  text(name: string): string;
}

/** One group of filters (`require`, `include` or `exclude`): values by node attribute, in order of attributes. */
export interface NodeFilter {
  readonly kind: 'require' | 'include' | 'exclude';
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const FILTER_KINDS = ['require', 'include', 'exclude'] as const;

/** Splits the value of a list setting. */
export function listOf(value: SettingValue): readonly string[] {
  if (value === null) return [];
  const texts = typeof value === 'string' ? value.split(',') : value;
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** Parses the filters among flat settings whose names start with `prefix`. `_tier_preference` is not a filter. */
export function parseFilters(settings: FlatSettings, prefix: string): NodeFilter[] {
  return FILTER_KINDS.flatMap((kind): NodeFilter[] => {
    const start = `${prefix}${kind}.`;
    const entries = Object.entries(settings)
      .filter(
        ([name, value]) =>
          name.startsWith(start) && value !== null && value !== '' && !/\._tier(_preference)?$/.test(name),
      )
      .map(([name, value]) => [name.slice(start.length), listOf(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.length === 0 ? [] : [{ kind, values: new Map(entries) }];
  });
}

function allSettings(state: ClusterState, nodeSettings: FlatSettings): FlatSettings {
  return { ...nodeSettings, ...state.persistentSettings, ...state.transientSettings };
}

function forcedValues(settings: FlatSettings): Map<string, readonly string[]> {
  const pattern = /^cluster\.routing\.allocation\.awareness\.force\.(.+)\.values$/;
  return new Map(
    Object.entries(settings).flatMap(([name, value]) => {
      const match = pattern.exec(name);
      return match ? [[match[1]!, listOf(value)] as const] : [];
    }),
  );
}

/** Parses the allocation settings of a state. */
export function allocationSettings(state: ClusterState, nodeSettings: FlatSettings): AllocationSettings {
  const all = allSettings(state, nodeSettings);
  const text = (name: string): string => String(clusterSetting(state, name, nodeSettings));
  const number = (name: string): number => Number(text(`${PREFIX}${name}`));
  const recoveries = (direction: string): number =>
    Number(
      ownProperty(all, `${PREFIX}node_concurrent_${direction}_recoveries`) ?? number('node_concurrent_recoveries'),
    );
  return {
    enable: text(`${PREFIX}enable`).toLowerCase(),
    rebalance: text('cluster.routing.rebalance.enable').toLowerCase(),
    allowRebalance: text(`${PREFIX}allow_rebalance`).toLowerCase(),
    concurrentRebalance: number('cluster_concurrent_rebalance'),
    sameShardHost: text(`${PREFIX}same_shard.host`) === 'true',
    incomingRecoveries: recoveries('incoming'),
    outgoingRecoveries: recoveries('outgoing'),
    initialPrimaries: number('node_initial_primaries_recoveries'),
    totalShardsPerNode: number('total_shards_per_node'),
    awareness: listOf(clusterSetting(state, `${PREFIX}awareness.attributes`, nodeSettings)),
    forced: forcedValues(all),
    filters: parseFilters(all, PREFIX),
    weights: {
      shard: number('balance.shard'),
      index: number('balance.index'),
      writeLoad: number('balance.write_load'),
      disk: number('balance.disk_usage'),
      threshold: Math.max(1, number('balance.threshold')),
    },
    text,
  };
}

/** Parses a duration among index or cluster settings to milliseconds. */
export function settingMs(value: SettingValue, name: string): number {
  return parseTimeValue(String(value), name);
}
