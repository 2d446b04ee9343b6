import { errors } from '@shoal/errors';
import { primaryOf } from '../allocation/copies.js';
import { type UnassignedCause, unassignedRouting } from '../allocation/unassigned.js';
import {
  dataStreamOf,
  checkIndexBlocks,
  clusterSetting,
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
} from '@shoal/state';
import { refreshBlocks } from '../metadata/refresh-blocks.js';
import { withoutKeys, withIndices } from '../metadata/edit-state.js';
import { withNextTerms } from '../metadata/build-index.js';
import { checkShardLimit } from '../metadata/shard-limit.js';
import { hasActiveShards, wantedActiveShards } from './active-shards.js';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of `openIndex` and `closeIndex`. */
export interface OpenCloseBody {
  readonly uuids: readonly string[];
  readonly waitForActiveShards?: string | null;
}

const CLOSED_MARK = 'index.verified_before_close';

function metasOf(state: ClusterState, uuids: readonly string[]): IndexMetadata[] {
  return uuids.flatMap((uuid) => state.indices.get(uuid) ?? []);
}

/**
 * Returns what the primary of a shard recovers from. One that never started has no store and keeps its recovery source.
 */
function primarySource(
  { inSync }: IndexMetadata,
  shard: number,
  before: readonly ShardRouting[] = [],
): ShardRouting['recoverySource'] {
  return inSync[shard]?.length === 0 ? (primaryOf(before)?.recoverySource ?? 'EXISTING_STORE') : 'EXISTING_STORE';
}

/** Makes a routing table with all copies unassigned; each keeps the node that it was last on. */
function restarted(
  meta: IndexMetadata,
  before: readonly (readonly ShardRouting[])[],
  cause: UnassignedCause,
): ShardRouting[][] {
  const table = unassignedRouting(meta, cause, 'EXISTING_STORE');
  return table.map((copies, shard) =>
    copies.map((copy, i) => {
      const last = before[shard]?.[i];
      const lastNodeId = last?.nodeId ?? last?.unassigned?.lastNodeId;
      const unassigned =
        lastNodeId === undefined || copy.unassigned === null ? copy.unassigned : { ...copy.unassigned, lastNodeId };
      return {
        ...copy,
        unassigned,
        recoverySource: copy.primary ? primarySource(meta, shard, before[shard]) : copy.recoverySource,
      };
    }),
  );
}

/** Restarts all copies of changed indices from their own stores, so that settings read at shard start apply. */
function restart(state: ClusterState, metas: readonly IndexMetadata[], cause: UnassignedCause): ClusterState {
  if (metas.length === 0) return state;
  const changed = refreshBlocks(
    withIndices(state, metas),
    metas.map((meta) => meta.uuid),
  );
  const routing = new Map(changed.routing);
  for (const meta of metas) routing.set(meta.uuid, restarted(meta, state.routing.get(meta.uuid) ?? [], cause));
  return { ...changed, routing };
}

/**
 * Returns the change with an answer that waits for the awaited number of active copies. Indices that are deleted, or
 * opened or closed again, are not waited for.
 */
function onceCopiesAre(
  state: ClusterState,
  metas: readonly IndexMetadata[],
  waitForActiveShards: string | null | undefined,
  answer: Readonly<Record<string, unknown>>,
): TaskResult {
  const awaited = metas.map((meta) => ({
    uuid: meta.uuid,
    state: meta.state,
    copies: wantedActiveShards(meta, waitForActiveShards),
  }));
  const until = (later: ClusterState): boolean =>
    awaited.every(
      ({ uuid, state: wanted, copies }) =>
        later.indices.get(uuid)?.state !== wanted || hasActiveShards(later, uuid, copies),
    );
  return { state, reroute: 'all', until, answer, answerUnmet: { ...answer, shards_acknowledged: false } };
}

function reopened(meta: IndexMetadata): IndexMetadata {
  const settings = withoutKeys(meta.settings, new Set([CLOSED_MARK]));
  return withNextTerms({ ...meta, state: 'open', settings, settingsVersion: meta.settingsVersion + 1 });
}

function closed(meta: IndexMetadata): IndexMetadata {
  const settings = { ...meta.settings, [CLOSED_MARK]: 'true' };
  return withNextTerms({ ...meta, state: 'close', settings, settingsVersion: meta.settingsVersion + 1 });
}

function open(state: ClusterState, { uuids, waitForActiveShards }: OpenCloseBody, context: TaskContext): TaskResult {
  const metas = metasOf(state, uuids)
    .filter((meta) => meta.state === 'close')
    .map(reopened);
  checkShardLimit(
    state,
    metas.reduce((sum, meta) => sum + meta.numberOfShards * (1 + meta.numberOfReplicas), 0),
    context.nodeSettings,
  );
  const changed = restart(state, metas, { reason: 'INDEX_REOPENED', atMs: context.nowMs });
  return onceCopiesAre(changed, metas, waitForActiveShards, { acknowledged: true, shards_acknowledged: true });
}

function refuseStreamWriteIndex(state: ClusterState, meta: IndexMetadata): void {
  const stream = dataStreamOf(state, meta.uuid);
  if (stream?.indices.at(-1) === meta.uuid) {
    throw errors.illegalArgument(`cannot close the following data stream write indices [${meta.name}]`);
  }
}

/**
 * Closes indices. The copies of a closed index are kept, replicated and relocated as those of an open one, but accept
 * no operations and no searches.
 */
function close(state: ClusterState, { uuids, waitForActiveShards }: OpenCloseBody, context: TaskContext): TaskResult {
  if (clusterSetting(state, 'cluster.indices.close.enable') !== 'true') {
    throw errors.refusedState(
      'closing indices is disabled - set [cluster.indices.close.enable: true] to enable it. NOTE: closed indices ' +
        'still consume a significant amount of diskspace',
    );
  }
  const all = metasOf(state, uuids);
  checkIndexBlocks({ ...state, blocks: state.blocks.filter((block) => block.id !== 4) }, all, 'metadata_write');
  for (const meta of all) refuseStreamWriteIndex(state, meta);
  const metas = all.filter((meta) => meta.state === 'open').map(closed);
  const changed = restart(state, metas, { reason: 'INDEX_CLOSED', atMs: context.nowMs });
  const indices = Object.fromEntries(metas.map((meta) => [meta.name, { closed: true }]));
  return onceCopiesAre(changed, metas, waitForActiveShards, {
    acknowledged: true,
    shards_acknowledged: metas.length > 0,
    indices,
  });
}

/** Opens closed indices. */
export const openIndex = defineTask<OpenCloseBody>({
  name: 'open-index',
  priority: 'URGENT',
  source: ({ uuids }) => `open-indices [${uuids.join(',')}]`,
  apply: open,
});

/** Closes open indices. */
export const closeIndex = defineTask<OpenCloseBody>({
  name: 'close-index',
  priority: 'URGENT',
  source: ({ uuids }) => `close-indices [${uuids.join(',')}]`,
  apply: close,
});
