import { errors } from '@shoal/errors';
import { aliasIndex, type ClusterState, dataStream, type IndexMetadata, nameIndex } from '@shoal/state';
import { unassignedRouting } from '../allocation/unassigned.js';
import { withNextTerms } from '../metadata/build-index.js';
import { withIndex, withRouting } from '../metadata/edit-state.js';
import { refreshBlocks } from '../metadata/refresh-blocks.js';
import { buryUnknown, tombstones } from '../metadata/remove-indices.js';
import { checkShardLimit } from '../metadata/shard-limit.js';
import { ACKNOWLEDGED, defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of `importDangling`: metadata of the index as a node kept it beside its stores. */
export interface ImportDanglingBody {
  readonly metadata: IndexMetadata;
}

function checkNames(state: ClusterState, { name, uuid, aliases }: IndexMetadata): void {
  const cannot = (why: string): Error =>
    errors.illegalArgument(`cannot import dangling index [${name}/${uuid}]: ${why}`);
  if (state.indices.has(uuid)) throw cannot('the cluster has it already');
  // Its nodes delete stores with a tombstone: somebody deleted it after it was listed.
  if (tombstones(state).some((stone) => stone.uuid === uuid)) throw cannot('it was deleted');
  if (nameIndex(state).has(name)) throw cannot('an index of that name exists');
  if (aliasIndex(state).has(name)) throw cannot('an alias of that name exists');
  if (dataStream(state, name)) throw cannot('a data stream of that name exists');
  const taken = Object.keys(aliases).find((alias) => nameIndex(state).has(alias) || dataStream(state, alias));
  if (taken !== undefined) throw cannot(`its alias [${taken}] is the name of an index or a data stream`);
}

function takeBack(state: ClusterState, { metadata }: ImportDanglingBody, context: TaskContext): TaskResult {
  checkNames(state, metadata);
  const { numberOfShards, numberOfReplicas, version } = metadata;
  checkShardLimit(state, numberOfShards * (1 + numberOfReplicas), context.nodeSettings);
  const meta = withNextTerms({ ...metadata, version: version + 1 });
  const cause = { reason: 'DANGLING_INDEX_IMPORTED', atMs: context.nowMs };
  const table = unassignedRouting(meta, cause, 'EXISTING_STORE');
  return {
    state: refreshBlocks(withRouting(withIndex(state, meta), meta.uuid, table), [meta.uuid]),
    answer: ACKNOWLEDGED,
    reroute: 'all',
  };
}

/** Takes an index back whose stores nodes have, and which the cluster does not know. */
export const importDangling = defineTask<ImportDanglingBody>({
  name: 'import-dangling',
  priority: 'NORMAL',
  source: ({ metadata: { name, uuid } }) => `import dangling index [${name}/${uuid}]`,
  apply: takeBack,
});

/** Body of `deleteDangling`. */
export interface DeleteDanglingBody {
  readonly uuid: string;
  readonly name: string;
}

/** Buries an index that the cluster does not know: nodes delete its stores because of the tombstone. */
export const deleteDangling = defineTask<DeleteDanglingBody>({
  name: 'delete-dangling',
  priority: 'NORMAL',
  source: ({ uuid, name }) => `delete dangling index [${name}/${uuid}]`,
  apply(state, { uuid, name }, { nowMs }) {
    if (state.indices.has(uuid)) throw errors.illegalArgument(`index [${name}/${uuid}] is not dangling`);
    return { state: buryUnknown(state, { uuid, name, deletedAtMs: nowMs }), answer: ACKNOWLEDGED };
  },
});
