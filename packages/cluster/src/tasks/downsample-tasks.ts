import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { AGGREGATE_METRICS, type FieldType, type Mapping } from '@shoal/mapping';
import {
  type ClusterState,
  type FlatSettings,
  type IndexMetadata,
  isTimeSeries,
  isTrue,
  nameIndex,
  noSuchIndex,
} from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
import { autoExpand, withReplicaCounts } from '../allocation/replicas.js';
import { createIndexState } from '../metadata/create-index-state.js';
import { refreshBlocks } from '../metadata/refresh-blocks.js';
import { withIndex } from '../metadata/edit-state.js';
import { ACKNOWLEDGED, defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of `create-downsampled`. */
export interface CreateDownsampledBody {
  readonly source: string;
  readonly target: string;
  /** Length of a bucket, such as `1h`. */
  readonly interval: string;
}

/** Body of `finish-downsampled`. */
export interface FinishDownsampledBody {
  readonly uuid: string;
}

const STATUS = 'index.downsample.status';
const INTERVAL = 'index.downsample.interval';
/** Settings of the source that the target does not take over. */
const OWN = /^index\.(uuid|creation_date|provided_name|version\.|blocks\.|lifecycle\.|resize\.|downsample\.|hidden$)/;

/** What is kept of the values of a gauge. */
export const GAUGE_METRICS = AGGREGATE_METRICS;

const intervalMs = (interval: string): number => parseTimeValue(interval, 'fixed_interval');

/** Returns the status of an index that was made by downsampling: `started` or `success`; null for others. */
export function downsampleStatus({ settings }: IndexMetadata): string | null {
  const status = settings[STATUS];
  return typeof status === 'string' ? status : null;
}

function checkInterval(source: IndexMetadata, interval: string): void {
  const wanted = intervalMs(interval);
  if (!(wanted > 0)) throw errors.illegalArgument(`[fixed_interval] must be greater than 0 but was [${interval}]`);
  const known = source.settings[INTERVAL];
  if (typeof known !== 'string') return;
  const is = `Source index is a downsampled index. Downsampling interval [${interval}]`;
  if (wanted <= intervalMs(known))
    throw errors.illegalArgument(`${is} must be greater than the source index interval [${known}].`);
  if (wanted % intervalMs(known) !== 0)
    throw errors.illegalArgument(`${is} must be a multiple of the source index interval [${known}].`);
}

function checkSource(source: IndexMetadata, mapping: Mapping): void {
  const { name } = source;
  if (!isTimeSeries(source))
    throw errors.illegalArgument(`Downsample requires setting [index.mode=time_series] for index [${name}]`);
  if (!isTrue(source.settings, 'index.blocks.write'))
    throw errors.illegalArgument(`Downsample requires setting [index.blocks.write = true] for index [${name}]`);
  if ((mapping.dimensions ?? []).length === 0)
    throw errors.illegalArgument(`Index [${name}] does not contain any dimension fields`);
  if (!mapping.fields.some(({ metric }) => metric !== undefined))
    throw errors.illegalArgument(`Index [${name}] does not contain any metric fields`);
}

function fieldJson(field: FieldType | null, json: JsonObject, interval: string): JsonObject {
  if (field === null) return json;
  if (field.name === '@timestamp')
    return { ...json, type: 'date', meta: { fixed_interval: interval, time_zone: 'UTC' } };
  if (field.metric !== 'gauge' || field.metricColumns !== undefined) return json;
  return {
    type: 'aggregate_metric_double',
    metrics: [...GAUGE_METRICS],
    default_metric: 'max',
    time_series_metric: 'gauge',
    ...(json['meta'] === undefined ? {} : { meta: json['meta'] }),
  };
}

/** The properties of the target: gauges have four metrics instead of a number, other fields stay. */
function propertiesOf(properties: JsonObject, path: string, mapping: Mapping, interval: string): JsonObject {
  const entries = Object.entries(properties).map(([name, given]): [string, unknown] => {
    const own = path + name;
    if (!isPlainObject(given)) return [name, given];
    const below = given['properties'];
    if (isPlainObject(below))
      return [name, { ...given, properties: propertiesOf(below, `${own}.`, mapping, interval) }];
    return [name, fieldJson(mapping.field(own), given, interval)];
  });
  return Object.fromEntries(entries);
}

function targetMapping(source: IndexMetadata, mapping: Mapping, interval: string): JsonObject {
  const { runtime: _runtime, ...json } = source.mapping as JsonObject;
  const properties = isPlainObject(json['properties']) ? json['properties'] : {};
  return { ...json, properties: propertiesOf(properties, '', mapping, interval) };
}

function targetSettings(source: IndexMetadata, interval: string): FlatSettings {
  const kept = Object.entries(source.settings).filter(([name]) => !OWN.test(name));
  const origin = source.settings['index.downsample.origin.name'] ?? source.name;
  const originUuid = source.settings['index.downsample.origin.uuid'] ?? source.uuid;
  return {
    ...Object.fromEntries(kept),
    ...(source.settings['index.hidden'] === 'true' ? { 'index.hidden': 'true' } : {}),
    'index.number_of_replicas': '0',
    'index.auto_expand_replicas': 'false',
    'index.downsample.source.name': source.name,
    'index.downsample.source.uuid': source.uuid,
    'index.downsample.origin.name': origin,
    'index.downsample.origin.uuid': originUuid,
    [INTERVAL]: interval,
    [STATUS]: 'started',
  };
}

/** What is answered for a target that is there: downsampling of the same source goes on, or is done. */
function known(state: ClusterState, target: IndexMetadata, source: IndexMetadata, interval: string): TaskResult {
  const { settings } = target;
  if (settings['index.downsample.source.uuid'] !== source.uuid || settings[INTERVAL] !== interval)
    throw errors.resourceAlreadyExists(`index [${target.name}/${target.uuid}] already exists`, {
      meta: { index_uuid: target.uuid, index: target.name },
    });
  return { state, answer: { ...ACKNOWLEDGED, uuid: target.uuid } };
}

function apply(state: ClusterState, body: CreateDownsampledBody, context: TaskContext): TaskResult {
  const source = nameIndex(state).get(body.source);
  if (!source) throw noSuchIndex(body.source);
  const { mapping } = context.mappings.current(source);
  checkSource(source, mapping);
  checkInterval(source, body.interval);
  const existing = nameIndex(state).get(body.target);
  if (existing) return known(state, existing, source, body.interval);
  const created = createIndexState(
    state,
    {
      name: body.target,
      providedName: body.target,
      settings: {},
      mappings: null,
      aliases: {},
      composition: {
        settings: targetSettings(source, body.interval),
        mappings: [targetMapping(source, mapping, body.interval)],
        aliases: {},
        lifecycle: null,
      },
    },
    context,
  );
  // Its age is that of the source.
  const { rolloverInfo } = source;
  const meta = rolloverInfo === undefined ? created.meta : { ...created.meta, rolloverInfo };
  return { state: withIndex(created.state, meta), answer: { ...ACKNOWLEDGED, uuid: meta.uuid }, reroute: 'all' };
}

/**
 * Creates the index for what an index of time series is downsampled to; does nothing if it is there. Throws
 * illegal_argument_exception for a source that cannot be downsampled.
 */
export const createDownsampled = defineTask<CreateDownsampledBody>({
  name: 'create-downsampled',
  priority: 'URGENT',
  source: ({ source, target }) => `create-downsample-index [${source}] -> [${target}]`,
  apply,
});

/** Makes an index that holds all buckets read-only, with the replicas of its source. */
export const finishDownsampled = defineTask<FinishDownsampledBody>({
  name: 'finish-downsampled',
  priority: 'NORMAL',
  source: ({ uuid }) => `update-downsample-metadata [${uuid}]`,
  apply(state, { uuid }, { nowMs }) {
    const target = state.indices.get(uuid);
    if (!target || downsampleStatus(target) === 'success') return { state, answer: ACKNOWLEDGED };
    const source = state.indices.get(String(target.settings['index.downsample.source.uuid']));
    const replicas = source?.settings['index.number_of_replicas'] ?? '0';
    const expand = source?.settings['index.auto_expand_replicas'] ?? 'false';
    const settings = {
      ...target.settings,
      'index.blocks.write': 'true',
      'index.number_of_replicas': String(replicas),
      'index.auto_expand_replicas': expand,
      [STATUS]: 'success',
    };
    const next: IndexMetadata = {
      ...target,
      settings,
      numberOfReplicas: Number(replicas),
      version: target.version + 1,
      settingsVersion: target.settingsVersion + 1,
    };
    const sized = withReplicaCounts(withIndex(state, next), [next], nowMs);
    return { state: autoExpand(refreshBlocks(sized, [uuid]), nowMs), answer: ACKNOWLEDGED, reroute: 'all' };
  },
});
