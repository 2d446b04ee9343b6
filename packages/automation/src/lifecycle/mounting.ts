import type { ClusterService } from '@shoal/cluster';
import { mountedIndex, type RepositoryPlace, type SnapshotInfo, type SnapshotService } from '@shoal/coordinator';
import type { Log } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { type ClusterState, type IndexMetadata, MOUNTED, nameIndex } from '@shoal/state';
import type { Effect } from './step.js';

/** Calls by which steps take, mount and delete snapshots. */
export interface MountingDoors {
  readonly cluster: Pick<ClusterService, 'state' | 'waitFor'>;
  readonly snapshots: Pick<SnapshotService, 'list' | 'create' | 'restore' | 'delete'>;
  readonly placeOf: (repository: string) => RepositoryPlace;
  readonly log: Log;
}

/** Milliseconds for the master to create a mounted index. */
const CREATED_MS = 30_000;

type EffectOf<K extends Effect['kind']> = Extract<Effect, { kind: K }>;

async function find(doors: MountingDoors, place: RepositoryPlace, name: string): Promise<SnapshotInfo | undefined> {
  return (await doors.snapshots.list(place)).find((info) => info.name === name);
}

/**
 * Takes a snapshot of one index. One of that name that is complete is that of a master before; one that failed is taken
 * anew. Throws illegal_state_exception for a running one: the step is tried again.
 */
export async function takeSnapshotOf(
  doors: MountingDoors,
  meta: IndexMetadata,
  { repository, snapshot }: EffectOf<'snapshot'>,
): Promise<void> {
  const place = doors.placeOf(repository);
  const known = await find(doors, place, snapshot);
  if (known?.state === 'SUCCESS') return;
  if (known?.state === 'IN_PROGRESS') throw errors.illegalState(`snapshot [${snapshot}] is still being taken`);
  if (known) await doors.snapshots.delete(place, [known]);
  const request = {
    name: snapshot,
    indices: [meta],
    includeGlobalState: false,
    partial: false,
    metadata: meta.lifecycle ? { policy: meta.lifecycle.definition.policy } : null,
  };
  const done = await doors.snapshots.create(place, request, true);
  if (done?.state !== 'SUCCESS')
    throw errors.illegalState(
      `snapshot [${snapshot}] of index [${meta.name}] failed: ${done?.failures[0]?.reason ?? 'unknown'}`,
    );
}

/**
 * Whether the target is mounted, by this call or by a master before. Throws resource_already_exists_exception for an
 * index that only has its name: it replaces nothing, so the step waits until it is gone.
 */
function isThere(state: ClusterState, { repository, snapshot, index, target }: EffectOf<'mount'>): boolean {
  const known = nameIndex(state).get(target);
  if (!known) return false;
  const { settings } = known;
  const isOfSnapshot = settings[MOUNTED.repository] === repository && settings[MOUNTED.snapshot] === snapshot;
  if (isOfSnapshot && settings[MOUNTED.index] === index) return true;
  throw errors.resourceAlreadyExists(
    `index [${target}] exists and is not mounted from [${repository}:${snapshot}/${index}]`,
  );
}

/** Mounts an index of a snapshot under another name; its shards open in the background. */
export async function mountFrom(doors: MountingDoors, effect: EffectOf<'mount'>): Promise<void> {
  const { repository, snapshot, index, target, isPartial } = effect;
  if (isThere(doors.cluster.state(), effect)) return;
  const place = doors.placeOf(repository);
  const info = await find(doors, place, snapshot);
  const from = info?.indices.find(({ name }) => name === index);
  if (!info || !from) throw errors.snapshotMissing(`[${repository}:${snapshot}] is missing`);
  const restoring = doors.snapshots.restore(place, info, [mountedIndex(from, target, isPartial)]);
  restoring.catch((error: unknown) => doors.log.write('warn', 'a mount failed', { target, error }));
  // The step after this one waits for the shards: this one ends when the index is there.
  await Promise.race([restoring, doors.cluster.waitFor((state) => nameIndex(state).has(target), CREATED_MS)]);
  isThere(doors.cluster.state(), effect);
}

const isOfPolicy = ({ metadata }: SnapshotInfo): boolean =>
  (metadata as { readonly policy?: unknown } | null)?.policy !== undefined;

/**
 * Deletes the snapshot that an index is mounted from, before the index is deleted: what it was mounted from is known as
 * long as it is there. A snapshot that is gone already is no error. One that no policy took of this index alone stays:
 * the index may have been mounted by hand from a snapshot of others.
 */
export async function deleteSnapshotOf(
  doors: MountingDoors,
  meta: IndexMetadata,
  { repository, snapshot }: EffectOf<'delete-snapshot'>,
): Promise<void> {
  const place = doors.placeOf(repository);
  const known = await find(doors, place, snapshot);
  if (!known || known.indices.length > 1 || !isOfPolicy(known)) return;
  await doors.snapshots.delete(place, [known], meta.uuid);
}
