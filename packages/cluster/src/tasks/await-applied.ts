import { ACKNOWLEDGED, defineTask } from './task.js';

/**
 * Changes nothing: like any task it is answered once all nodes have applied the state that it found, so that whoever
 * asked can send the next request to any of them.
 */
export const awaitApplied = defineTask<Record<string, never>>({
  name: 'await-applied',
  priority: 'LANGUID',
  source: () => 'await-applied',
  apply: (state) => ({ state, answer: ACKNOWLEDGED }),
});
