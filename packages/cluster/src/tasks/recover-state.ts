import { endRecovery, recoveryDelayMs } from '../metadata/state-recovery.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/**
 * The time is over that a cluster waited for its data nodes: copies are placed on those that are there, if they are as
 * many as must be.
 */
export const recoverState = defineTask<Readonly<Record<string, never>>>({
  name: 'recover-state',
  priority: 'NORMAL',
  source: () => 'local-gateway-elected-state',
  apply(state, _body, context) {
    const next = Number.isFinite(recoveryDelayMs(state, context.nodeSettings)) ? endRecovery(state) : state;
    return { state: next, answer: ACKNOWLEDGED, ...(next === state ? {} : { reroute: 'all' as const }) };
  },
});
