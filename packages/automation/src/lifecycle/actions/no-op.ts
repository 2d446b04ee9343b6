import { bodyReader } from '@shoal/json';
import { DONE, type LifecycleActionType } from '../step.js';

/** Moves an index to the nodes of its tier. Every data node is of every tier, so there is nowhere to move it to. */
export const migrate: LifecycleActionType = {
  name: 'migrate',
  parse(options) {
    const reader = bodyReader('migrate', options);
    reader.onlyKeys(['enabled']);
    return { enabled: reader.optionalBoolean('enabled') ?? true };
  },
  steps: () => [{ name: 'migrate', decide: () => DONE }],
  describe: () => 'nothing: all data nodes are of one tier',
};

/** Makes a follower of cross-cluster replication a regular index. There are no followers. */
export const unfollow: LifecycleActionType = {
  name: 'unfollow',
  parse(options) {
    bodyReader('unfollow', options).onlyKeys([]);
    return {};
  },
  steps: () => [{ name: 'wait-for-indexing-complete', decide: () => DONE }],
  describe: () => 'nothing: the index follows no other index',
};
