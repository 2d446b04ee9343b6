import { type ClusterState, type IndexMetadata, noSuchIndex } from '@shoal/state';
import { errors } from '@shoal/errors';
import type { Coordinator } from '../coordinator-api.js';
import type { Analysis, AnalysisOptions } from './analyze-repository.js';
import type { SnapshotIndex, SnapshotInfo } from './snapshot-info.js';
import type { RepositoryPlace, RestoredIndex, RestoredState, SnapshotRequest } from './snapshot-requests.js';
import type { RestoreOutcome, Snapshots } from './snapshots.js';

/** Snapshots of the cluster, callable on any node. */
export interface SnapshotService {
  list(place: RepositoryPlace): Promise<readonly SnapshotInfo[]>;
  /** Creates a snapshot. With `waits` resolves with the finished snapshot, otherwise with null once it has started. */
  create(place: RepositoryPlace, request: SnapshotRequest, waits: boolean): Promise<SnapshotInfo | null>;
  /** On the elected master: goes on with the snapshots of a master before it. */
  resume(): Promise<void>;
  /**
   * Throws repository_conflict_exception (409) for a snapshot that indices are mounted from, besides the one with the
   * uuid `besides`.
   */
  delete(place: RepositoryPlace, snapshots: readonly SnapshotInfo[], besides?: string): Promise<void>;
  cleanup(place: RepositoryPlace): Promise<{ readonly bytes: number; readonly blobs: number }>;
  clone(place: RepositoryPlace, source: SnapshotInfo, name: string, indices: readonly SnapshotIndex[]): Promise<void>;
  restore(
    place: RepositoryPlace,
    snapshot: SnapshotInfo,
    indices: readonly RestoredIndex[],
    more?: RestoredState | null,
  ): Promise<RestoreOutcome>;
  /** Tests whether the repository keeps what snapshots need, with the help of all data and master-eligible nodes. */
  analyze(place: RepositoryPlace, options: AnalysisOptions): Promise<Analysis>;
  /** Returns the ids of the nodes that share the repository: all data and master-eligible nodes must prove it. */
  verify(place: RepositoryPlace): Promise<readonly string[]>;
}

/** `names` are those of `uuids`, for errors; older nodes send none. */
type Sent = Omit<SnapshotRequest, 'indices'> & {
  readonly uuids: readonly string[];
  readonly names?: readonly string[];
};

/** Calls that the master answers to other nodes, by name. */
export type SnapshotCalls = Readonly<Record<string, (body: unknown) => Promise<unknown>>>;

/** Handles calls of other nodes if this node is the master. */
export function snapshotCalls(local: Snapshots, state: () => ClusterState): SnapshotCalls {
  const call =
    <Body>(run: (body: Body) => Promise<unknown>) =>
    (body: unknown) =>
      run(body as Body);
  return {
    'snapshot-list': call<{ place: RepositoryPlace }>(({ place }) => local.list(place)),
    'snapshot-create': call<{ place: RepositoryPlace; request: Sent; waits: boolean }>(
      async ({ place, request: { uuids, names, ...request }, waits }) => {
        const indices = uuids.map((uuid, i) => indexOf(state(), uuid, names?.[i] ?? uuid));
        const { finished } = await local.create(place, { ...request, indices });
        return waits ? finished : null;
      },
    ),
    'snapshot-delete': call<{ place: RepositoryPlace; snapshots: SnapshotInfo[]; besides?: string }>(
      ({ place, snapshots, besides }) => local.delete(place, snapshots, besides),
    ),
    'snapshot-cleanup': call<{ place: RepositoryPlace }>(({ place }) => local.cleanup(place)),
    'snapshot-clone': call<{ place: RepositoryPlace; source: SnapshotInfo; name: string; indices: SnapshotIndex[] }>(
      ({ place, source, name, indices }) => local.clone(place, source, name, indices),
    ),
  };
}

/** An index as the master knows it. Throws index_not_found_exception for one that was deleted meanwhile. */
function indexOf(state: ClusterState, uuid: string, name: string): IndexMetadata {
  const index = state.indices.get(uuid);
  if (!index) throw noSuchIndex(name);
  return index;
}

/** Local snapshots, cluster state and the calls to other nodes. */
export interface MasterSnapshotsOptions {
  readonly local: Snapshots;
  readonly localNodeId: string;
  readonly state: () => ClusterState;
  readonly callNodes: Coordinator['callNodes'];
}

const PROBE_MS = 30_000;

/**
 * Makes the snapshot service. The elected master creates, lists and deletes snapshots, one change of a repository at a
 * time; other nodes forward requests to it. Restores only need the cluster state and run on any node.
 */
export function createMasterSnapshots({
  local,
  localNodeId,
  state,
  callNodes,
}: MasterSnapshotsOptions): SnapshotService {
  const calls = snapshotCalls(local, state);
  /** Ids of the nodes that use repositories. */
  const users = (): string[] =>
    [...state().nodes.values()]
      .filter(({ roles }) => roles.some((role) => role === 'master' || role.startsWith('data')))
      .map(({ id }) => id);
  async function atMaster(name: string, body: unknown): Promise<unknown> {
    const { masterNodeId } = state();
    if (masterNodeId === null) throw errors.masterNotDiscovered(null);
    if (masterNodeId === localNodeId) return calls[name]!(body);
    const [answer] = await callNodes([masterNodeId], name, body);
    if (answer!.error) throw answer!.error;
    return answer!.body;
  }
  return {
    list: async (place) => (await atMaster('snapshot-list', { place })) as SnapshotInfo[],
    create: async (place, { indices, ...request }, waits) =>
      (await atMaster('snapshot-create', {
        place,
        request: { ...request, uuids: indices.map(({ uuid }) => uuid), names: indices.map(({ name }) => name) },
        waits,
      })) as SnapshotInfo | null,
    resume: () => local.resume(),
    delete: async (place, snapshots, besides) =>
      void (await atMaster('snapshot-delete', { place, snapshots, ...(besides === undefined ? {} : { besides }) })),
    cleanup: async (place) => (await atMaster('snapshot-cleanup', { place })) as { bytes: number; blobs: number },
    clone: async (place, source, name, indices) =>
      void (await atMaster('snapshot-clone', { place, source, name, indices })),
    restore: (place, snapshot, indices, more) =>
      local.restore(place, snapshot, indices, more, async () => {
        const all = (await atMaster('snapshot-list', { place })) as SnapshotInfo[];
        return all.some(({ uuid }) => uuid === snapshot.uuid);
      }),
    analyze: (place, options) =>
      local.analyze(place, options, async (blobs) => {
        const others = users().filter((id) => id !== localNodeId);
        const answers = await callNodes(others, 'read-analysed-blobs', blobs, { timeoutMs: options.timeoutMs });
        return answers.flatMap(({ nodeId, body, error }) =>
          (error ? [error.message] : (body as string[])).map((problem) => `[${nodeId}]: ${problem}`),
        );
      }),
    async verify(place) {
      const nodes = users();
      const others = nodes.filter((id) => id !== localNodeId);
      await local.verify(place, async (probe) => {
        const answers = await callNodes(others, 'verify-repository', probe, { timeoutMs: PROBE_MS });
        return answers.flatMap(({ nodeId, error }) => (error ? [{ nodeId, reason: error.message }] : []));
      });
      return nodes;
    },
  };
}
