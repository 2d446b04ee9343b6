import { createIndexState } from '../metadata/create-index-state.js';
import { checkMountedReplicas } from '../metadata/mounted-settings.js';
import { removeIndices } from '../metadata/remove-indices.js';
import {
  indexSettingProperty,
  type FlatSettings,
  type AliasMetadata,
  type ClusterState,
  type IndexMetadata,
  nameIndex,
} from '@shoal/state';
import { hasSeriesRouting, SERIES_ROUTING } from '@shoal/values';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of `restoreIndex`. */
export interface RestoreIndexBody {
  readonly name: string;
  readonly settings: FlatSettings;
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
  readonly routingShards: number;
  readonly restoredFrom: NonNullable<IndexMetadata['restoredFrom']>;
  /** Settings of an index that is mounted: those that say so, and where it is from. */
  readonly mount?: FlatSettings;
  /** First primary term of each shard: above those of its operations. */
  readonly primaryTerms?: readonly number[];
}

function isGiven(name: string): boolean {
  return (
    indexSettingProperty(name) !== 'private' && name !== 'index.verified_before_close' && name !== 'index.store.type'
  );
}

/** How an index of time series routes is that of the index in the snapshot. */
function routingOf(settings: FlatSettings): FlatSettings {
  return hasSeriesRouting(settings) ? { [SERIES_ROUTING]: 'true' } : {};
}

/** Removes a closed index with the same name before a restore. */
function withoutClosed(state: ClusterState, name: string, context: TaskContext): ClusterState {
  const existing = nameIndex(state).get(name);
  return existing?.state === 'close' ? removeIndices(state, [existing.uuid], context.nowMs) : state;
}

function apply(state: ClusterState, body: RestoreIndexBody, context: TaskContext): TaskResult {
  const settings = Object.fromEntries(Object.entries(body.settings).filter(([name]) => isGiven(name)));
  const created = createIndexState(
    withoutClosed(state, body.name, context),
    {
      name: body.name,
      providedName: String(body.settings['index.provided_name'] ?? body.name),
      settings,
      mappings: null,
      aliases: body.aliases,
      composition: {
        settings: { ...routingOf(body.settings), ...body.mount },
        mappings: [body.mapping],
        aliases: {},
        lifecycle: null,
      },
      restore: {
        restoredFrom: body.restoredFrom,
        routingShards: body.routingShards,
        ...(body.primaryTerms ? { primaryTerms: body.primaryTerms } : {}),
        createdAt: String(body.settings['index.creation_date'] ?? context.nowMs),
      },
    },
    context,
  );
  checkMountedReplicas(created.meta);
  return { state: created.state, answer: { acknowledged: true, uuid: created.meta.uuid }, reroute: 'all' };
}

/** Creates an index whose shards are restored from a snapshot. */
export const restoreIndex = defineTask<RestoreIndexBody>({
  name: 'restore-index',
  priority: 'URGENT',
  source: ({ name }) => `restore_snapshot [${name}]`,
  apply,
});
