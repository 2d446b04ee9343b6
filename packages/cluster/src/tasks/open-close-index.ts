import { errors } from '@shoal/errors';
import { unassignedRouting } from '../allocation/copies.js';
import { dataStreamOf } from '../data-streams.js';
import { refreshBlocks, checkIndexBlocks } from '../metadata/index-blocks.js';
import { withNextTerms } from '../metadata/build-index.js';
import { checkShardLimit } from '../metadata/shard-limit.js';
import { clusterSetting } from '../settings/effective-settings.js';
import { without } from '../own.js';
import type { ClusterState, IndexMetadata, ShardRouting } from '../state.js';
import { withIndices } from '../state-edit.js';
import { hasActiveShards, wantedActiveShards } from './active-shards.js';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

export interface OpenCloseBody {
  readonly uuids: readonly string[];
  readonly waitForActiveShards?: string | null;
}

const CLOSED_MARK = 'index.verified_before_close';

function metasOf(state: ClusterState, uuids: readonly string[]): IndexMetadata[] {
  return uuids.flatMap((uuid) => state.indices.get(uuid) ?? []);
}

/** All copies without a place; each knows where it was. */
function restarted(meta: IndexMetadata, before: readonly (readonly ShardRouting[])[], nowMs: number): ShardRouting[][] {
  const table = unassignedRouting(meta, { reason: 'INDEX_REOPENED', atMs: nowMs }, 'EXISTING_STORE');
  return table.map((copies, shard) => copies.map((copy, i) => {
    const last = before[shard]?.[i];
    const lastNodeId = last?.nodeId ?? last?.unassigned?.lastNodeId;
    return lastNodeId === undefined || copy.unassigned === null ? copy : { ...copy, unassigned: { ...copy.unassigned, lastNodeId } };
  }));
}

/** Makes all copies start again from their own stores; while an index is closed its copies keep their places without running. */
function restart(state: ClusterState, metas: readonly IndexMetadata[], context: TaskContext): ClusterState {
  const routing = new Map(state.routing);
  for (const meta of metas) routing.set(meta.uuid, restarted(meta, state.routing.get(meta.uuid) ?? [], context.nowMs));
  return { ...state, routing };
}

function reopened(meta: IndexMetadata): IndexMetadata {
  const settings = without(meta.settings, new Set([CLOSED_MARK]));
  return withNextTerms({ ...meta, state: 'open', settings, settingsVersion: meta.settingsVersion + 1 });
}

function closed(meta: IndexMetadata): IndexMetadata {
  const settings = { ...meta.settings, [CLOSED_MARK]: 'true' };
  return { ...meta, state: 'close', settings, version: meta.version + 1, settingsVersion: meta.settingsVersion + 1 };
}

function open(state: ClusterState, { uuids, waitForActiveShards }: OpenCloseBody, context: TaskContext): TaskResult {
  const metas = metasOf(state, uuids).filter((meta) => meta.state === 'close').map(reopened);
  checkShardLimit(state, metas.reduce((sum, meta) => sum + meta.numberOfShards * (1 + meta.numberOfReplicas), 0), context.nodeSettings);
  const changed = metas.length === 0 ? state : restart(refreshBlocks(withIndices(state, metas), metas.map((meta) => meta.uuid)), metas, context);
  const answer = { acknowledged: true, shards_acknowledged: true };
  return {
    state: changed,
    answer,
    reroute: 'all',
    until: (later) => metas.every((meta) => hasActiveShards(later, meta.uuid, wantedActiveShards(meta, waitForActiveShards))),
    answerUnmet: { ...answer, shards_acknowledged: false },
  };
}

function refuseStreamWriteIndex(state: ClusterState, meta: IndexMetadata): void {
  const stream = dataStreamOf(state, meta.uuid);
  if (stream?.indices.at(-1) === meta.uuid) {
    throw errors.illegalArgument(`cannot close the following data stream write indices [${meta.name}]`);
  }
}

function close(state: ClusterState, { uuids }: OpenCloseBody): TaskResult {
  if (clusterSetting(state, 'cluster.indices.close.enable') !== 'true') {
    throw errors.refusedState('closing indices is disabled - set [cluster.indices.close.enable: true] to enable it. NOTE: closed indices still consume a significant amount of diskspace');
  }
  const all = metasOf(state, uuids);
  checkIndexBlocks({ ...state, blocks: state.blocks.filter((block) => block.id !== 4) }, all, 'metadata_write');
  for (const meta of all) refuseStreamWriteIndex(state, meta);
  const metas = all.filter((meta) => meta.state === 'open').map(closed);
  const changed = metas.length === 0 ? state : refreshBlocks(withIndices(state, metas), metas.map((meta) => meta.uuid));
  const indices = Object.fromEntries(all.map((meta) => [meta.name, { closed: true }]));
  return { state: changed, answer: { acknowledged: true, shards_acknowledged: all.length > 0, indices } };
}

export const openIndex = defineTask<OpenCloseBody>({ name: 'open-index', priority: 'URGENT', source: ({ uuids }) => `open-indices [${uuids.join(',')}]`, apply: open });

export const closeIndex = defineTask<OpenCloseBody>({ name: 'close-index', priority: 'URGENT', source: ({ uuids }) => `close-indices [${uuids.join(',')}]`, apply: close });
