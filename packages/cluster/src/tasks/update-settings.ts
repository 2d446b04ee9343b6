import { errors } from '@shoal/errors';
import { stringify } from '@shoal/json';
import { refreshDelays } from '../allocation/lost-nodes.js';
import { autoExpand, withReplicaCounts } from '../allocation/replicas.js';
import {
  checkIndexBlocks,
  type FlatSettings,
  indexSetting,
  indexSettingProperty,
  isMounted,
  isTimeSeries,
  timeWindow,
  validateIndexSettings,
  type ClusterState,
  type IndexMetadata,
} from '@shoal/state';
import { hashOrder, matchesWildcard } from '@shoal/values';
import { refreshBlocks } from '../metadata/refresh-blocks.js';
import { checkMountedUpdate } from '../metadata/mounted-settings.js';
import { overrideSettings } from '../metadata/override-settings.js';
import { withIndices } from '../metadata/edit-state.js';
import { checkShardLimit } from '../metadata/shard-limit.js';
import { validateSimilarities } from '../metadata/validate-similarities.js';
import { ACKNOWLEDGED, defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of `updateSettings`. */
export interface UpdateSettingsBody {
  readonly uuids: readonly string[];
  /** Flat settings with prefix `index.`; null resets one. */
  readonly settings: FlatSettings;
  readonly preserveExisting?: boolean;
  /** Whether static settings may change on open indices, whose shards keep running. */
  readonly reopen?: boolean;
}

function refusePrivate(settings: FlatSettings): void {
  const name = Object.keys(settings).find(
    (key) =>
      key === 'index.version.created' || key === 'index.resize.source.name' || key === 'index.resize.source.uuid',
  );
  if (name)
    throw errors.illegalArgument(`can not update private setting [${name}]; this setting is managed by Elasticsearch`);
}

function checkNames(settings: FlatSettings): void {
  if (Object.keys(settings).length === 0)
    throw errors.actionRequestValidation('Validation Failed: 1: no settings to update;');
  refusePrivate(settings);
  const exact = Object.entries(settings).filter(([name, value]) => !(value === null && name.includes('*')));
  validateIndexSettings(Object.fromEntries(exact));
}

/** Throws for static settings of open indices and for final settings. */
function checkStatic(metas: readonly IndexMetadata[], settings: FlatSettings, reopen: boolean): void {
  const fixed = hashOrder(
    Object.keys(settings).filter((name) => !name.includes('*') && indexSettingProperty(name) !== 'dynamic'),
  );
  if (fixed.length === 0) return;
  const open = metas.filter((meta) => meta.state === 'open');
  if (open.length > 0 && !reopen) {
    const indices = open.map((meta) => `[${meta.name}/${meta.uuid}]`).join(', ');
    throw errors.illegalArgument(
      `Can't update non dynamic settings [[${fixed.join(', ')}]] for open indices [${indices}] unless the ` +
        `\`reopen\` query parameter is set to true. Alternatively, close the indices, apply the settings changes, ` +
        'and reopen the indices',
    );
  }
  const final = fixed.find((name) => indexSettingProperty(name) === 'final');
  if (final && metas[0]) throw errors.illegalArgument(`final ${metas[0].name} setting [${final}], not updateable`);
}

/** Throws if the window of an index of time series would shrink. */
function checkEndTime(meta: IndexMetadata, next: FlatSettings): void {
  const shown = next['index.time_series.end_time'];
  if (shown === meta.settings['index.time_series.end_time']) return;
  if (!isTimeSeries(meta))
    throw errors.illegalArgument('[index.time_series.end_time] requires [index.mode=time_series]');
  const { endMs } = timeWindow(meta.settings);
  if (timeWindow(next).endMs < endMs)
    throw errors.illegalArgument(
      `index.time_series.end_time must be larger than current value [${endMs}] but was [${shown}]`,
    );
}

function changed(meta: IndexMetadata, settings: FlatSettings, preserveExisting: boolean): IndexMetadata {
  const wanted = preserveExisting
    ? Object.fromEntries(Object.entries(settings).filter(([name]) => meta.settings[name] === undefined))
    : settings;
  const replicas = isMounted(meta) ? '0' : '1';
  const next = withRequiredDefaults(replicas, overrideSettings(meta.settings, wanted, matchesWildcard));
  if (stringify(next) === stringify(meta.settings)) return meta;
  checkEndTime(meta, next);
  if (Object.keys(wanted).some((name) => name.startsWith('index.similarity.'))) validateSimilarities(next);
  const result: IndexMetadata = {
    ...meta,
    settings: next,
    numberOfReplicas: Number(indexSetting(next, 'index.number_of_replicas')),
    version: meta.version + 1,
    settingsVersion: meta.settingsVersion + 1,
  };
  checkMountedUpdate(meta, result);
  return result;
}

/** Sets the default of settings that an index always has, such as replicas, if they are reset. */
function withRequiredDefaults(replicas: string, settings: FlatSettings): FlatSettings {
  return settings['index.number_of_replicas'] === undefined
    ? { ...settings, 'index.number_of_replicas': replicas }
    : settings;
}

/** Settings whose blocks would forbid the update that removes them. */
const OWN_BLOCKS = ['index.blocks.metadata', 'index.blocks.read_only', 'index.blocks.read_only_allow_delete'];

/** Throws if a block forbids the update: all but an update of nothing else than one of `OWN_BLOCKS`. */
function checkBlocks(state: ClusterState, metas: readonly IndexMetadata[], settings: FlatSettings): void {
  const [name = '', ...others] = Object.keys(settings);
  if (others.length === 0 && OWN_BLOCKS.includes(name)) return;
  checkIndexBlocks(state, metas, 'metadata_write');
}

function withNewReplicas(
  state: ClusterState,
  before: readonly IndexMetadata[],
  after: readonly IndexMetadata[],
  context: TaskContext,
): ClusterState {
  const resized = after.filter((meta, i) => meta.numberOfReplicas !== before[i]!.numberOfReplicas);
  const stored = withIndices(state, after);
  if (resized.length === 0) return stored;
  checkShardLimit(
    state,
    after.reduce(
      (sum, meta, i) => sum + (meta.numberOfReplicas - before[i]!.numberOfReplicas) * meta.numberOfShards,
      0,
    ),
    context.nodeSettings,
  );
  return withReplicaCounts(stored, resized, context.nowMs);
}

function apply(state: ClusterState, body: UpdateSettingsBody, context: TaskContext): TaskResult {
  checkNames(body.settings);
  const metas = body.uuids.flatMap((uuid) => state.indices.get(uuid) ?? []);
  checkBlocks(state, metas, body.settings);
  checkStatic(metas, body.settings, body.reopen === true);
  const after = metas.map((meta) => changed(meta, body.settings, body.preserveExisting === true));
  if (after.every((meta, i) => meta === metas[i])) return { state, answer: ACKNOWLEDGED };
  for (const meta of after) context.mappings.options(meta.settings);
  const sized = withNewReplicas(state, metas, after, context);
  const stored = refreshDelays(refreshBlocks(sized, body.uuids), body.uuids);
  return { state: autoExpand(stored, context.nowMs), answer: ACKNOWLEDGED, reroute: 'all' };
}

/** Updates the settings of indices. */
export const updateSettings = defineTask<UpdateSettingsBody>({
  name: 'update-settings',
  priority: 'NORMAL',
  source: ({ uuids }) => `update-settings [${uuids.join(',')}]`,
  apply,
});
