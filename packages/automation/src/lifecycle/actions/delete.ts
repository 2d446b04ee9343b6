import { bodyReader } from '@shoal/json';
import { dataStreamOf, isMounted, MOUNTED } from '@shoal/state';
import { DONE, type LifecycleActionType, type Step } from '../step.js';

/** Deletes the snapshot of an index that a policy has mounted, and nobody else uses. */
const cleanUpSnapshot: Step = {
  name: 'cleanup-snapshot',
  decide({ meta, execution }) {
    const { snapshotName: snapshot, snapshotRepository: repository } = execution;
    const isOwn = isMounted(meta) && meta.settings[MOUNTED.snapshot] === snapshot;
    if (!isOwn || snapshot === undefined || repository === undefined) return DONE;
    return { kind: 'effect', effect: { kind: 'delete-snapshot', repository, snapshot } };
  },
};

/** Deletes the index; the only index of a data stream with the stream. */
export const deleteIndex: LifecycleActionType = {
  name: 'delete',
  parse(options) {
    const reader = bodyReader('delete', options);
    reader.onlyKeys(['delete_searchable_snapshot']);
    return { delete_searchable_snapshot: reader.optionalBoolean('delete_searchable_snapshot') ?? true };
  },
  steps: (options) => [
    ...(options['delete_searchable_snapshot'] === false ? [] : [cleanUpSnapshot]),
    {
      name: 'delete',
      decide({ state, meta, policy }) {
        const stream = dataStreamOf(state, meta.uuid);
        if (stream?.indices.length === 1)
          return {
            kind: 'effect',
            effect: {
              kind: 'task',
              task: 'delete-data-stream',
              body: { names: [stream.name], onlyWith: meta.uuid },
              action: 'indices:admin/data_stream/delete',
              names: [stream.name],
            },
          };
        if (stream?.indices.at(-1) === meta.uuid)
          return {
            kind: 'fail',
            reason:
              `index [${meta.name}] is the write index for data stream [${stream.name}]. stopping execution of ` +
              `lifecycle [${policy}] as a data stream's write index cannot be deleted. manually rolling over the ` +
              `index will resume the execution of the policy as the index will not be the data stream's write index ` +
              'anymore',
          };
        return {
          kind: 'effect',
          effect: {
            kind: 'task',
            task: 'delete-index',
            body: { uuids: [meta.uuid] },
            action: 'indices:admin/delete',
            names: [meta.name],
          },
        };
      },
    },
  ],
  describe: () => 'deletes the index',
};
