import { errors } from '@shoal/errors';
import { section } from '@shoal/state';
import { bodyReader, ownProperty } from '@shoal/json';
import { DONE, type LifecycleActionType, waits } from '../step.js';

/** What the action reads of a snapshot lifecycle policy. */
interface KnownPolicy {
  readonly lastSuccess?: { readonly startMs?: number; readonly indices?: readonly string[] };
}

/** Waits until a snapshot policy has taken a snapshot of the index since the action began. */
export const waitForSnapshot: LifecycleActionType = {
  name: 'wait_for_snapshot',
  parse(options) {
    const reader = bodyReader('wait_for_snapshot', options);
    reader.onlyKeys(['policy']);
    const policy = reader.text('policy');
    if (policy === '') throw errors.illegalArgument('policy name must be specified');
    return { policy };
  },
  steps: ({ policy }) => [
    {
      name: 'wait-for-snapshot',
      decide({ state, meta, execution }) {
        const id = String(policy);
        const known = ownProperty(section(state, 'snapshotPolicies'), id) as KnownPolicy | undefined;
        if (known === undefined)
          return {
            kind: 'fail',
            reason: `wait-for-snapshot: policy '${id}' not found, waiting for it to be created or the action to change`,
          };
        const { startMs = -1, indices = [] } = known.lastSuccess ?? {};
        if (startMs < execution.actionTimeMs)
          return waits(
            `waiting for policy '${id}' to be executed since ${new Date(execution.actionTimeMs).toISOString()}`,
          );
        if (!indices.includes(meta.name))
          return { kind: 'fail', reason: `policy '${id}' has taken no snapshot of index [${meta.name}]` };
        return DONE;
      },
    },
  ],
  describe: ({ policy }) => `waits for a snapshot of policy [${String(policy)}]`,
};
