import type { ClusterState } from '@shoal/state';
import { errors } from '@shoal/errors';
import { operationMode } from '@shoal/state';
import { ML_ROLE } from './jobs/job-task.js';
import type { MlDoors } from './ml-doors.js';

const LOOK_MS = 50;

/** Whether machine learning is held: its tasks are on no node, and what changes its indices is refused. */
export const isHeld = (state: ClusterState): boolean => operationMode(state, 'ml') !== 'RUNNING';

/** Throws status_exception (429, 8.12's words) for an action that changes indices while machine learning is held. */
export function checkNotHeld(state: ClusterState, action: string): void {
  if (!isHeld(state)) return;
  throw errors.status(`Cannot perform ${action} action while upgrade mode is enabled`, { status: 429 });
}

/**
 * Holds machine learning, or lets it go on. Holding resolves when no node works at a task any more, so that indices can
 * be changed from outside; what jobs were given since their checkpoints is in their journals.
 */
export async function setUpgradeMode(doors: MlDoors, enabled: boolean, timeoutMs: number): Promise<void> {
  const { cluster, coordinator, clock } = doors;
  await cluster.submit('set-ml-upgrade-mode', { enabled }, { timeoutMs });
  if (!enabled) return;
  const untilMs = clock.monotonic() + timeoutMs;
  for (;;) {
    const nodes = [...cluster.state().nodes.values()].filter(({ roles }) => roles.includes(ML_ROLE));
    const ids = nodes.map(({ id }) => id);
    const answers = await coordinator.callNodes(ids, 'ml-running-tasks', {});
    if (answers.every(({ error, body }) => error !== null || (body as { count: number }).count === 0)) return;
    if (clock.monotonic() > untilMs)
      throw errors.timeout(`tasks of machine learning did not end within [${timeoutMs}ms]`, { status: 408 });
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
  }
}
