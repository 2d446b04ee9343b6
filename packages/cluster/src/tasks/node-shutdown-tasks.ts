import { errors } from '@shoal/errors';
import { type NodeShutdown, nodeShutdowns, shutdownOf } from '../allocation/deciders/node-shutdown.js';
import { withoutKeys, withEntry, withSection } from '../metadata/edit-state.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/** Body of `putNodeShutdown`. */
export interface PutNodeShutdownBody extends Omit<NodeShutdown, 'startedAtMs'> {
  readonly nodeId: string;
}

/** Records that an operator will restart or remove a node. */
export const putNodeShutdown = defineTask<PutNodeShutdownBody>({
  name: 'put-node-shutdown',
  priority: 'URGENT',
  source: ({ nodeId }) => `put-node-shutdown-${nodeId}`,
  apply(state, { nodeId, ...shutdown }, context) {
    const known = shutdownOf(state, nodeId);
    if (
      known &&
      known.type === shutdown.type &&
      known.reason === shutdown.reason &&
      known.targetName === shutdown.targetName &&
      known.delayMs === shutdown.delayMs
    )
      return { state, answer: ACKNOWLEDGED };
    return {
      state: withEntry(state, 'shutdowns', nodeId, { ...shutdown, startedAtMs: context.nowMs }),
      answer: ACKNOWLEDGED,
      reroute: 'all',
    };
  },
});

/** Deletes the announced shutdown of a node, which stays or has returned. */
export const deleteNodeShutdown = defineTask<{ readonly nodeId: string }>({
  name: 'delete-node-shutdown',
  priority: 'URGENT',
  source: ({ nodeId }) => `delete-node-shutdown-${nodeId}`,
  apply(state, { nodeId }) {
    if (!shutdownOf(state, nodeId)) throw errors.resourceNotFound(`node [${nodeId}] is currently not shutting down`);
    return {
      state: withSection(state, 'shutdowns', withoutKeys(nodeShutdowns(state), new Set([nodeId]))),
      answer: ACKNOWLEDGED,
      reroute: 'all',
    };
  },
});
