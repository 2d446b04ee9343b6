import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { Subject } from '@shoal/security';
import type { IndexMetadata } from '@shoal/state';
import type { Downsample } from '../downsample/downsample.js';
import { deleteSnapshotOf, mountFrom, type MountingDoors, takeSnapshotOf } from './mounting.js';
import type { Effect } from './step.js';

/** Calls by which steps change the cluster. */
export interface EffectDoors extends MountingDoors {
  readonly cluster: Pick<ClusterService, 'submit' | 'state' | 'waitFor'>;
  readonly coordinator: Pick<Coordinator, 'broadcast'>;
  readonly downsample: Downsample;
}

/** Actions on snapshots that the author of the policy must be granted. */
const CLUSTER_ACTIONS: Partial<Record<Effect['kind'], string>> = {
  snapshot: 'cluster:admin/snapshot/create',
  mount: 'cluster:admin/snapshot/mount',
  'delete-snapshot': 'cluster:admin/snapshot/delete',
};

async function performOnSnapshots(doors: EffectDoors, meta: IndexMetadata, effect: Effect): Promise<void> {
  if (effect.kind === 'snapshot') await takeSnapshotOf(doors, meta, effect);
  if (effect.kind === 'mount') await mountFrom(doors, effect);
  if (effect.kind === 'delete-snapshot') await deleteSnapshotOf(doors, meta, effect);
}

/** What the author of the policy must be granted on indices. */
function needs(
  { name }: IndexMetadata,
  effect: Effect,
): { readonly action: string; readonly names: readonly string[] } {
  if (effect.kind === 'task') return effect;
  if (effect.kind === 'downsample') return { action: 'indices:admin/xpack/downsample', names: [name, effect.target] };
  return { action: 'indices:admin/forcemerge', names: [name] };
}

/** Does what a step asks for. Throws the 403 of an action that the author of the policy is not granted. */
export async function performEffect(
  doors: EffectDoors,
  meta: IndexMetadata,
  effect: Effect,
  author: Subject,
): Promise<void> {
  const clusterAction = CLUSTER_ACTIONS[effect.kind];
  if (clusterAction !== undefined) {
    if (!author.permissions.allowsCluster(clusterAction)) throw author.denied(clusterAction);
    return performOnSnapshots(doors, meta, effect);
  }
  const { action, names } = needs(meta, effect);
  const access = author.permissions.indexAccess(action);
  const refused = names.filter((name) => !access.allows(name));
  if (refused.length > 0) throw author.denied(action, refused);
  if (effect.kind === 'task') {
    await doors.cluster.submit(effect.task, effect.body);
    return;
  }
  if (effect.kind === 'downsample') {
    await doors.downsample({ source: meta.name, target: effect.target, interval: effect.interval });
    return;
  }
  if (effect.kind !== 'force-merge') return;
  const body = { maxNumSegments: effect.segmentsMax, onlyExpungeDeletes: false, flush: true };
  const { failures } = await doors.coordinator.broadcast([meta], 'force_merge', body);
  if (failures.length > 0) throw failures[0]!.error;
}
