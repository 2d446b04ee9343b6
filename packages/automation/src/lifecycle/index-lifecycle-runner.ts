import type { ClusterService, LifecycleMove } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { Clock, Log } from '@shoal/doors';
import { toApiError } from '@shoal/errors';
import { ownProperty } from '@shoal/json';
import type { Subject } from '@shoal/security';
import {
  clusterSetting,
  type ClusterState,
  type IndexMetadata,
  type LifecycleExecution,
  managedBy,
  operationMode,
  policyNameOf,
  type StoredPolicy,
} from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
import { MasterPoll } from '../master-poll.js';
import { type Advance, advance, afterStep, ERROR, failed } from './advance.js';
import { allPolicies } from './built-in-policies.js';
import type { Downsample } from '../downsample/downsample.js';
import { measureIndices } from './measure-indices.js';
import type { MountingDoors } from './mounting.js';
import { performEffect } from './perform-effect.js';
import type { Effect, Measurements } from './step.js';

const POLL_INTERVAL = 'indices.lifecycle.poll_interval';
/** Effects that run at a time. */
const EFFECTS_MAX = 8;
/** Indices whose shards are measured by one call. */
const MEASURED_MAX = 200;
/** Steps after which stopping waits until the exchange of the index is complete. */
const HALF_DONE: ReadonlySet<string> = new Set([
  'shrink',
  'downsample',
  'shrunk-shards-allocated',
  'copy-execution-state',
  'aliases',
  'create-snapshot',
  'mount-snapshot',
  'wait-for-index-color',
]);
const WATCHED_SECTIONS = ['lifecyclePolicies', 'operationModes', 'dataStreams', 'snapshotPolicies'];

/** What the runner needs of its node. */
export interface LifecycleDoors {
  readonly cluster: ClusterService;
  readonly coordinator: Pick<Coordinator, 'broadcast'>;
  readonly downsample: Downsample;
  readonly snapshots: MountingDoors['snapshots'];
  readonly placeOf: MountingDoors['placeOf'];
  readonly nodeId: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns whose privileges the effects of a policy need. */
  readonly authorOf: (policy: StoredPolicy) => Subject;
}

interface Pending {
  readonly meta: IndexMetadata;
  readonly stored: StoredPolicy;
  readonly execution: LifecycleExecution;
  readonly effect: Effect;
}

const placeOf = (execution: LifecycleExecution | undefined): LifecycleMove['from'] =>
  execution === undefined
    ? null
    : { phase: execution.phase, action: execution.action, step: execution.step, stepTimeMs: execution.stepTimeMs };

/**
 * Moves indices through their lifecycle policies while its node is the elected master. What an index has reached is in
 * the cluster state only: a new master goes on at the same step.
 */
export class IndexLifecycleRunner {
  readonly #doors: LifecycleDoors;
  readonly #poll: MasterPoll;
  readonly #end = new AbortController();
  /** Uuids of indices with an effect that runs. */
  readonly #running = new Set<string>();
  #polledAtMs = -Infinity;
  #isMeasuring = false;
  /** Whether the last look found an index that waits for shards. */
  #waitsForShards = false;

  /** The look that runs, which goes on while others are asked for. */
  #looking: Promise<void> | null = null;
  #isAskedFor = false;

  constructor(doors: LifecycleDoors) {
    this.#doors = doors;
    this.#poll = new MasterPoll({
      ...doors,
      what: 'the lifecycle of indices',
      elected: () => (this.#polledAtMs = -Infinity),
      waitMs: (state) => this.#polledAtMs + this.#intervalMs(state) - doors.clock.monotonic(),
      isNews: (known, next) => this.#isNews(known, next),
      look: () => this.look(),
    });
  }

  /** Works until `close`. */
  follow(): Promise<void> {
    return this.#poll.follow();
  }

  #intervalMs(state: ClusterState): number {
    return parseTimeValue(String(clusterSetting(state, POLL_INTERVAL)), POLL_INTERVAL);
  }

  #isNews(known: ClusterState, next: ClusterState): boolean {
    return (
      next.indices !== known.indices ||
      next.persistentSettings !== known.persistentSettings ||
      next.transientSettings !== known.transientSettings ||
      (this.#waitsForShards && next.routing !== known.routing) ||
      WATCHED_SECTIONS.some((name) => next.customs.get(name) !== known.customs.get(name))
    );
  }

  /**
   * Moves each index as far as it comes now. At a poll, which is due each interval, failed steps are tried again and
   * sizes measured. A call during a look makes it look once more: effects of many indices may end at the same time.
   */
  look(): Promise<void> {
    this.#isAskedFor = true;
    this.#looking ??= this.#lookWhileAsked();
    return this.#looking;
  }

  async #lookWhileAsked(): Promise<void> {
    const { cluster, clock, log } = this.#doors;
    while (this.#isAskedFor && !this.#end.signal.aborted) {
      this.#isAskedFor = false;
      const state = cluster.state();
      const isPoll = clock.monotonic() >= this.#polledAtMs + this.#intervalMs(state);
      if (isPoll) this.#polledAtMs = clock.monotonic();
      await this.#lookOnce(state, isPoll).catch((error: unknown) => {
        if (!this.#end.signal.aborted) log.write('warn', 'lifecycles were not looked at', { error });
      });
    }
    // In the turn of the last check, so that no call falls between them.
    this.#looking = null;
  }

  async #lookOnce(state: ClusterState, isPoll: boolean): Promise<void> {
    const mode = operationMode(state, 'ilm');
    if (mode === 'STOPPED') return;
    const moves: LifecycleMove[] = [];
    const effects: Pending[] = [];
    const unmeasured: IndexMetadata[] = [];
    this.#waitsForShards = false;
    for (const [meta, stored] of this.#managed(state)) {
      if (mode === 'STOPPING' && !HALF_DONE.has(meta.lifecycle?.step ?? '')) continue;
      const result = this.#advance(state, meta, stored, isPoll, null);
      this.#waitsForShards ||= result.execution.stepInfo !== undefined && result.execution.step !== ERROR;
      if (result.execution !== meta.lifecycle)
        moves.push({ uuid: meta.uuid, from: placeOf(meta.lifecycle), to: result.execution });
      else if (result.effect !== null)
        effects.push({ meta, stored, execution: result.execution, effect: result.effect });
      else if (result.measures && isPoll) unmeasured.push(meta);
    }
    if (mode === 'STOPPING' && moves.length + effects.length + this.#running.size === 0)
      await this.#doors.cluster.submit('set-operation-mode', { service: 'ilm', mode: 'STOPPED' });
    if (moves.length > 0) await this.#doors.cluster.submit('move-lifecycles', { moves });
    for (const pending of effects) this.#begin(pending);
    if (unmeasured.length > 0) this.#measure(unmeasured);
  }

  *#managed(state: ClusterState): Iterable<readonly [IndexMetadata, StoredPolicy]> {
    const policies = allPolicies(state);
    for (const meta of state.indices.values()) {
      const name = policyNameOf(meta);
      if (name === null || this.#running.has(meta.uuid)) continue;
      const stored = ownProperty(policies, name);
      if (stored !== undefined && managedBy(state, meta) === 'Index Lifecycle Management') yield [meta, stored];
    }
  }

  #advance(
    state: ClusterState,
    meta: IndexMetadata,
    stored: StoredPolicy,
    retries: boolean,
    measured: Measurements | null,
  ): Advance {
    return advance({ state, meta, stored, nowMs: this.#doors.clock.now(), measured, retries });
  }

  /** Starts an effect, unless enough run; the next look starts it then. */
  #begin(pending: Pending): void {
    const { uuid } = pending.meta;
    if (this.#running.size >= EFFECTS_MAX || this.#running.has(uuid) || this.#end.signal.aborted) return;
    this.#running.add(uuid);
    void this.#perform(pending)
      .catch((error: unknown) => this.#doors.log.write('warn', 'a lifecycle step was not recorded', { error }))
      .finally(() => {
        this.#running.delete(uuid);
        void this.look();
      });
  }

  async #perform({ meta, stored, execution, effect }: Pending): Promise<void> {
    const { cluster, clock, authorOf, log } = this.#doors;
    const from = placeOf(execution);
    try {
      await performEffect(this.#doors, meta, effect, authorOf(stored));
    } catch (error) {
      const problem = toApiError(error);
      log.write('warn', 'a lifecycle step failed', { index: meta.name, step: execution.step, error });
      const reason = { type: problem.type, reason: problem.reason ?? problem.message };
      const to = failed(execution, reason, clock.now());
      await cluster.submit('move-lifecycles', { moves: [{ uuid: meta.uuid, from, to }] });
      return;
    }
    const to = afterStep(execution, clock.now());
    await cluster.submit('move-lifecycles', { moves: [{ uuid: meta.uuid, from, to }] });
  }

  /** Measures indices and moves those whose conditions are met. One measurement at a time. */
  #measure(metas: readonly IndexMetadata[]): void {
    if (this.#isMeasuring) return;
    this.#isMeasuring = true;
    const all = async (): Promise<void> => {
      for (let i = 0; i < metas.length; i += MEASURED_MAX) await this.#measureSome(metas.slice(i, i + MEASURED_MAX));
    };
    void all()
      .catch((error: unknown) => this.#doors.log.write('warn', 'indices were not measured', { error }))
      .finally(() => (this.#isMeasuring = false));
  }

  async #measureSome(metas: readonly IndexMetadata[]): Promise<void> {
    const { cluster, coordinator, clock } = this.#doors;
    const measured = await measureIndices(coordinator, metas, clock.now());
    const state = cluster.state();
    const moves: LifecycleMove[] = [];
    for (const [meta, stored] of this.#managed(state)) {
      const sizes = measured.get(meta.uuid);
      if (sizes === undefined) continue;
      const result = this.#advance(state, meta, stored, false, sizes);
      if (result.execution !== meta.lifecycle)
        moves.push({ uuid: meta.uuid, from: placeOf(meta.lifecycle), to: result.execution });
      else if (result.effect !== null)
        this.#begin({ meta, stored, execution: result.execution, effect: result.effect });
    }
    if (moves.length > 0) await cluster.submit('move-lifecycles', { moves });
  }

  close(): void {
    this.#poll.close();
    this.#end.abort();
  }
}
