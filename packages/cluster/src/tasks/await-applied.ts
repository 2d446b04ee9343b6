import { ACKNOWLEDGED, defineTask } from './task.js';

/**
 * Changes nothing. Like every task it is answered after all nodes have applied the state before it, so that the caller
 * may send its next request to any node.
 */
export const awaitApplied = defineTask<Record<string, never>>({
  name: 'await-applied',
  priority: 'LANGUID',
  source: () => 'await-applied',
  apply: (state) => ({ state, answer: ACKNOWLEDGED }),
});
