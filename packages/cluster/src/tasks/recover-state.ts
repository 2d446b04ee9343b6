import { endRecovery, recoveryDelayMs } from '../metadata/state-recovery.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/**
 * Ends the wait of a fully restarted cluster for its data nodes, if at least `gateway.recover_after_data_nodes` have
 * joined. Copies are then assigned to the present nodes.
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
