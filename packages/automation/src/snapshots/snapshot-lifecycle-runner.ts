import type { ClusterService } from '@shoal/cluster';
import { type RepositoryPlace, type SnapshotInfo, type SnapshotService, wantedFeatures } from '@shoal/coordinator';
import type { Clock, Log, Random } from '@shoal/doors';
import { errors, toApiError } from '@shoal/errors';
import { ownProperty } from '@shoal/json';
import type { Subject } from '@shoal/security';
import {
  clusterSetting,
  type ClusterState,
  OPEN_ONLY,
  operationMode,
  resolveDateMath,
  resolveIndices,
  section,
} from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
import { MasterPoll } from '../master-poll.js';
import { parseCron } from './cron.js';
import { expiredSnapshots } from './retention.js';
import { nextRunMs, type StoredSnapshotPolicy } from './snapshot-policy.js';

const RETENTION_SCHEDULE = 'slm.retention_schedule';
const RETENTION_DURATION = 'slm.retention_duration';
/** Longest wait between two looks: a clock that jumps is noticed after it. */
const LOOK_MS_MAX = 60_000;
/**
 * Clocks of nodes differ by seconds. If the last run is further ahead than this, the clock was set back: a policy would
 * wait until the time of its last run comes again, with a clock that was a year ahead for a year.
 */
const AHEAD_MS_MAX = 3_600_000;
const MARK_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const MARK_LENGTH = 22;
const WATCHED = ['snapshotPolicies', 'operationModes'];

/** What the runner needs of its node. */
export interface SnapshotLifecycleDoors {
  readonly cluster: ClusterService;
  readonly snapshots: SnapshotService;
  readonly placeOf: (repository: string) => RepositoryPlace;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Returns whose indices a policy may read. */
  readonly authorOf: (policy: StoredSnapshotPolicy) => Subject;
}

/** Entry `all` of the section `snapshotRetention`. */
export interface RetentionStats {
  readonly runs: number;
  readonly failed: number;
  readonly timedOut: number;
  readonly tookMs: number;
  readonly triggeredMs: number;
}

/** Returns the snapshot lifecycle policies by id. */
export function snapshotPolicies(state: ClusterState): Readonly<Record<string, StoredSnapshotPolicy>> {
  return section(state, 'snapshotPolicies') as Readonly<Record<string, StoredSnapshotPolicy>>;
}

/** Returns what the retention has done so far. */
export function retentionStats(state: ClusterState): RetentionStats {
  const none = { runs: 0, failed: 0, timedOut: 0, tookMs: 0, triggeredMs: 0 };
  return { ...none, ...(section(state, 'snapshotRetention')['all'] as RetentionStats | undefined) };
}

const names = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')).filter((name) => name !== '');

/** Takes the snapshots of policies and deletes old ones, while its node is the elected master. */
export class SnapshotLifecycleRunner {
  readonly #doors: SnapshotLifecycleDoors;
  readonly #poll: MasterPoll;
  /** Name of the snapshot that this node takes, by the id of its policy. */
  readonly #running = new Map<string, string>();
  #cleaning: Promise<void> | null = null;

  constructor(doors: SnapshotLifecycleDoors) {
    this.#doors = doors;
    this.#poll = new MasterPoll({
      ...doors,
      what: 'the lifecycle of snapshots',
      waitMs: (state, lookMs) => Math.min(LOOK_MS_MAX, this.#nextMs(state, lookMs) - doors.clock.now()),
      isNews: (known, next) =>
        known.persistentSettings !== next.persistentSettings ||
        WATCHED.some((name) => known.customs.get(name) !== next.customs.get(name)),
      look: (state) => this.look(state),
    });
  }

  follow(): Promise<void> {
    return this.#poll.follow();
  }

  close(): void {
    this.#poll.close();
  }

  /** Answers calls of other nodes to the master. */
  readonly calls = {
    'slm-execute': async (body: unknown) => this.execute((body as { readonly id: string }).id),
    'slm-execute-retention': async () => {
      void this.#retain();
      return {};
    },
  };

  #retentionDueMs(state: ClusterState): number | null {
    const schedule = String(clusterSetting(state, RETENTION_SCHEDULE));
    const { triggeredMs } = retentionStats(state);
    const changes = Object.values(snapshotPolicies(state)).map(({ modifiedMs }) => modifiedMs);
    if (changes.length === 0 || schedule === '') return null;
    return parseCron(schedule).next(Math.max(triggeredMs, Math.min(...changes)));
  }

  /** When something is due that the look at `lookMs` has not begun: in the past, if it fell due during the look. */
  #nextMs(state: ClusterState, lookMs: number): number {
    const times = [...Object.values(snapshotPolicies(state)).map(nextRunMs), this.#retentionDueMs(state)];
    const coming = times.map((ms) => ms ?? Infinity).filter((ms) => ms > lookMs);
    return Math.min(lookMs + LOOK_MS_MAX, ...coming);
  }

  /** Starts what is due. Runs that were missed, while no master was there, are caught up by one run. */
  async look(state: ClusterState): Promise<void> {
    const nowMs = this.#doors.clock.now();
    for (const [id, stored] of Object.entries(snapshotPolicies(state)))
      if (stored.running && !this.#running.has(id)) await this.#noteLost(id, stored.running.snapshot, nowMs);
    await this.#countAnew(state, nowMs);
    await this.#stopWhenQuiet();
    if (operationMode(state, 'slm') !== 'RUNNING') return;
    for (const [id, stored] of Object.entries(snapshotPolicies(state))) {
      const dueMs = nextRunMs(stored);
      if (dueMs === null || dueMs > nowMs || stored.running) continue;
      await this.execute(id).catch((error: unknown) =>
        this.#doors.log.write('warn', 'a snapshot policy did not begin', { policy: id, error }),
      );
    }
    const retentionMs = this.#retentionDueMs(state);
    if (retentionMs !== null && retentionMs <= nowMs) void this.#retain();
  }

  /** Counts the times of what ran last from now on, if the clock was set back since. The next look acts on it. */
  async #countAnew(state: ClusterState, nowMs: number): Promise<void> {
    const { cluster, log } = this.#doors;
    const isAhead = (ms: number): boolean => ms - nowMs > AHEAD_MS_MAX;
    for (const [id, { triggeredMs = 0, modifiedMs }] of Object.entries(snapshotPolicies(state))) {
      if (!isAhead(Math.max(triggeredMs, modifiedMs))) continue;
      log.write('warn', 'the clock was set back: a snapshot policy counts from now on', { policy: id });
      const set = { triggeredMs: nowMs, modifiedMs: Math.min(modifiedMs, nowMs) };
      await cluster.submit('note-snapshot-policy', { id, set, triggered: triggeredMs === 0 ? null : triggeredMs });
    }
    if (isAhead(retentionStats(state).triggeredMs))
      await cluster.submit('merge-entry', {
        section: 'snapshotRetention',
        name: 'all',
        value: { triggeredMs: nowMs },
        only: null,
      });
  }

  /** Tells that snapshots are stopped, once that was asked for and nothing runs. Called at looks and at each end. */
  async #stopWhenQuiet(): Promise<void> {
    const { cluster } = this.#doors;
    if (this.#running.size > 0 || this.#cleaning !== null || operationMode(cluster.state(), 'slm') !== 'STOPPING')
      return;
    await cluster.submit('set-operation-mode', { service: 'slm', mode: 'STOPPED' });
  }

  #noteEnd(): void {
    this.#stopWhenQuiet().catch((error: unknown) =>
      this.#doors.log.write('warn', 'the lifecycle of snapshots was not stopped', { error }),
    );
  }

  /** The master that took the snapshot has gone, and the snapshot with it. */
  async #noteLost(id: string, snapshot: string, nowMs: number): Promise<void> {
    const details = JSON.stringify({ type: 'snapshot_exception', reason: 'the master that took it has left' });
    const set = { running: null, lastFailure: { snapshot, atMs: nowMs, details } };
    await this.#doors.cluster.submit('note-snapshot-policy', { id, set, add: { failed: 1 } });
  }

  /** Begins a snapshot of a policy and returns its name. Throws illegal_argument_exception for an unknown policy. */
  async execute(id: string): Promise<{ readonly snapshot_name: string }> {
    const { cluster, clock } = this.#doors;
    const stored = ownProperty(snapshotPolicies(cluster.state()), id);
    if (stored === undefined) throw errors.illegalArgument(`no such snapshot lifecycle policy [${id}]`);
    const startMs = clock.now();
    const snapshot = `${resolveDateMath(stored.policy.name, startMs).toLowerCase()}-${this.#mark()}`;
    const set = { triggeredMs: startMs, running: { snapshot, startMs } };
    this.#running.set(id, snapshot);
    try {
      const triggered = stored.triggeredMs ?? null;
      const answer = await cluster.submit('note-snapshot-policy', { id, set, triggered });
      if (!(answer as { readonly applied: boolean }).applied)
        throw errors.illegalState(`policy [${id}] has begun another snapshot meanwhile`);
    } catch (error) {
      this.#forget(id, snapshot);
      throw error;
    }
    void this.#take(id, stored, snapshot, startMs).finally(() => {
      this.#forget(id, snapshot);
      this.#noteEnd();
    });
    return { snapshot_name: snapshot };
  }

  /** A look may have begun the next snapshot of the policy, as soon as the state told that this one ended. */
  #forget(id: string, snapshot: string): void {
    if (this.#running.get(id) === snapshot) this.#running.delete(id);
  }

  #mark(): string {
    const bytes = this.#doors.random.bytes(MARK_LENGTH);
    return Array.from(bytes, (byte) => MARK_LETTERS[byte % MARK_LETTERS.length]).join('');
  }

  async #take(id: string, stored: StoredSnapshotPolicy, snapshot: string, startMs: number): Promise<void> {
    const { cluster, clock, log } = this.#doors;
    try {
      const info = await this.#snapshot(id, stored, snapshot);
      if (info.state !== 'SUCCESS' && info.state !== 'PARTIAL')
        throw errors.illegalState(
          `failed to create snapshot successfully, ${info.failures.length} out of ${info.totalShards} total shards ` +
            'failed',
        );
      const indices = info.indices.map(({ name }) => name);
      const lastSuccess = { snapshot, startMs, endMs: clock.now(), indices };
      const set = { running: null, lastSuccess, failuresSinceSuccess: 0 };
      await cluster.submit('note-snapshot-policy', { id, set, add: { taken: 1 } });
    } catch (error) {
      const { type, reason } = toApiError(error);
      log.write('warn', 'the snapshot of a policy failed', { policy: id, snapshot, error });
      const failures = (ownProperty(snapshotPolicies(cluster.state()), id)?.failuresSinceSuccess ?? 0) + 1;
      const lastFailure = { snapshot, atMs: clock.now(), details: JSON.stringify({ type, reason }) };
      const set = { running: null, lastFailure, failuresSinceSuccess: failures };
      await cluster.submit('note-snapshot-policy', { id, set, add: { failed: 1 } }).catch(() => undefined);
    }
  }

  async #snapshot(id: string, stored: StoredSnapshotPolicy, name: string): Promise<SnapshotInfo> {
    const { cluster, clock, snapshots, placeOf, authorOf } = this.#doors;
    const { repository, config = {} } = stored.policy;
    const access = authorOf(stored).permissions.indexAccess('indices:admin/get');
    const isTrue = (key: string): boolean => config[key] === true || config[key] === 'true';
    const options = { ...OPEN_ONLY, expandHidden: true, ignoreUnavailable: isTrue('ignore_unavailable') };
    const indices = resolveIndices(cluster.state(), names(config['indices']), options, access, clock.now());
    const includeGlobalState = config['include_global_state'] !== false;
    const request = {
      name,
      indices,
      includeGlobalState,
      features: wantedFeatures(names(config['feature_states']), includeGlobalState),
      partial: isTrue('partial'),
      metadata: { ...(config['metadata'] as object | undefined), policy: id },
    };
    return (await snapshots.create(placeOf(repository), request, true))!;
  }

  /** Deletes what policies no longer keep; one round at a time. */
  #retain(): Promise<void> {
    this.#cleaning ??= this.#retainAll()
      .catch((error) => this.#doors.log.write('warn', 'deletion of old snapshots was cut off', { error }))
      .finally(() => {
        this.#cleaning = null;
        this.#noteEnd();
      });
    return this.#cleaning;
  }

  async #retainAll(): Promise<void> {
    const { cluster, clock, log } = this.#doors;
    const state = cluster.state();
    const before = retentionStats(state);
    const startMs = clock.monotonic();
    const write = (value: Partial<RetentionStats>): Promise<unknown> =>
      cluster.submit('merge-entry', { section: 'snapshotRetention', name: 'all', value, only: null });
    await write({ triggeredMs: clock.now() });
    const untilMs = startMs + parseTimeValue(String(clusterSetting(state, RETENTION_DURATION)), RETENTION_DURATION);
    let [failed, isLate] = [false, false];
    for (const [id, stored] of Object.entries(snapshotPolicies(state))) {
      if (stored.policy.retention === undefined) continue;
      try {
        isLate = (await this.#retainOf(id, stored, untilMs)) || isLate;
      } catch (error) {
        failed = true;
        log.write('warn', 'old snapshots of a policy were not deleted', { policy: id, error });
      }
    }
    const tookMs = before.tookMs + Math.round(clock.monotonic() - startMs);
    await write({
      runs: before.runs + 1,
      failed: before.failed + (failed ? 1 : 0),
      timedOut: before.timedOut + (isLate ? 1 : 0),
      tookMs,
    });
  }

  /** Deletes old snapshots of a policy. Returns true if the time was over before all were deleted. */
  async #retainOf(id: string, { policy }: StoredSnapshotPolicy, untilMs: number): Promise<boolean> {
    const { cluster, clock, snapshots, placeOf } = this.#doors;
    const place = placeOf(policy.repository);
    const own = (await snapshots.list(place)).filter(
      ({ metadata }) => (metadata as { readonly policy?: unknown } | null)?.policy === id,
    );
    for (const info of expiredSnapshots(policy.retention!, own, clock.now())) {
      if (clock.monotonic() > untilMs) return true;
      const add = await snapshots.delete(place, [info]).then(
        () => ({ deleted: 1 }),
        () => ({ deletionFailures: 1 }),
      );
      await cluster.submit('note-snapshot-policy', { id, set: {}, add });
    }
    return false;
  }
}
