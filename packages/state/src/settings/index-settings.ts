import { INDEX_VERSION } from '@shoal/values';
import { errors } from '@shoal/errors';
import type { SettingValue } from '../state.js';
import {
  anyText,
  boolean,
  bytes,
  enumeration,
  float,
  integer,
  oneOf,
  settings,
  time,
  type Row,
  type SettingDefinition,
  type ValueCheck,
} from './setting.js';

const ALLOCATION = 'org.elasticsearch.cluster.routing.allocation.decider.EnableAllocationDecider.Allocation';
const REBALANCE = 'org.elasticsearch.cluster.routing.allocation.decider.EnableAllocationDecider.Rebalance';
const DURABILITY = 'org.elasticsearch.index.translog.Translog.Durability';

const activeShards: ValueCheck = (value) => {
  const text = String(value);
  if (text === 'all' || /^(0|[1-9]\d*)$/.test(text)) return;
  const cause = errors.numberFormat(`For input string: "${text}"`);
  throw errors.illegalArgument(`cannot parse ActiveShardCount[${text}]`, { cause });
};

function autoExpandProblem(text: string): string | null {
  const dash = text.indexOf('-');
  if (dash < 0) return `failed to parse [index.auto_expand_replicas] from value: [${text}] at index ${dash}`;
  const [min = '', max = ''] = [text.slice(0, dash), text.slice(dash + 1)];
  if (!/^\d+$/.test(min)) return `failed to parse [index.auto_expand_replicas] from value: [${text}] at index ${dash}`;
  if (max !== 'all' && !/^\d+$/.test(max))
    return `failed to parse [index.auto_expand_replicas] from value: [${text}] at index ${dash}`;
  if (max !== 'all' && Number(min) > Number(max))
    return `[index.auto_expand_replicas] minReplicas must be =< maxReplicas but wasn't ${min} > ${max}`;
  return null;
}

const autoExpand: ValueCheck = (value) => {
  const text = String(value);
  if (text === 'false') return;
  const problem = autoExpandProblem(text);
  if (problem) throw errors.illegalArgument(problem);
};

const codec = oneOf(
  ['default', 'best_compression', 'lucene_default'],
  (text) => `unknown value for [index.codec] must be one of [default, best_compression] but was: ${text}`,
);
const checkOnStartup = oneOf(
  ['false', 'true', 'checksum'],
  (text) => `unknown value for [index.shard.check_on_startup] must be one of [true, false, checksum] but was: ${text}`,
);
const storeType = oneOf(
  ['', 'fs', 'niofs', 'mmapfs', 'hybridfs', 'simplefs'],
  (text) => `Unknown store type [${text}]`,
);
/** How far the window of a new backing index of time series reaches from its creation. */
const reach = time(60_000, '1m', { ms: 7 * 86_400_000, text: '7d' });
const mode = enumeration('org.elasticsearch.index.IndexMode', ['standard', 'time_series']);

const slowLogRows = (['warn', 'info', 'debug', 'trace'] as const).flatMap((level): Row[] => [
  [`index.search.slowlog.threshold.query.${level}`, '-1', time()],
  [`index.search.slowlog.threshold.fetch.${level}`, '-1', time()],
  [`index.indexing.slowlog.threshold.index.${level}`, '-1', time()],
]);

const FINAL: readonly Row[] = [
  ['index.number_of_shards', '1', integer(1, 1024)],
  ['index.number_of_routing_shards', null, integer(1)],
  ['index.routing_partition_size', '1', integer(1)],
  ['index.routing_path', [], anyText],
  ['index.mode', 'standard', mode],
  ['index.soft_deletes.enabled', 'true', boolean],
  ['index.sort.field', [], anyText],
  ['index.sort.order', [], anyText],
  ['index.sort.mode', [], anyText],
  ['index.sort.missing', [], anyText],
];

const STATIC: readonly Row[] = [
  ['index.codec', 'default', codec],
  ['index.bloom_filter_for_id_field.enabled', 'true', boolean],
  ['index.data_path', '', anyText],
  ['index.fielddata.cache', 'node', anyText],
  ['index.format', '0', integer(0)],
  ['index.load_fixed_bitset_filters_eagerly', 'true', boolean],
  ['index.mapping.coerce', 'false', boolean],
  ['index.mapping.ignore_malformed', 'false', boolean],
  ['index.queries.cache.enabled', 'true', boolean],
  ['index.query_string.lenient', 'false', boolean],
  ['index.query.parse.allow_unmapped_fields', 'true', boolean],
  ['index.shard.check_on_startup', 'false', checkOnStartup],
  ['index.store.type', '', storeType],
  ['index.store.preload', [], anyText],
  [
    'index.store.fs.fs_lock',
    'native',
    oneOf(['native', 'simple'], (text) => `unrecognized [index.store.fs.fs_lock] "${text}": must be native or simple`),
  ],
  ['index.store.stats_refresh_interval', '10s', time()],
  ['index.merge.policy.type', 'UNSET', anyText],
  ['index.optimize_auto_generated_id', 'true', boolean],
  ['index.translog.retention.age', '-1', time()],
  ['index.translog.retention.size', '-1', bytes],
  ['index.time_series.start_time', '-9999-01-01T00:00:00Z', anyText],
];

const LIMITS: readonly Row[] = [
  ['index.analyze.max_token_count', '10000', integer(1)],
  ['index.highlight.max_analyzed_offset', '1000000', integer(1)],
  ['index.highlight.weight_matches_mode.enabled', 'true', boolean],
  ['index.mapping.depth.limit', '20', integer(1)],
  ['index.mapping.dimension_fields.limit', '21', integer(0)],
  ['index.mapping.field_name_length.limit', '9223372036854775807', integer(1, Number.MAX_VALUE)],
  ['index.mapping.nested_fields.limit', '50', integer(0)],
  ['index.mapping.nested_objects.limit', '10000', integer(0)],
  ['index.mapping.total_fields.limit', '1000', integer(0)],
  ['index.max_adjacency_matrix_filters', '100', integer(2)],
  ['index.max_docvalue_fields_search', '100', integer(0)],
  ['index.max_inner_result_window', '100', integer(1)],
  ['index.max_ngram_diff', '1', integer(0)],
  ['index.max_refresh_listeners', '1000', integer(0)],
  ['index.max_regex_length', '1000', integer(1)],
  ['index.max_rescore_window', '10000', integer(1)],
  ['index.max_result_window', '10000', integer(1)],
  ['index.max_script_fields', '32', integer(0)],
  ['index.max_shingle_diff', '3', integer(0)],
  ['index.max_slices_per_scroll', '1024', integer(1)],
  ['index.max_terms_count', '65536', integer(1)],
];

const DYNAMIC: readonly Row[] = [
  ['index.allocation.max_retries', '5', integer(0)],
  ['index.auto_expand_replicas', 'false', autoExpand],
  ['index.blocks.metadata', 'false', boolean],
  ['index.blocks.read', 'false', boolean],
  ['index.blocks.read_only', 'false', boolean],
  ['index.blocks.read_only_allow_delete', 'false', boolean],
  ['index.blocks.write', 'false', boolean],
  ['index.compound_format', '1gb', anyText],
  ['index.default_pipeline', '_none', anyText],
  ['index.final_pipeline', '_none', anyText],
  ['index.flush_after_merge', '512mb', bytes],
  ['index.gc_deletes', '60s', time()],
  ['index.hidden', 'false', boolean],
  ['index.indexing.slowlog.level', 'TRACE', anyText],
  ['index.indexing.slowlog.reformat', 'true', boolean],
  ['index.indexing.slowlog.source', '1000', anyText],
  ['index.lifecycle.name', '', anyText],
  ['index.lifecycle.rollover_alias', '', anyText],
  ['index.lifecycle.indexing_complete', 'false', boolean],
  ['index.lifecycle.origination_date', '-1', integer(-1, Number.MAX_VALUE)],
  ['index.lifecycle.parse_origination_date', 'false', boolean],
  ['index.lifecycle.prefer_ilm', 'true', boolean],
  ['index.lifecycle.step.wait_time_threshold', '12h', time()],
  ['index.look_ahead_time', '2h', reach],
  ['index.look_back_time', '2h', reach],
  ['index.merge.policy.deletes_pct_allowed', '20.0', float(5, 50)],
  ['index.merge.policy.expunge_deletes_allowed', '10.0', float(0)],
  ['index.merge.policy.floor_segment', '2mb', bytes],
  ['index.merge.policy.max_merge_at_once', '10', integer(2)],
  ['index.merge.policy.max_merge_at_once_explicit', '30', integer(2)],
  ['index.merge.policy.max_merged_segment', '0b', bytes],
  ['index.merge.policy.merge_factor', '32', integer(2)],
  ['index.merge.policy.segments_per_tier', '10.0', float(2)],
  ['index.merge.scheduler.auto_throttle', 'true', boolean],
  ['index.merge.scheduler.max_merge_count', '6', integer(1)],
  ['index.merge.scheduler.max_thread_count', '1', integer(1)],
  ['index.number_of_replicas', '1', integer(0)],
  ['index.priority', '1', integer(0)],
  ['index.query.default_field', ['*'], anyText],
  ['index.refresh_interval', '1s', time()],
  ['index.requests.cache.enable', 'true', boolean],
  ['index.routing.allocation.disk.watermark.ignore', 'false', boolean],
  ['index.routing.allocation.enable', 'all', enumeration(ALLOCATION, ['all', 'none', 'primaries', 'new_primaries'])],
  ['index.routing.allocation.total_shards_per_node', '-1', integer(-1)],
  ['index.routing.rebalance.enable', 'all', enumeration(REBALANCE, ['all', 'none', 'primaries', 'replicas'])],
  ['index.search.idle.after', '30s', time()],
  ['index.search.slowlog.level', 'TRACE', anyText],
  ['index.shoal.quarantine', 'false', boolean],
  ['index.soft_deletes.retention.operations', '0', integer(0)],
  ['index.soft_deletes.retention_lease.period', '12h', time(0, '0ms')],
  ['index.time_series.end_time', '9999-12-31T23:59:59.999Z', anyText],
  ['index.translog.durability', 'REQUEST', enumeration(DURABILITY, ['request', 'async'])],
  ['index.translog.flush_threshold_age', '1m', time()],
  ['index.translog.flush_threshold_size', '10gb', bytes],
  ['index.translog.generation_threshold_size', '64mb', bytes],
  ['index.translog.sync_interval', '5s', time(100, '100ms')],
  ['index.unassigned.node_left.delayed_timeout', '1m', time()],
  ['index.verified_before_close', 'false', boolean],
  ['index.warmer.enabled', 'true', boolean],
  ['index.write.wait_for_active_shards', '1', activeShards],
];

/** Settings that only the cluster itself writes. */
const PRIVATE: readonly Row[] = [
  ['index.search.throttled', 'false', boolean],
  ['index.creation_date', null, anyText],
  ['index.provided_name', null, anyText],
  ['index.shoal.series_routing', null, anyText],
  ['index.uuid', null, anyText],
  ['index.version.created', null, anyText],
  ['index.version.compatibility', String(INDEX_VERSION), anyText],
  ['index.downsample.source.name', null, anyText],
  ['index.downsample.source.uuid', null, anyText],
  ['index.downsample.origin.name', null, anyText],
  ['index.downsample.origin.uuid', null, anyText],
  ['index.downsample.interval', null, anyText],
  ['index.downsample.status', null, anyText],
  ['index.resize.source.name', null, anyText],
  ['index.resize.source.uuid', null, anyText],
  ['index.store.snapshot.index_name', null, anyText],
  ['index.store.snapshot.index_uuid', null, anyText],
  ['index.store.snapshot.partial', 'false', boolean],
  ['index.store.snapshot.repository_name', null, anyText],
  ['index.store.snapshot.snapshot_name', null, anyText],
  ['index.store.snapshot.snapshot_uuid', null, anyText],
];

/** Prefixes of settings with free names after them. */
export const INDEX_SETTING_PREFIXES: readonly (readonly [prefix: string, dynamic: boolean])[] = [
  ['index.analysis.', false],
  ['index.similarity.', false],
  ['index.routing.allocation.include.', true],
  ['index.routing.allocation.exclude.', true],
  ['index.routing.allocation.require.', true],
  ['index.routing.allocation.initial_recovery.', true],
  ['index.mapping.source.', false],
];

const ALL: readonly SettingDefinition[] = [
  ...settings('final', FINAL),
  ...settings('static', STATIC),
  ...settings('dynamic', [...LIMITS, ...DYNAMIC, ...slowLogRows]),
  ...settings('private', PRIVATE),
];

/** Index settings with a fixed name, by name. */
export const INDEX_SETTINGS: ReadonlyMap<string, SettingDefinition> = new Map(
  ALL.map((setting) => [setting.name, setting]),
);

/** Returns the value of a setting of an index: its own or the default. */
export function indexSetting(flat: Readonly<Record<string, SettingValue>>, name: string): SettingValue {
  return flat[name] ?? INDEX_SETTINGS.get(name)?.fallback ?? null;
}

/** Whether a boolean setting of an index is true, by its own value or the default. */
export function isTrue(flat: Readonly<Record<string, SettingValue>>, name: string): boolean {
  return indexSetting(flat, name) === 'true';
}
