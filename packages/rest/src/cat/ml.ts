import type { JsonObject } from '@shoal/json';
import type { RestRequest } from '../routing/route.js';
import type { Services } from '../services.js';
import { pipelinesOf } from '../api/ml-models.js';
import { catRoutes, type Column, column } from './table.js';
import { isoTime } from './timestamps.js';

type Cell = string | number | null;

/** Reads a member of statistics along the dots of its path. */
function at(json: JsonObject, path: string): Cell {
  let value: unknown = json;
  for (const part of path.split('.')) value = (value as JsonObject | undefined)?.[part];
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

type Row = JsonObject;

const cell = (name: string, aliases: string, description: string, flags: '' | 'default', path: string): Column<Row> =>
  column(name, aliases, description, flags, (row) => at(row, path));

const jobColumns: readonly Column<Row>[] = [
  cell('id', '', 'the job_id', 'default', 'job_id'),
  cell('state', 's', 'the job state', 'default', 'state'),
  cell('opened_time', 'ot', 'the amount of time the job has been opened', '', 'open_time'),
  cell('assignment_explanation', 'ae', 'why the job is or is not assigned to a node', '', 'assignment_explanation'),
  cell(
    'data.processed_records',
    'dpr,dataProcessedRecords',
    'number of processed records',
    'default',
    'data_counts.processed_record_count',
  ),
  cell('data.buckets', 'db,dataBuckets', 'bucket count', '', 'data_counts.bucket_count'),
  cell('data.input_bytes', 'dib,dataInputBytes', 'total input bytes', '', 'data_counts.input_bytes'),
  cell('model.bytes', 'mb,modelBytes', 'model size', 'default', 'model_size_stats.model_bytes'),
  cell(
    'model.memory_status',
    'mms,modelMemoryStatus',
    'current memory status',
    'default',
    'model_size_stats.memory_status',
  ),
  cell('forecasts.total', 'ft,forecastsTotal', 'total number of forecasts', 'default', 'forecasts_stats.total'),
  cell('buckets.count', 'bc,bucketsCount', 'bucket count', 'default', 'timing_stats.bucket_count'),
  cell('node.id', 'ni,nodeId', 'id of the assigned node', '', 'node.id'),
  cell('node.name', 'nn,nodeName', 'name of the assigned node', '', 'node.name'),
];

const feedColumns: readonly Column<Row>[] = [
  cell('id', '', 'the datafeed_id', 'default', 'datafeed_id'),
  cell('state', 's', 'the datafeed state', 'default', 'state'),
  cell(
    'assignment_explanation',
    'ae',
    'why the datafeed is or is not assigned to a node',
    '',
    'assignment_explanation',
  ),
  cell('buckets.count', 'bc,bucketsCount', 'bucket count', 'default', 'timing_stats.bucket_count'),
  cell('search.count', 'sc,searchCount', 'number of searches', 'default', 'timing_stats.search_count'),
  cell('search.time', 'st,searchTime', 'total search time', '', 'timing_stats.total_search_time_ms'),
  cell('node.id', 'ni,nodeId', 'id of the assigned node', '', 'node.id'),
  cell('node.name', 'nn,nodeName', 'name of the assigned node', '', 'node.name'),
];

/** A time of the statistics, as text. */
const time = (name: string, aliases: string, description: string, flags: '' | 'default', path: string): Column<Row> =>
  column(name, aliases, description, flags, (row) => {
    const ms = at(row, path);
    return typeof ms === 'number' ? isoTime(ms) : null;
  });

const modelColumns: readonly Column<Row>[] = [
  cell('id', '', 'the trained model id', 'default', 'model_id'),
  column('heap_size', 'hs,modelHeapSize', 'the estimated heap size to keep the model in memory', 'default', (row) => ({
    bytes: Number(row['model_size_bytes'] ?? 0),
  })),
  cell('operations', 'o,modelOperations', 'the estimated number of operations', 'default', 'estimated_operations'),
  cell('license', 'l', 'The license level of the model', '', 'license_level'),
  time('create_time', 'ct', 'The time the model was created', 'default', 'create_time'),
  cell('version', 'v', 'The version of Elasticsearch when the model was created', '', 'version'),
  cell('description', 'd', 'The model description', '', 'description'),
  cell('created_by', 'c,createdBy', 'who created the model', '', 'created_by'),
  cell('type', 't', 'The model type', 'default', 'model_type'),
  cell(
    'ingest.pipelines',
    'ip,ingestPipelines',
    'The number of pipelines referencing the model',
    'default',
    'pipelines',
  ),
  cell('ingest.count', 'ic,ingestCount', 'The total number of docs processed by the model', '', 'inferences'),
  cell('ingest.failed', 'if,ingestFailed', 'The total count of failed ingest attempts with this model', '', 'failures'),
  cell(
    'data_frame.id',
    'dfid,dataFrameAnalytics',
    'The data frame analytics config id that created the model (if still available)',
    'default',
    'data_frame',
  ),
  time(
    'data_frame.create_time',
    'dft,dataFrameAnalyticsTime',
    'The time the data frame analytics config was created',
    '',
    'metadata.analytics_config.create_time',
  ),
  cell(
    'data_frame.source_index',
    'dfsi,dataFrameAnalyticsSrcIndex',
    'The source index used to train in the data frame analysis',
    '',
    'data_frame_source',
  ),
  cell(
    'data_frame.analysis',
    'dfa,dataFrameAnalyticsAnalysis',
    'The analysis used by the data frame to build the model',
    '',
    'data_frame_analysis',
  ),
];

/** Configuration of a model with what the table shows besides. */
function modelRow(source: JsonObject, stats: JsonObject | undefined): Row {
  const config = membersOf(source, ['metadata', 'analytics_config']);
  const indices = membersOf(config, ['source'])['index'];
  const [analysis] = Object.keys(membersOf(config, ['analysis']));
  const isBuiltIn = (source['tags'] as readonly string[]).includes('prepackaged');
  return {
    ...source,
    pipelines: stats?.['pipeline_count'] ?? 0,
    inferences: membersOf(stats, ['inference_stats'])['inference_count'] ?? 0,
    failures: membersOf(stats, ['inference_stats'])['failure_count'] ?? 0,
    data_frame: isBuiltIn ? 'prepackaged' : (config['id'] ?? '__none__'),
    ...(Array.isArray(indices) ? { data_frame_source: indices.join(',') } : {}),
    ...(analysis === undefined ? {} : { data_frame_analysis: analysis }),
  };
}

/** An object along members of another; empty if there is none. */
function membersOf(json: JsonObject | undefined, path: readonly string[]): JsonObject {
  return path.reduce<JsonObject>((value, key) => (value[key] ?? {}) as JsonObject, json ?? {});
}

const analyticsColumns: readonly Column<Row>[] = [
  cell('id', '', 'the id', 'default', 'id'),
  cell('type', 't', 'analysis type', 'default', 'type'),
  time('create_time', 'ct,createTime', 'job creation time', 'default', 'create_time'),
  cell('version', 'v', 'the version of Elasticsearch when the analytics was created', '', 'version'),
  cell('source_index', 'si,sourceIndex', 'source index', '', 'source_index'),
  cell('dest_index', 'di,destIndex', 'destination index', '', 'dest.index'),
  cell('description', 'd', 'description', '', 'description'),
  cell('model_memory_limit', 'mml,modelMemoryLimit', 'model memory limit', '', 'model_memory_limit'),
  cell('state', 's', 'job state', 'default', 'state'),
  cell('failure_reason', 'fr,failureReason', 'failure reason', '', 'failure_reason'),
  cell('progress', 'p', 'progress', '', 'progress'),
  cell('assignment_explanation', 'ae', 'why the job is or is not assigned to a node', '', 'assignment_explanation'),
  cell('node.id', 'ni,nodeId', 'id of the assigned node', '', 'node.id'),
  cell('node.name', 'nn,nodeName', 'name of the assigned node', '', 'node.name'),
  cell('node.ephemeral_id', 'ne,nodeEphemeralId', 'ephemeral id of the assigned node', '', 'node.ephemeral_id'),
  cell('node.address', 'na,nodeAddress', 'network address of the assigned node', '', 'node.transport_address'),
];

/** Configuration of an analysis with its statistics. */
function analyticsRow(config: JsonObject, stats: JsonObject): Row {
  const [type] = Object.keys(config['analysis'] as JsonObject);
  const phases = stats['progress'] as readonly { readonly phase: string; readonly progress_percent: number }[];
  return {
    ...config,
    ...stats,
    type,
    source_index: ((config['source'] as JsonObject)['index'] as readonly string[]).join(','),
    progress: phases.map(({ phase, progress_percent: percent }) => `${phase}:${percent}`).join(','),
  };
}

/**
 * What tells the tables apart: their name, their path below `/_cat/ml`, the parameter of ids, and whose statistics they
 * show.
 */
interface Table {
  readonly noun: string;
  readonly path: string;
  readonly id: string;
  readonly privilege: string;
  /** Parameters besides `allow_no_match`. */
  readonly parameters?: readonly string[];
  /** Finds what an expression of ids names. */
  rows(expression: string, allowsNone: boolean, services: Services, params: RestRequest['params']): Promise<Row[]>;
}

const table = (columns: readonly Column<Row>[], { noun, path, id, privilege, parameters = [], rows }: Table) =>
  catRoutes<Row>({
    name: `ml_${noun}`,
    paths: [`/_cat/ml/${path}`, `/_cat/ml/${path}/{${id}}`],
    privilege,
    parameters: ['allow_no_match', ...parameters],
    columns,
    rows: ({ pathParams, params }, services) =>
      rows(pathParams[id] ?? '_all', params.boolean('allow_no_match', true), services, params),
  });

export const routes = [
  ...table(jobColumns, {
    noun: 'jobs',
    path: 'anomaly_detectors',
    id: 'job_id',
    privilege: 'cluster:monitor/xpack/ml/job/stats/get',
    rows: async (expression, allowsNone, { ml }) => ml.jobs.stats(await ml.jobs.find(expression, allowsNone)),
  }),
  ...table(feedColumns, {
    noun: 'datafeeds',
    path: 'datafeeds',
    id: 'datafeed_id',
    privilege: 'cluster:monitor/xpack/ml/datafeeds/stats/get',
    rows: async (expression, allowsNone, { ml }) => ml.datafeeds.stats(await ml.datafeeds.find(expression, allowsNone)),
  }),
  ...table(analyticsColumns, {
    noun: 'data_frame_analytics',
    path: 'data_frame/analytics',
    id: 'id',
    privilege: 'cluster:monitor/xpack/ml/data_frame/analytics/stats/get',
    async rows(expression, allowsNone, { ml }) {
      const found = await ml.analytics.find(expression, allowsNone);
      const stats = await ml.analytics.stats(found);
      return found.map(({ json }, i) => analyticsRow(json, stats[i]!));
    },
  }),
  ...table(modelColumns, {
    noun: 'trained_models',
    path: 'trained_models',
    id: 'model_id',
    privilege: 'cluster:monitor/xpack/ml/inference/get',
    parameters: ['from', 'size'],
    async rows(expression, allowsNone, services, params) {
      const { ml } = services;
      const [from, size] = [params.integer('from', 0), params.integer('size', 100)];
      const found = (await ml.models.find(expression, allowsNone, [])).slice(from, from + size);
      const stats = await ml.models.stats(found, (id) => pipelinesOf(services, id).length);
      return found.map(({ source }, i) => modelRow(source, stats[i]));
    },
  }),
];
