import {
  featureIndices,
  type RestoredIndex,
  type RestoredState,
  type SnapshotInfo,
  type SnapshotStream,
} from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { Json } from '@shoal/json';
import { type ClusterState, dataStream } from '@shoal/state';
import type { RestRequest } from '../routing/route.js';
import { renamer, restoredFeatures } from './restore-plan.js';

/** The present state, and what is restored into it. */
export interface RestoreTarget {
  readonly state: ClusterState;
  readonly indices: readonly RestoredIndex[];
  readonly subject: RestRequest['subject'];
}

/** Data streams all of whose backing indices are restored, under their new names. */
function restoredStreams(snapshot: SnapshotInfo, body: Json, { state, indices }: RestoreTarget): SnapshotStream[] {
  const byName = new Map(indices.map(({ from, name }) => [from.name, name]));
  const renamed = renamer(body);
  const streams = (snapshot.dataStreams ?? [])
    .filter(({ backing }) => backing.every((name) => byName.has(name)))
    .map((stream) => ({
      ...stream,
      name: renamed(stream.name),
      backing: stream.backing.map((name) => byName.get(name)!),
    }));
  const existing = streams.find(({ name }) => dataStream(state, name));
  if (existing) throw errors.snapshotRestore(`data stream [${existing.name}] already exists`);
  return streams;
}

/**
 * What a restore brings back besides indices: `include_global_state`, `feature_states`, data streams. Throws
 * snapshot_restore_exception for a global state that the snapshot does not have.
 */
export function planRestoredState(
  repository: string,
  snapshot: SnapshotInfo,
  body: Json,
  target: RestoreTarget,
): RestoredState {
  const globalState = body['include_global_state'] === true;
  if (globalState && (snapshot.globalState === undefined || !snapshot.includeGlobalState))
    throw errors.snapshotRestore(
      `[${repository}:${snapshot.name}/${snapshot.uuid}] cannot restore global state since the snapshot was created ` +
        'without global state',
    );
  const features = restoredFeatures(repository, snapshot, body);
  const names = new Set(target.indices.map(({ name }) => name));
  const existing = featureIndices(target.state, features).flatMap(({ indices }) => indices);
  return {
    globalState,
    features,
    replaced: existing.filter(({ name }) => names.has(name)).map(({ uuid }) => uuid),
    streams: restoredStreams(snapshot, body, target),
    authentication: target.subject.authentication,
  };
}
