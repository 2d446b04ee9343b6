import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { Subject } from '@shoal/security';
import type { IndexMetadata } from '@shoal/state';
import type { Effect } from './step.js';

/** Calls by which steps change the cluster. */
export interface EffectDoors {
  readonly cluster: Pick<ClusterService, 'submit'>;
  readonly coordinator: Pick<Coordinator, 'broadcast'>;
}

/** Does what a step asks for. Throws the 403 of an action that the author of the policy is not granted. */
export async function performEffect(
  doors: EffectDoors,
  meta: IndexMetadata,
  effect: Effect,
  author: Subject,
): Promise<void> {
  const action = effect.kind === 'task' ? effect.action : 'indices:admin/forcemerge';
  const names = effect.kind === 'task' ? effect.names : [meta.name];
  const access = author.permissions.indexAccess(action);
  const refused = names.filter((name) => !access.allows(name));
  if (refused.length > 0) throw author.denied(action, refused);
  if (effect.kind === 'task') {
    await doors.cluster.submit(effect.task, effect.body);
    return;
  }
  const body = { maxNumSegments: effect.segmentsMax, onlyExpungeDeletes: false, flush: true };
  const { failures } = await doors.coordinator.broadcast([meta], 'force_merge', body);
  if (failures.length > 0) throw failures[0]!.error;
}
