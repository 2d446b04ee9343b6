import { type IndexMetadata, isActive, snapshotInUse } from '@shoal/state';
import { newUuid, type Channel, type Clock, type Files, type Log, type Random, sendMessage } from '@shoal/doors';
import { errors, isApiError, toApiError } from '@shoal/errors';
import { snapshotSections } from '@shoal/cluster';
import { shard } from '@shoal/protocol';
import type { ClusterAccess } from '../cluster-access.js';
import { decodeJson, encodeJson } from '../json-bytes.js';
import { type Analysis, type AnalysisDoors, type AnalysisOptions, analyzeRepository } from './analyze-repository.js';
import { indexFolder, readCatalog, removeCatalogLeftovers } from './catalog.js';
import { featureIndices, type FeatureState } from './features.js';
import {
  describeGlobalState,
  readGlobalState,
  removeStates,
  strayStates,
  streamsOf,
  writeGlobalState,
} from './global-state.js';
import { type Doomed, filesOnlyOf, newestManifest, removeFiles, sharedFolder, strayFiles } from './shared-files.js';
import {
  describeRunning,
  type Ending,
  isRunning,
  requestOf,
  RUNNING_SECTION,
  type RunningSnapshot,
  runningKey,
  runningSnapshots,
} from './running-snapshots.js';
import { copyOldFiles, removeStrayFolders } from './old-folders.js';
import { checkPrimaries, isGivenUp, nodeOfPrimary, primariesOf } from './primaries.js';
import { MASTER_PROBE, type ProbeFailure, type RepositoryProbe } from './probe-repository.js';
import { checkWritable, inaccessible, unusable } from './repository-failures.js';
import { beginChange, type RepositoryChange } from './repository-change.js';
import type { RepositoryPlace, RestoredIndex, RestoredState, SnapshotRequest } from './snapshot-requests.js';
import { mountedFiles, mountedFrom, mountSettings } from './mount-settings.js';
import {
  describeIndex,
  type ShardFiles,
  type SnapshotFailure,
  type SnapshotIndex,
  type SnapshotInfo,
  type SnapshotStream,
} from './snapshot-info.js';
import { WrittenCatalogs } from './written-catalogs.js';

/** Cluster, files and channels that snapshots use. */
export interface SnapshotsContext {
  readonly cluster: ClusterAccess;
  readonly localNodeId: string;
  readonly channel: (nodeId: string) => Channel;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Bytes of memory for the catalogs of repositories that this node wrote last. */
  readonly catalogBytesMax: number;
}

/** Prefix of folders that only test whether a repository is writable. */
const PROBE = 'tests-';
/** Number of shards, and of those that could not be restored. */
export interface RestoreOutcome {
  readonly total: number;
  readonly failed: number;
}

/** Limit for waiting until this node has applied the restored index, before its shards are checked. */
const APPLY_MS = 30_000;

const NO_FILES: ShardFiles = { files: [], bytes: 0, documents: 0 };

/**
 * Creates, lists, deletes, clones and restores snapshots in folders. Snapshots of a repository share files. Whatever
 * writes to a repository waits for what writes to it already, so that no file is deleted that a snapshot is about to
 * refer to.
 */
export class Snapshots {
  readonly #context: SnapshotsContext;
  readonly #catalogs: WrittenCatalogs;
  readonly #running = new Map<string, SnapshotInfo>();
  /** What ends running snapshots, by uuid. */
  readonly #endings = new Map<string, Ending>();
  /** The last work on a repository, by folder; the next one waits for it. */
  readonly #works = new Map<string, Promise<unknown>>();

  constructor(context: SnapshotsContext) {
    this.#context = context;
    this.#catalogs = new WrittenCatalogs(context.catalogBytesMax);
  }

  /** Returns finished and running snapshots, oldest first. */
  async list({ repository, folder }: RepositoryPlace): Promise<readonly SnapshotInfo[]> {
    const finished = await this.#catalogs.read(this.#context.files, folder);
    const known = new Map(
      Object.entries(runningSnapshots(this.#context.cluster.state())).map(([key, { info }]) => [key, info]),
    );
    const done = new Set(finished.map(({ uuid }) => uuid));
    const running = [...known, ...this.#running]
      .filter(([key, { uuid }]) => key.startsWith(`${repository}/`) && !done.has(uuid))
      .map(([key, info]) => this.#running.get(key) ?? info)
      .filter((info, i, all) => all.indexOf(info) === i);
    return [...finished, ...running].sort((a, b) => a.startedAtMs - b.startedAtMs);
  }

  /** Starts a snapshot. `finished` resolves once it is in the catalog. Throws if the name is in use. */
  async create(
    place: RepositoryPlace,
    request: SnapshotRequest,
  ): Promise<{ readonly finished: Promise<SnapshotInfo> }> {
    const { name } = request;
    checkWritable(place, 'create snapshot in a');
    const { indices, featureStates, streams } = this.#contents(request);
    if ((await this.list(place)).some((info) => info.name === name)) {
      throw errors.snapshotNameInUse(
        `[${place.repository}:${name}] Invalid snapshot name [${name}], snapshot with the same name already exists`,
      );
    }
    const uuid = newUuid(this.#context.random);
    if (!request.partial) checkPrimaries(this.#context.cluster.state(), `${place.repository}:${name}/${uuid}`, indices);
    const info: SnapshotInfo = {
      name,
      uuid,
      state: 'IN_PROGRESS',
      indices: indices.map((index) => describeIndex(index, [])),
      includeGlobalState: request.includeGlobalState,
      metadata: request.metadata,
      startedAtMs: this.#context.clock.now(),
      endedAtMs: 0,
      failures: [],
      totalShards: indices.reduce((sum, index) => sum + index.numberOfShards, 0),
      ...(featureStates.length === 0 ? {} : { featureStates }),
      ...(streams.length === 0 ? {} : { dataStreams: streams }),
    };
    const whole = { ...request, indices };
    const key = runningKey(place, name);
    this.#running.set(key, info);
    try {
      const value = describeRunning(place, info, whole);
      await this.#context.cluster.submit('put-entry', { section: RUNNING_SECTION, name: key, value });
    } catch (error) {
      this.#running.delete(key);
      throw error;
    }
    return { finished: this.#run(place, info, whole, []) };
  }

  /** Takes a snapshot that the cluster state knows, once the repository is free. */
  #run(
    place: RepositoryPlace,
    info: SnapshotInfo,
    request: SnapshotRequest,
    lost: readonly SnapshotFailure[],
  ): Promise<SnapshotInfo> {
    const { cluster, log } = this.#context;
    const key = runningKey(place, info.name);
    const { term } = cluster.state();
    const abort = new AbortController();
    this.#running.set(key, info);
    const finished = this.#inOrder(place, () => this.#take(place, info, request, lost, abort.signal)).finally(
      async () => {
        this.#running.delete(key);
        this.#endings.delete(info.uuid);
        // The master that comes after this one takes it again.
        if (cluster.state().term === term) await this.#forget(key);
        else await this.resume();
      },
    );
    this.#endings.set(info.uuid, { abort, finished });
    finished.catch((error: unknown) => {
      const fields = { repository: place.repository, snapshot: info.name };
      if (abort.signal.aborted) log.write('info', 'a snapshot was deleted before it was complete', fields);
      else log.write('error', 'a snapshot failed', { ...fields, error });
    });
    return finished;
  }

  async #forget(key: string): Promise<void> {
    await this.#context.cluster
      .submit('delete-entries', { section: RUNNING_SECTION, names: [key] })
      .catch((error: unknown) => this.#context.log.write('warn', 'a snapshot that ended is still listed', { error }));
  }

  /** On the elected master: goes on with the snapshots of a master before it. Resolves once they have begun. */
  async resume(): Promise<void> {
    const { cluster, files, log } = this.#context;
    const state = cluster.state();
    if (state.masterNodeId === null || state.masterNodeId !== this.#context.localNodeId) return;
    for (const [key, running] of Object.entries(runningSnapshots(state))) {
      if (this.#running.has(key)) continue;
      const { place, info } = running;
      const isDone = await readCatalog(files, place.folder).then(
        (all) => all.some(({ uuid }) => uuid === info.uuid),
        () => false,
      );
      if (isDone || running.isAborted) await this.#forget(key);
      else if (!this.#running.has(key)) {
        const { request, lost } = requestOf(state, running);
        log.write('info', 'goes on with a snapshot', { repository: place.repository, snapshot: info.name });
        void this.#run(place, info, request, lost);
      }
    }
  }

  /** Indices of a snapshot with those of features, and the data streams that they make up. */
  #contents({ indices, features = [] }: SnapshotRequest): {
    readonly indices: readonly IndexMetadata[];
    readonly featureStates: readonly FeatureState[];
    readonly streams: readonly SnapshotStream[];
  } {
    const state = this.#context.cluster.state();
    const own = features.length === 0 ? [] : featureIndices(state, features);
    const all = new Map([...indices, ...own.flatMap((one) => one.indices)].map((index) => [index.uuid, index]));
    const featureStates = own.map((one) => ({
      feature_name: one.feature,
      indices: one.indices.map(({ name }) => name),
    }));
    return {
      indices: [...all.values()],
      featureStates: featureStates.filter((one) => one.indices.length > 0),
      streams: streamsOf(state, new Set(all.keys())),
    };
  }

  async #take(
    place: RepositoryPlace,
    info: SnapshotInfo,
    request: SnapshotRequest,
    lost: readonly SnapshotFailure[],
    signal: AbortSignal,
  ): Promise<SnapshotInfo> {
    const { cluster, clock, files } = this.#context;
    const { folder } = place;
    const { term } = cluster.state();
    const change = await beginChange(this.#context, this.#catalogs, folder);
    const { before } = change;
    const global = describeGlobalState(cluster.state(), info.includeGlobalState, request.features ?? []);
    const globalState = global === null ? null : await writeGlobalState(files, folder, global, change);
    const failures: SnapshotFailure[] = [...lost];
    const indices: SnapshotIndex[] = [];
    for (const index of request.indices) indices.push(await this.#takeIndex(place, change, index, failures, signal));
    if (signal.aborted) {
      await this.#removeStrays(folder, change);
      throw errors.snapshot(`[${place.repository}:${info.name}] Snapshot was aborted by deletion`);
    }
    const state = failures.length === 0 ? 'SUCCESS' : request.partial ? 'PARTIAL' : 'FAILED';
    const kept = globalState === null ? {} : { globalState };
    const done: SnapshotInfo = { ...info, ...kept, indices, failures, state, endedAtMs: clock.now() };
    if (cluster.state().term !== term) throw errors.illegalState('the master has changed while the snapshot was taken');
    await change.write([...before.filter(({ uuid }) => uuid !== done.uuid), done]);
    await change.confirm();
    return done;
  }

  async #takeIndex(
    { folder: repository, snapshotRate, isSourceOnly }: RepositoryPlace,
    { before, number: change }: RepositoryChange,
    index: IndexMetadata,
    failures: SnapshotFailure[],
    signal: AbortSignal,
  ): Promise<SnapshotIndex> {
    const folder = sharedFolder(repository, index.uuid);
    const mounted = isSourceOnly ? null : mountedFiles(index, before);
    if (mounted) return { ...describeIndex(index, mounted.shards), ...mounted };
    const from = mountedFrom(index);
    const shards: ShardFiles[] = [];
    for (let number = 0; number < index.numberOfShards && !signal.aborted; number++) {
      try {
        const base = newestManifest(before, index.uuid, number);
        const rate = snapshotRate === undefined ? {} : { bytesPerSecond: snapshotRate };
        const body = { folder, base, change, ...rate, ...(isSourceOnly ? { isSourceOnly } : {}), ...from(number) };
        const written = await this.#write(index, number, body, signal);
        // A node of an older version writes documents under names that its next snapshot would write over.
        if (written.primaryTerm === undefined)
          throw errors.illegalState('the node of the primary has an older version, which cannot share files');
        shards.push(written);
      } catch (error) {
        failures.push({ index: index.name, shard: number, reason: toApiError(error).message });
        shards.push(NO_FILES);
      }
    }
    // Its mapping may have got fields since, which documents in the snapshot have.
    return { ...describeIndex(this.#context.cluster.state().indices.get(index.uuid) ?? index, shards), layout: 2 };
  }

  /** Lets the primary of a shard write what the repository lacks of it. */
  async #write(index: IndexMetadata, number: number, body: unknown, signal: AbortSignal): Promise<ShardFiles> {
    const nodeId = nodeOfPrimary(this.#context.cluster.state(), index, number);
    if (nodeId === null) throw errors.noShardAvailable('primary shard is not allocated');
    const request = {
      shard: { indexUuid: index.uuid, shard: number },
      indexName: index.name,
      action: 'snapshot',
      body: encodeJson(body),
    };
    const answer = await sendMessage(this.#context.channel(nodeId), shard.methods.call, request, { signal });
    return decodeJson(answer.body) as ShardFiles;
  }

  /** Runs work on a repository after the work before it. Throws repository_exception if its files cannot be used. */
  #inOrder<T>({ repository, folder }: RepositoryPlace, work: () => Promise<T>): Promise<T> {
    const next = (this.#works.get(folder) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      throw isApiError(error) ? error : unusable(repository, error);
    });
    const ended = next
      .catch(() => undefined)
      .then(() => {
        if (this.#works.get(folder) === ended) this.#works.delete(folder);
      });
    this.#works.set(folder, ended);
    return next;
  }

  /**
   * Ends running snapshots at the file that is being written, and deletes what they wrote. Resolves with those that
   * were complete before, once all have ended.
   */
  async #abort(place: RepositoryPlace, snapshots: readonly SnapshotInfo[]): Promise<readonly SnapshotInfo[]> {
    // Snapshots of a master before this one, which has not begun with them yet.
    if (snapshots.length > 0) await this.resume();
    const ended = await Promise.all(snapshots.map((info) => this.#abortOne(place, info)));
    return ended.filter((info) => info !== null);
  }

  async #abortOne(place: RepositoryPlace, info: SnapshotInfo): Promise<SnapshotInfo | null> {
    const { cluster } = this.#context;
    const key = runningKey(place, info.name);
    const ending = this.#endings.get(info.uuid);
    if (!ending && this.#running.get(key)?.uuid === info.uuid)
      throw errors.refusedState(`[${place.repository}:${info.name}] cannot delete a snapshot that is just beginning`);
    if (!ending) return info;
    ending.abort.abort();
    const entry = runningSnapshots(cluster.state())[key];
    // The master that comes after this one forgets it.
    if (entry?.info.uuid === info.uuid) {
      const value: RunningSnapshot = { ...entry, isAborted: true };
      await cluster.submit('put-entry', { section: RUNNING_SECTION, name: key, value });
    }
    return ending.finished.catch(() => null);
  }

  /** Removes snapshots from the catalog, then deletes their files; as `SnapshotService.delete`. */
  async delete(place: RepositoryPlace, snapshots: readonly SnapshotInfo[], besides?: string): Promise<void> {
    const { folder } = place;
    checkWritable(place, 'delete snapshot from a');
    const [running, finished] = [snapshots.filter(isRunning), snapshots.filter((info) => !isRunning(info))];
    const complete = [...finished, ...(await this.#abort(place, running))];
    if (complete.length === 0) return;
    const uuids = new Set(complete.map((info) => info.uuid));
    const checkUnused = (): void => {
      const inUse = snapshotInUse(this.#context.cluster.state(), place.repository, uuids, besides);
      if (inUse) throw inUse;
    };
    await this.#inOrder(place, () => {
      checkUnused();
      return this.#deleteAll(folder, uuids, checkUnused);
    });
  }

  /**
   * Deletes snapshots. A mount creates its index before it looks whether the snapshot is still there, and a deletion
   * takes the snapshot out before it looks for such indices once more: one of them sees the other, and steps back.
   */
  async #deleteAll(folder: string, uuids: ReadonlySet<string>, checkUnused: () => void): Promise<void> {
    const { files } = this.#context;
    const change = await beginChange(this.#context, this.#catalogs, folder);
    const { before: all } = change;
    const [gone, kept] = [all.filter(({ uuid }) => uuids.has(uuid)), all.filter(({ uuid }) => !uuids.has(uuid))];
    const doomed = await filesOnlyOf(files, folder, gone, kept);
    const states = await strayStates(files, folder, kept);
    await change.write(kept);
    try {
      checkUnused();
    } catch (error) {
      await change.write(all);
      await change.confirm();
      throw error;
    }
    await change.confirm();
    await this.#removeOf(folder, { uuids, doomed, states }).catch((error: unknown) =>
      this.#context.log.write('warn', 'files of deleted snapshots were left, a cleanup finds them', { folder, error }),
    );
  }

  /** Deletes the files of snapshots that are in no catalog any more. */
  async #removeOf(
    folder: string,
    { uuids, doomed, states }: { uuids: ReadonlySet<string>; doomed: Doomed; states: readonly string[] },
  ): Promise<void> {
    const { files } = this.#context;
    for (const uuid of uuids) await files.removeFolder(`${folder}/${uuid}`);
    await removeFiles(files, folder, doomed);
    await removeStates(files, folder, states);
  }

  /**
   * Verifies a repository: writes a file and lets `others`, the nodes that answer `verify-repository`, read it and
   * write their own. Throws repository_verification_exception with the nodes that fail. Of a repository that may not be
   * changed only the catalog is read, by this node.
   */
  async verify(
    { repository, folder, isReadOnly }: RepositoryPlace,
    others: (probe: RepositoryProbe) => Promise<readonly ProbeFailure[]> = async () => [],
  ): Promise<void> {
    const { files, random } = this.#context;
    if (isReadOnly) {
      await readCatalog(files, folder).catch((error: unknown) => {
        throw inaccessible(repository, error);
      });
      return;
    }
    const probe = { folder: `${folder}/${PROBE}${newUuid(random)}` };
    try {
      await files.replace(`${probe.folder}/${MASTER_PROBE}`, encodeJson(repository));
    } catch (error) {
      throw inaccessible(repository, error);
    }
    const failures = await others(probe).finally(() => files.removeFolder(probe.folder));
    if (failures.length > 0)
      throw errors.repositoryVerification(
        `[${repository}] [${failures.map(({ nodeId, reason }) => `[${nodeId}, '${reason}']`).join(', ')}]`,
      );
  }

  /** Tests whether a repository keeps what snapshots need; `others` lets other nodes read. */
  async analyze(place: RepositoryPlace, options: AnalysisOptions, others: AnalysisDoors['others']): Promise<Analysis> {
    checkWritable(place, 'analyze a');
    const { files, clock, random } = this.#context;
    return analyzeRepository(place.folder, options, { files, clock, random, others });
  }

  /** Deletes what no snapshot refers to. Other files stay: the folder may contain another repository. */
  async cleanup(place: RepositoryPlace): Promise<{ readonly bytes: number; readonly blobs: number }> {
    checkWritable(place, 'run cleanup on');
    return this.#inOrder(place, async () => {
      const { files } = this.#context;
      const { folder } = place;
      const change = await beginChange(this.#context, this.#catalogs, folder);
      const strays = await this.#removeStrays(folder, change);
      const known = new Set((await this.list(place)).map((info) => info.uuid));
      const old = await removeStrayFolders(files, folder, known);
      await removeCatalogLeftovers(files, folder);
      return { bytes: old.bytes + strays.bytes, blobs: old.blobs + strays.blobs };
    });
  }

  /** Confirms a change that writes no catalog, and deletes the shared files that no snapshot refers to. */
  async #removeStrays(
    folder: string,
    change: RepositoryChange,
  ): Promise<{ readonly bytes: number; readonly blobs: number }> {
    const { files } = this.#context;
    const strays = await strayFiles(files, folder, change.before);
    const stray = await strayStates(files, folder, change.before);
    await change.confirm();
    const shared = await this.#removeShared(folder, strays);
    const states = await removeStates(files, folder, stray);
    return { bytes: shared.bytes + states.bytes, blobs: shared.blobs + states.blobs };
  }

  async #removeShared(folder: string, strays: Doomed): Promise<{ readonly bytes: number; readonly blobs: number }> {
    const { files } = this.#context;
    const before = await files.folderSize(`${folder}/data`);
    await removeFiles(files, folder, strays);
    const blobs = strays.reduce((sum, { names }) => sum + names.length, 0);
    return { bytes: before - (await files.folderSize(`${folder}/data`)), blobs };
  }

  /** Copies some indices of a snapshot to a new snapshot. */
  async clone(
    place: RepositoryPlace,
    source: SnapshotInfo,
    name: string,
    indices: readonly SnapshotIndex[],
  ): Promise<void> {
    const { clock, random } = this.#context;
    checkWritable(place, 'create snapshot in a');
    if ((await this.list(place)).some((info) => info.name === name)) {
      throw errors.snapshotNameInUse(
        `[${place.repository}:${name}] Invalid snapshot name [${name}], snapshot with the same name already exists`,
      );
    }
    const uuid = newUuid(random);
    const startedAtMs = clock.now();
    const totalShards = indices.reduce((sum, index) => sum + index.shards.length, 0);
    await this.#inOrder(place, async () => {
      const change = await beginChange(this.#context, this.#catalogs, place.folder);
      const { before: all } = change;
      if (!all.some((info) => info.uuid === source.uuid))
        throw errors.snapshotMissing(`[${place.repository}:${source.name}] is missing`);
      for (const index of indices)
        if (index.layout !== 2) await copyOldFiles(this.#context.files, place.folder, source.uuid, uuid, index);
      const copy: SnapshotInfo = { ...source, name, uuid, indices, totalShards, startedAtMs, endedAtMs: clock.now() };
      await change.write([...all, copy]);
      await change.confirm();
    });
  }

  /**
   * Creates the indices; the nodes of their primaries restore the files. Resolves when all shards have started or
   * failed. `isThere` asks the master whether it still has the snapshot: a mount of one that is gone takes its index
   * back and throws snapshot_restore_exception.
   */
  async restore(
    place: RepositoryPlace,
    snapshot: SnapshotInfo,
    indices: readonly RestoredIndex[],
    more: RestoredState | null = null,
    isThere: () => Promise<boolean> = async () => true,
  ): Promise<RestoreOutcome> {
    const outcomes: RestoreOutcome[] = [];
    if (more) await this.#restoreState(place, snapshot, more);
    for (const index of indices) outcomes.push(await this.#restoreIndex(place, snapshot, index, isThere));
    if (more && more.streams.length > 0)
      await this.#context.cluster.submit('restore-data-streams', { streams: more.streams });
    const sum = (key: keyof RestoreOutcome): number => outcomes.reduce((total, outcome) => total + outcome[key], 0);
    return { total: sum('total'), failed: sum('failed') };
  }

  async #restoreState({ folder }: RepositoryPlace, { globalState }: SnapshotInfo, more: RestoredState): Promise<void> {
    const { cluster, files } = this.#context;
    const { features, replaced, authentication } = more;
    if (globalState !== undefined && (more.globalState || features.length > 0)) {
      const { persistentSettings, sections } = await readGlobalState(files, folder, globalState);
      const names = snapshotSections(more.globalState, features);
      const wanted = Object.entries(sections).filter(([name]) => names.includes(name));
      await cluster.submit('restore-global-state', {
        persistentSettings: more.globalState ? persistentSettings : null,
        sections: Object.fromEntries(wanted),
        authentication,
      });
    }
    if (replaced.length > 0) await cluster.submit('delete-index', { uuids: replaced });
  }

  async #restoreIndex(
    { repository, folder, restoreRate }: RepositoryPlace,
    snapshot: SnapshotInfo,
    { from, name, settings, aliases, mount }: RestoredIndex,
    isThere: () => Promise<boolean>,
  ): Promise<RestoreOutcome> {
    const { cluster } = this.#context;
    const { shards } = from;
    const restoredFrom = {
      repository,
      snapshot: snapshot.name,
      index: from.name,
      folder: indexFolder(folder, snapshot.uuid, from),
      files: shards.map(({ files }) => files),
      bytes: shards.map(({ bytes }) => bytes),
      ...(restoreRate === undefined ? {} : { bytesPerSecond: restoreRate }),
    };
    const { uuid } = (await cluster.submit('restore-index', {
      name,
      settings,
      mapping: from.mapping,
      aliases,
      routingShards: from.routingShards,
      restoredFrom,
      ...(mount ? { mount: mountSettings(repository, snapshot, from, mount.isPartial) } : {}),
      // Above the terms of the operations in the snapshot.
      primaryTerms: shards.map(({ primaryTerm = 0 }) => primaryTerm + 1),
    })) as { uuid: string };
    if (mount && !(await isThere())) {
      await cluster.submit('delete-index', { uuids: [uuid] });
      throw errors.snapshotRestore(`[${repository}:${snapshot.name}] snapshot does not exist`);
    }
    await cluster.waitFor((state) => state.indices.has(uuid), APPLY_MS);
    await cluster.waitFor((state) => primariesOf(state, uuid).every((copy) => isActive(copy) || isGivenUp(copy)), -1);
    // Waits until all nodes have applied the state with the shards, so that the client can ask any node.
    await cluster.submit('await-applied', {});
    return { total: shards.length, failed: shards.length - primariesOf(cluster.state(), uuid).filter(isActive).length };
  }
}
