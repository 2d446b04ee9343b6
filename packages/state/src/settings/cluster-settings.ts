import { errors, toApiError } from '@shoal/errors';
import { parseByteSize, parseTimeValue } from '@shoal/values';
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
import { addressRules } from './address-rules.js';
import { AUDIT_FILTERS, AUDIT_ROWS, auditFilter } from './audit-settings.js';
import type { FlatSettings } from './flat-settings.js';
import { NODE_SETTING_DEFAULTS } from './node-setting-defaults.js';

const DECIDER = 'org.elasticsearch.cluster.routing.allocation.decider';
const ALLOCATION = enumeration(`${DECIDER}.EnableAllocationDecider.Allocation`, [
  'all',
  'none',
  'primaries',
  'new_primaries',
]);
const REBALANCE = enumeration(`${DECIDER}.EnableAllocationDecider.Rebalance`, ['all', 'none', 'primaries', 'replicas']);
/** Checks `allow_rebalance`. As in Elasticsearch, its error contains the definition of the setting. */
const ALLOW = oneOf(['always', 'indices_primaries_active', 'indices_all_active'], (text, name) => {
  const setting = {
    key: name,
    properties: ['Dynamic', 'NodeScope'],
    is_group_setting: false,
    default: 'indices_all_active',
  };
  const json = JSON.stringify(setting, null, 2).replaceAll('": ', '" : ');
  return `Illegal value for ${json}: ${text}`;
});

const noMasterBlock = oneOf(
  ['all', 'write', 'metadata_write'],
  (text) => `invalid no-master block [${text}], must be one of [all, write, metadata_write]`,
);

const quarantineAnswer = oneOf(
  ['error', 'created'],
  (text) => `invalid answer to quarantined documents [${text}], must be one of [error, created]`,
);

/** Checks a number of compilations in a time, `150/5m`, or the word for those of contexts. */
const compilationRate: ValueCheck = (value, name) => {
  if (value !== 'use-context') numberInTime(value, name);
};

const numberInTime: ValueCheck = (value, name) => {
  const text = String(value);
  const slash = text.indexOf('/');
  const [count, time] = [text.slice(0, Math.max(0, slash)), text.slice(slash + 1)];
  if (count === '' || time === '')
    throw errors.illegalArgument(
      `parameter must contain a positive integer and a timevalue, i.e. 10/1m, but was [${text}]`,
    );
  if (!/^[-+]?\d{1,10}$/.test(count) || Number(count) > 2147483647)
    throw errors.illegalArgument(`could not parse [${count}] as integer in value [${text}]`, {
      cause: errors.numberFormat(`For input string: "${count}"`),
    });
  if (Number(count) < 0) throw errors.illegalArgument(`rate [${Number(count)}] must be positive`);
  const ms = parseTimeValue(time, name);
  if (ms <= 0) throw errors.illegalArgument(`time value [${time}] must be positive`);
  if (ms < 60_000) throw errors.illegalArgument(`time value [${time}] must be at least on a one minute resolution`);
};

/** Checks a watermark: a percentage, a ratio or bytes. */
const watermark: ValueCheck = (value, name) => {
  const text = String(value);
  if (/^\d+(\.\d+)?%$/.test(text) || /^(0?\.\d+|0|1(\.0+)?)$/.test(text)) return;
  try {
    parseByteSize(text, name);
  } catch (error) {
    const reason = `unable to parse [${name}=${text}] as either percentage or bytes`;
    throw errors.illegalArgument(reason, { cause: errors.parse(reason, { cause: toApiError(error) }) });
  }
};

const COORDINATION: readonly Row[] = [
  ['action.auto_create_index', 'true', anyText],
  ['action.destructive_requires_name', 'true', boolean],
  ['action.search.shard_count.limit', '9223372036854775807', integer(1, Number.MAX_VALUE)],
  ['cluster.auto_shrink_voting_configuration', 'true', boolean],
  ['cluster.blocks.read_only', 'false', boolean],
  ['cluster.blocks.read_only_allow_delete', 'false', boolean],
  ['cluster.indices.close.enable', 'true', boolean],
  ['cluster.info.update.interval', '30s', time(10000, '10s')],
  ['cluster.info.update.timeout', '15s', time()],
  ['cluster.max_shards_per_node', '1000', integer(1)],
  ['cluster.max_shards_per_node.frozen', '3000', integer(1)],
  ['cluster.max_voting_config_exclusions', '10', integer(1)],
  ['cluster.no_master_block', 'write', noMasterBlock],
  ['cluster.persistent_tasks.allocation.enable', 'all', anyText],
  ['cluster.service.slow_master_task_logging_threshold', '10s', time()],
  ['cluster.service.slow_task_logging_threshold', '30s', time()],
];

const ALLOCATION_ROWS: readonly Row[] = [
  ['cluster.routing.allocation.allow_rebalance', 'indices_all_active', ALLOW],
  ['cluster.routing.allocation.awareness.attributes', [], anyText],
  ['cluster.routing.allocation.balance.disk_usage', '2.0E-11', float(0)],
  ['cluster.routing.allocation.balance.index', '0.55', float(0)],
  ['cluster.routing.allocation.balance.shard', '0.45', float(0)],
  ['cluster.routing.allocation.balance.threshold', '1.0', float(0)],
  ['cluster.routing.allocation.balance.write_load', '10.0', float(0)],
  ['cluster.routing.allocation.cluster_concurrent_rebalance', '2', integer(-1)],
  ['cluster.routing.allocation.disk.reroute_interval', '60s', time()],
  ['cluster.routing.allocation.disk.threshold_enabled', 'true', boolean],
  ['cluster.routing.allocation.disk.watermark.enable_for_single_data_node', 'true', boolean],
  ['cluster.routing.allocation.disk.watermark.flood_stage', '95%', watermark],
  ['cluster.routing.allocation.disk.watermark.flood_stage.frozen', '95%', watermark],
  ['cluster.routing.allocation.disk.watermark.flood_stage.frozen.max_headroom', '20GB', bytes],
  ['cluster.routing.allocation.disk.watermark.flood_stage.max_headroom', '100GB', bytes],
  ['cluster.routing.allocation.disk.watermark.high', '90%', watermark],
  ['cluster.routing.allocation.disk.watermark.high.max_headroom', '150GB', bytes],
  ['cluster.routing.allocation.disk.watermark.low', '85%', watermark],
  ['cluster.routing.allocation.disk.watermark.low.max_headroom', '200GB', bytes],
  ['cluster.routing.allocation.enable', 'all', ALLOCATION],
  ['cluster.routing.allocation.enforce_default_tier_preference', 'true', boolean],
  ['cluster.routing.allocation.node_concurrent_incoming_recoveries', '2', integer(0)],
  ['cluster.routing.allocation.node_concurrent_outgoing_recoveries', '2', integer(0)],
  ['cluster.routing.allocation.node_concurrent_recoveries', '2', integer(0)],
  ['cluster.routing.allocation.node_initial_primaries_recoveries', '4', integer(0)],
  ['cluster.routing.allocation.same_shard.host', 'false', boolean],
  ['cluster.routing.allocation.total_shards_per_node', '-1', integer(-1)],
  ['cluster.routing.rebalance.enable', 'all', REBALANCE],
  ['cluster.routing.use_adaptive_replica_selection', 'true', boolean],
];

const RESOURCES: readonly Row[] = [
  ['indices.breaker.fielddata.limit', '40%', bytes],
  ['indices.breaker.fielddata.overhead', '1.03', float(0)],
  ['indices.breaker.request.limit', '60%', bytes],
  ['indices.breaker.request.overhead', '1.0', float(0)],
  ['indices.breaker.total.limit', '95%', bytes],
  ['indices.id_field_data.enabled', 'false', boolean],
  ['data_streams.lifecycle.max_errors_to_publish', '500', integer(0)],
  ['data_streams.lifecycle.poll_interval', '5m', time(1000, '1s')],
  ['data_streams.lifecycle.signalling.error_retry_interval', '10', integer(1)],
  ['time_series.poll_interval', '5m', time(60_000, '1m', { ms: 600_000, text: '10m' })],
  ['slm.history_index_enabled', 'true', boolean],
  ['slm.minimum_interval', '15m', time()],
  ['slm.retention_duration', '1h', time()],
  ['slm.retention_schedule', '0 30 1 * * ?', anyText],
  ['indices.lifecycle.poll_interval', '10m', time(1000, '1s')],
  ['indices.lifecycle.history_index_enabled', 'true', boolean],
  ['indices.lifecycle.rollover.only_if_has_documents', 'true', boolean],
  ['indices.mapping.dynamic_timeout', '30s', time()],
  ['indices.mapping.max_in_flight_updates', '10', integer(1, 1000)],
  ['indices.recovery.internal_action_long_timeout', '1800000ms', time()],
  ['indices.recovery.internal_action_timeout', '15m', time()],
  ['indices.recovery.max_bytes_per_sec', '40mb', bytes],
  ['indices.recovery.max_concurrent_file_chunks', '2', integer(1, 8)],
  ['indices.recovery.max_concurrent_operations', '1', integer(1, 4)],
  ['indices.recovery.max_concurrent_snapshot_file_downloads', '5', integer(1, 20)],
  ['indices.recovery.max_concurrent_snapshot_file_downloads_per_node', '25', integer(1, 25)],
  ['indices.recovery.recovery_activity_timeout', '1800000ms', time()],
  ['indices.recovery.retry_delay_network', '5s', time()],
  ['indices.recovery.retry_delay_state_sync', '500ms', time()],
  ['indices.recovery.use_snapshots', 'true', boolean],
  ['network.breaker.inflight_requests.limit', '100%', bytes],
  ['network.breaker.inflight_requests.overhead', '2.0', float(0)],
];

const SEARCH_AND_REST: readonly Row[] = [
  ['http.tracer.exclude', [], anyText],
  ['http.tracer.include', [], anyText],
  ['script.cache.expire', '0ms', time(0, '0ms')],
  ['script.cache.max_size', '3000', integer(0)],
  ['script.max_compilations_rate', '150/5m', compilationRate],
  ['script.max_size_in_bytes', '65535', integer(0)],
  ['search.aggs.rewrite_to_filter_by_filter', 'true', boolean],
  ['search.allow_expensive_queries', 'true', boolean],
  ['search.default_allow_partial_results', 'true', boolean],
  ['search.default_keep_alive', '5m', time()],
  ['search.default_search_timeout', '-1', time()],
  ['search.low_level_cancellation', 'true', boolean],
  ['search.max_async_search_response_size', '10mb', bytes],
  ['search.max_buckets', '65536', integer(0)],
  ['search.max_keep_alive', '24h', time()],
  ['search.max_open_scroll_context', '500', integer(0)],
  ['search.query_phase_parallel_collection_enabled', 'true', boolean],
  ['search.worker_threads_enabled', 'true', boolean],
  ['shoal.cluster.max_fields', '75000', integer(1)],
  ['shoal.document.max_values', '250000', integer(1)],
  ['shoal.quarantine.answer', 'error', quarantineAnswer],
  ['shoal.quarantine.max_bytes', '1gb', bytes],
  ['shoal.quarantine.poll_interval', '1m', time(1000, '1s')],
  ['shoal.quarantine.retention', '30d', time()],
  ['snapshot.max_concurrent_operations', '1000', integer(1)],
  ['transport.slow_operation_logging_threshold', '5s', time()],
  ['transport.tracer.exclude', ['internal:coordination/fault_detection/*'], anyText],
  ['transport.tracer.include', [], anyText],
];

const ADDRESS_FILTERS: readonly Row[] = [
  ['xpack.security.http.filter.allow', [], addressRules],
  ['xpack.security.http.filter.deny', [], addressRules],
  ['xpack.security.http.filter.enabled', 'true', boolean],
  ['xpack.security.transport.filter.allow', [], addressRules],
  ['xpack.security.transport.filter.deny', [], addressRules],
  ['xpack.security.transport.filter.enabled', 'true', boolean],
];

/** Beginnings of names of dynamic settings that are not listed one by one. */
export const CLUSTER_SETTING_PREFIXES: readonly string[] = [
  'cluster.routing.allocation.include.',
  'cluster.routing.allocation.exclude.',
  'cluster.routing.allocation.require.',
  'cluster.routing.allocation.awareness.force.',
  'cluster.metadata.',
  'cluster.remote.',
  'logger.',
  AUDIT_FILTERS,
];

/** Checks of the settings of one context of scripts by the end of their names. */
const CONTEXT_CHECKS: Readonly<Record<string, ValueCheck>> = {
  cache_expire: time(0, '0ms'),
  cache_max_size: integer(0),
  max_compilations_rate: (value, name) => {
    if (value !== 'unlimited') numberInTime(value, name);
  },
};

/** Returns the check of a setting of one context of scripts; null if the name is none. */
function contextCheck(name: string): ValueCheck | null {
  const setting = /^script\.context\.[^.]+\.([a-z_]+)$/.exec(name)?.[1];
  return setting !== undefined && Object.hasOwn(CONTEXT_CHECKS, setting) ? CONTEXT_CHECKS[setting]! : null;
}

const LOG_LEVELS = ['off', 'fatal', 'error', 'warn', 'info', 'debug', 'trace', 'all'];

/** Checks the value of a setting whose name is known by its prefix. */
function checkByPrefix(name: string, value: SettingValue): void {
  if (value === null) return;
  if (name.startsWith(AUDIT_FILTERS)) auditFilter(value, name);
  if (name.startsWith('logger.') && !LOG_LEVELS.includes(String(value).toLowerCase()))
    throw errors.illegalArgument(`Unknown level constant [${String(value).toUpperCase()}].`);
}

const DYNAMIC: readonly SettingDefinition[] = settings('dynamic', [
  ...COORDINATION,
  ...ALLOCATION_ROWS,
  ...RESOURCES,
  ...SEARCH_AND_REST,
  ...AUDIT_ROWS,
  ...ADDRESS_FILTERS,
]);

/** Cluster settings that may change while nodes run, by name. */
export const CLUSTER_SETTINGS: ReadonlyMap<string, SettingDefinition> = new Map(
  DYNAMIC.map((setting) => [setting.name, setting]),
);

/** Throws if the settings call may not set this value. `kind` is `persistent` or `transient`. */
export function validateClusterSetting(kind: string, name: string, value: SettingValue): void {
  const check = CLUSTER_SETTINGS.get(name)?.check ?? contextCheck(name);
  if (check) {
    if (value !== null) check(value, name);
    return;
  }
  if (CLUSTER_SETTING_PREFIXES.some((prefix) => name.startsWith(prefix) && name.length > prefix.length))
    return checkByPrefix(name, value);
  if (value === null && name.includes('*')) return;
  if (
    Object.hasOwn(NODE_SETTING_DEFAULTS, name) ||
    /^(node|path|cluster\.name|discovery|http|transport|network|xpack)\b/.test(name)
  ) {
    throw errors.illegalArgument(`${kind} setting [${name}], not dynamically updateable`);
  }
  throw errors.illegalArgument(`${kind} setting [${name}], not recognized`);
}

const DEFAULTS: FlatSettings = {
  ...NODE_SETTING_DEFAULTS,
  ...Object.fromEntries(DYNAMIC.map(({ name, fallback }) => [name, fallback])),
};

/** Returns the defaults of cluster settings. */
export function clusterDefaults(): FlatSettings {
  return DEFAULTS;
}

/** Whether a name is a setting of clusters or nodes, which a configuration file may have. */
export function isClusterSetting(name: string): boolean {
  if (CLUSTER_SETTINGS.has(name) || Object.hasOwn(NODE_SETTING_DEFAULTS, name)) return true;
  if (contextCheck(name) !== null) return true;
  return CLUSTER_SETTING_PREFIXES.some((prefix) => name.startsWith(prefix) && name.length > prefix.length);
}
