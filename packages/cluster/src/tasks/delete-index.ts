import { errors } from '@shoal/errors';
import { dataStreamOf, checkIndexBlocks, type ClusterState } from '@shoal/state';
import { withEntry } from '../metadata/edit-state.js';
import { removeIndices } from '../metadata/remove-indices.js';
import { ACKNOWLEDGED, defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of `deleteIndex`. */
export interface DeleteIndexBody {
  /** Uuids of the indices. Names were resolved when the request arrived. */
  readonly uuids: readonly string[];
}

function refuseWriteIndex(state: ClusterState, uuid: string): void {
  const stream = dataStreamOf(state, uuid);
  const meta = state.indices.get(uuid);
  if (stream && meta && stream.indices.at(-1) === uuid) {
    throw errors.illegalArgument(
      `index [${meta.name}] is the write index for data stream [${stream.name}] and cannot be deleted`,
    );
  }
}

function leaveDataStream(state: ClusterState, uuid: string): ClusterState {
  const stream = dataStreamOf(state, uuid);
  return stream
    ? withEntry(state, 'dataStreams', stream.name, {
        ...stream,
        indices: stream.indices.filter((other) => other !== uuid),
      })
    : state;
}

/** Throws if a block forbids deletion. `read_only_allow_delete` does not forbid it. */
function checkBlocks(state: ClusterState, uuids: readonly string[]): void {
  const metas = uuids.flatMap((uuid) => state.indices.get(uuid) ?? []);
  const deletable = { ...state, blocks: state.blocks.filter((block) => block.id !== 12 && block.id !== 13) };
  checkIndexBlocks(deletable, metas, 'metadata_write');
}

function apply(state: ClusterState, { uuids }: DeleteIndexBody, context: TaskContext): TaskResult {
  checkBlocks(state, uuids);
  for (const uuid of uuids) refuseWriteIndex(state, uuid);
  const left = uuids.reduce(leaveDataStream, state);
  return { state: removeIndices(left, uuids, context.nowMs), answer: ACKNOWLEDGED };
}

/** Deletes indices. */
export const deleteIndex = defineTask<DeleteIndexBody>({
  name: 'delete-index',
  priority: 'URGENT',
  source: ({ uuids }) => `delete-index [${uuids.join(',')}]`,
  apply,
});
