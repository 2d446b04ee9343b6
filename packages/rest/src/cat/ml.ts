import type { JsonObject } from '@shoal/json';
import type { RestRequest } from '../routing/route.js';
import type { Services } from '../services.js';
import { catRoutes, type Column, column } from './table.js';

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

const modelColumns: readonly Column<Row>[] = [
  cell('id', '', 'the trained model id', 'default', 'model_id'),
  cell('heap_size', 'hs,modelHeapSize', 'the memory of the model', 'default', 'model_size_bytes'),
  cell('operations', 'o,modelOperations', 'the estimated number of operations', 'default', 'estimated_operations'),
  cell('type', 't', 'the model type', 'default', 'model_type'),
  cell('created_by', 'c,createdBy', 'who created the model', '', 'created_by'),
  cell('version', 'v', 'the version with which the model was created', '', 'version'),
  cell('description', 'd', 'the model description', '', 'description'),
];

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
  ...table(modelColumns, {
    noun: 'trained_models',
    path: 'trained_models',
    id: 'model_id',
    privilege: 'cluster:monitor/xpack/ml/inference/get',
    parameters: ['from', 'size'],
    async rows(expression, allowsNone, { ml }, params) {
      const [from, size] = [params.integer('from', 0), params.integer('size', 100)];
      const found = await ml.models.find(expression, allowsNone, []);
      return found.slice(from, from + size).map(({ source }) => source);
    },
  }),
];
