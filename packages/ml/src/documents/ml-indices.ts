import type { ClusterService } from '@shoal/cluster';
import { isApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { type ClusterState, isActive, nameIndex } from '@shoal/state';

/** Names of indices as in Elasticsearch 8.12. */
export const CONFIG_INDEX = '.ml-config';
export const STATE_INDEX = '.ml-state-000001';
export const META_INDEX = '.ml-meta';
const ANNOTATIONS_INDEX = '.ml-annotations-000001';
/** Aliases by which annotations are read and written, by users too. */
export const ANNOTATIONS_READ = '.ml-annotations-read';
export const ANNOTATIONS_WRITE = '.ml-annotations-write';
export const NOTIFICATIONS_INDEX = '.ml-notifications-000002';
export const MODELS_INDEX = '.ml-inference-000005';
const RESULTS_PREFIX = '.ml-anomalies-';

/** Alias by which the results of a job are read, and the one by which they are written. */
export const readAlias = (jobId: string): string => `${RESULTS_PREFIX}${jobId}`;
export const writeAlias = (jobId: string): string => `${RESULTS_PREFIX}.write-${jobId}`;
/** Index of results by the `results_index_name` of a job. */
export const resultsIndex = (name: string): string => `${RESULTS_PREFIX}${name}`;

/** How long the copies of a new index are waited for. */
const COPIES_TIMEOUT_MS = 10_000;

const KEYWORD = { type: 'keyword' };
const DATE = { type: 'date' };
const DOUBLE = { type: 'double' };
const LONG = { type: 'long' };
const BOOLEAN = { type: 'boolean' };
const SETTINGS = { index: { number_of_shards: '1', auto_expand_replicas: '0-1', hidden: 'true' } };

const named = (names: readonly string[], type: JsonObject): JsonObject =>
  Object.fromEntries(names.map((name) => [name, type]));

const CAUSE: JsonObject = {
  ...named(
    ['by_field_name', 'by_field_value', 'over_field_name', 'over_field_value', 'partition_field_name'].concat([
      'partition_field_value',
      'field_name',
      'function',
      'function_description',
      'correlated_by_field_value',
    ]),
    KEYWORD,
  ),
  ...named(['actual', 'typical', 'probability'], DOUBLE),
};

const RESULTS_MAPPING: JsonObject = {
  dynamic: false,
  properties: {
    ...named(
      [
        'job_id',
        'result_type',
        'snapshot_id',
        'influencer_field_name',
        'influencer_field_value',
        'memory_status',
      ].concat(['forecast_id', 'forecast_status', 'model_feature', 'regex', 'categorization_status', 'grok_pattern']),
      KEYWORD,
    ),
    ...CAUSE,
    ...named(['timestamp', 'log_time', 'latest_record_time_stamp', 'latest_result_time_stamp'], DATE),
    ...named(['forecast_create_timestamp', 'forecast_expiry_timestamp'], DATE),
    ...named(['forecast_start_timestamp', 'forecast_end_timestamp'], DATE),
    ...named(['bucket_span', 'event_count', 'category_id', 'num_matches', 'detector_index', 'model_bytes'], LONG),
    ...named(['snapshot_doc_count', 'processing_time_ms', 'forecast_messages'], LONG),
    ...named(['anomaly_score', 'initial_anomaly_score', 'record_score', 'initial_record_score'], DOUBLE),
    ...named(['influencer_score', 'initial_influencer_score', 'multi_bucket_impact', 'raw_anomaly_score'], DOUBLE),
    ...named(['model_lower', 'model_median', 'model_upper', 'forecast_lower', 'forecast_prediction'], DOUBLE),
    ...named(['forecast_upper'], DOUBLE),
    ...named(['is_interim', 'retain'], BOOLEAN),
    causes: { type: 'nested', properties: CAUSE },
    influencers: { type: 'nested', properties: named(['influencer_field_name', 'influencer_field_values'], KEYWORD) },
    bucket_influencers: {
      type: 'nested',
      properties: { ...named(['job_id', 'result_type', 'influencer_field_name'], KEYWORD), anomaly_score: DOUBLE },
    },
    description: { type: 'text' },
  },
};

const PLAIN: JsonObject = {
  dynamic: false,
  properties: {
    ...named(['job_id', 'datafeed_id', 'config_type', 'id', 'type', 'calendar_id', 'filter_id', 'event_id'], KEYWORD),
    ...named(['model_id', 'doc_type', 'groups', 'job_ids', 'level', 'job_type', 'node_name', 'tags'], KEYWORD),
    ...named(['timestamp', 'start_time', 'end_time', 'create_time', 'end_timestamp', 'modified_time'], DATE),
    definition_num: LONG,
    event: KEYWORD,
    message: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 1024 } } },
  },
};

const ANNOTATIONS: JsonObject = {
  properties: {
    annotation: { type: 'text' },
    ...named(['create_time', 'timestamp', 'end_timestamp', 'modified_time'], DATE),
    ...named(['create_username', 'modified_username', 'job_id', 'type', 'event'], KEYWORD),
    detector_index: { type: 'integer' },
    ...named(['partition_field_name', 'partition_field_value', 'over_field_name', 'over_field_value'], KEYWORD),
    ...named(['by_field_name', 'by_field_value'], KEYWORD),
  },
};

const BODIES: Readonly<Record<string, JsonObject>> = {
  [CONFIG_INDEX]: { mappings: PLAIN, settings: SETTINGS },
  [META_INDEX]: { mappings: PLAIN, settings: SETTINGS },
  [STATE_INDEX]: {
    mappings: { enabled: false },
    settings: SETTINGS,
    aliases: { '.ml-state-write': { is_hidden: true } },
  },
  [MODELS_INDEX]: { mappings: PLAIN, settings: SETTINGS },
  [ANNOTATIONS_INDEX]: {
    mappings: ANNOTATIONS,
    settings: SETTINGS,
    aliases: { [ANNOTATIONS_READ]: { is_hidden: true }, [ANNOTATIONS_WRITE]: { is_hidden: true } },
  },
  [NOTIFICATIONS_INDEX]: { mappings: PLAIN, settings: SETTINGS },
};

/** Whether an index is there and its primaries take requests. */
function isReady(state: ClusterState, name: string): boolean {
  const uuid = nameIndex(state).get(name)?.uuid;
  const shards = uuid === undefined ? undefined : state.routing.get(uuid);
  return shards !== undefined && shards.every((copies) => copies.some((copy) => copy.primary && isActive(copy)));
}

/** Makes an index of machine learning unless it is there, and waits until it takes requests. */
export async function ensureIndex(
  cluster: ClusterService,
  name: string,
  given: JsonObject | null = null,
): Promise<void> {
  if (nameIndex(cluster.state()).has(name)) {
    // Another request has just made it.
    if (!isReady(cluster.state(), name)) await cluster.waitFor((state) => isReady(state, name), COPIES_TIMEOUT_MS);
    return;
  }
  const body = given ?? BODIES[name] ?? { mappings: RESULTS_MAPPING, settings: SETTINGS };
  try {
    await cluster.submit('create-index', { name, body, waitForActiveShards: 'all' }, { timeoutMs: COPIES_TIMEOUT_MS });
  } catch (error) {
    if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
    await cluster.waitFor((state) => isReady(state, name), COPIES_TIMEOUT_MS);
  }
}

const ALERTS: JsonObject = {
  dynamic: false,
  properties: {
    ...named(['alert_id', 'job_id', 'on'], KEYWORD),
    ...named(['timestamp', 'end_timestamp', 'created'], DATE),
    ...named(['score', 'threshold'], DOUBLE),
    group: { type: 'flattened' },
    message: { type: 'text' },
    webhook: { properties: { status: KEYWORD, timestamp: DATE, code: LONG, reason: { type: 'text' } } },
  },
};

/** Makes an index of alerts unless it is there. */
export const ensureAlerts = (cluster: ClusterService, name: string): Promise<void> =>
  ensureIndex(cluster, name, { mappings: ALERTS, settings: SETTINGS });

/** Makes the index of annotations unless it is there: users write to its alias from the first job on. */
export const ensureAnnotations = (cluster: ClusterService): Promise<void> => ensureIndex(cluster, ANNOTATIONS_INDEX);

/** Whether there are annotations. */
export const hasAnnotations = (cluster: ClusterService): boolean => nameIndex(cluster.state()).has(ANNOTATIONS_INDEX);

/** Makes the aliases by which the results of a job are read and written. */
export async function ensureResultAliases(cluster: ClusterService, jobId: string, index: string): Promise<void> {
  await ensureIndex(cluster, index);
  const uuid = nameIndex(cluster.state()).get(index)?.uuid;
  if (uuid === undefined) return;
  const filter = { term: { job_id: { value: jobId, boost: 1 } } };
  await cluster.submit('update-aliases', {
    actions: [
      { kind: 'add', uuids: [uuid], aliases: [readAlias(jobId)], alias: { filter, isHidden: true } },
      { kind: 'add', uuids: [uuid], aliases: [writeAlias(jobId)], alias: { isHidden: true } },
    ],
  });
}

/** Removes the aliases of a job from all indices. */
export async function removeResultAliases(cluster: ClusterService, jobId: string): Promise<void> {
  const aliases = [readAlias(jobId), writeAlias(jobId)];
  const owners = [...cluster.state().indices.values()].filter((index) =>
    aliases.some((alias) => Object.hasOwn(index.aliases, alias)),
  );
  if (owners.length === 0) return;
  const uuids = owners.map(({ uuid }) => uuid);
  await cluster.submit('update-aliases', { actions: [{ kind: 'remove', uuids, aliases, mustExist: false }] });
}
