import type { CallContext } from '@shoal/coordinator';
import { type ApiError, errors, isApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { Authentication } from '@shoal/security';
import {
  type ClusterState,
  type IndexMetadata,
  nameIndex,
  OPEN_ONLY,
  ownPersistentTask,
  type PersistentTask,
  resolveIndices,
  section,
  sectionEntry,
} from '@shoal/state';
import { matchesWildcard, VERSION } from '@shoal/values';
import { OwnCalls } from '@shoal/coordinator';
import { pause } from '@shoal/doors';
import { queryChanged } from './changed-groups.js';
import { CheckpointPreview } from './checkpoint-preview.js';
import { generatedIndex, isMadeByTransform } from './ensure-destination.js';
import { checkAggregations } from './pivot.js';
import { type StoredTransform, type TransformEntry, transformOf } from './stored-transform.js';
import { checkTransformId, parseTransform, type TransformConfig, updatedBody } from './transform-config.js';
import type { RunningTransform, TransformDoors, TransformExecutor } from './transform-executor.js';
import { freshProgress, type TransformProgress } from './transform-progress.js';
import { transformStats } from './transform-stats.js';

/** Id of the persistent task of a transform. */
export const taskIdOf = (id: string): string => `transform-${id}`;
const ROLE = 'transform';
const PREVIEW_SIZE = 100;
const STOP_TIMEOUT_MS = 30_000;
/** Between two looks at whether a transform has stopped. */
const LOOK_MS = 100;

const missing = (id: string): ApiError => errors.resourceNotFound(`Transform with id [${id}] could not be found`);

/** Options of `_stop`. */
export interface StopOptions {
  readonly force: boolean;
  readonly waitForCompletion: boolean;
  readonly waitForCheckpoint: boolean;
  readonly timeoutMs: number;
}

/** A page of transforms, by ids and patterns. */
export interface TransformPage {
  readonly expression: string;
  readonly from: number;
  readonly size: number;
  readonly allowNoMatch: boolean;
}

/** What the API does with transforms. */
export class TransformService {
  readonly #doors: TransformDoors;
  readonly #executor: TransformExecutor;

  constructor(doors: TransformDoors, executor: TransformExecutor) {
    this.#doors = doors;
    this.#executor = executor;
  }

  /** Returns the transforms of an expression, in order of their ids, and how many there are besides the page. */
  find({ expression, from, size, allowNoMatch }: TransformPage): { total: number; transforms: StoredTransform[] } {
    const all = Object.values(section(this.#doors.cluster.state(), 'transforms'));
    const patterns = expression === '_all' || expression === '' ? ['*'] : expression.split(',');
    const found = all
      .map((entry) => transformOf(entry)!)
      .filter(({ id }) => patterns.some((pattern) => matchesWildcard(pattern, id)))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const absent = patterns.find((pattern) => !found.some(({ id }) => matchesWildcard(pattern, id)));
    if (absent !== undefined && (!absent.includes('*') || !allowNoMatch)) throw missing(absent);
    return { total: found.length, transforms: found.slice(from, from + size) };
  }

  /** Returns a transform. Throws resource_not_found_exception. */
  get(id: string): StoredTransform {
    const found = transformOf(sectionEntry(this.#doors.cluster.state(), 'transforms', id));
    if (found === null) throw missing(id);
    return found;
  }

  /** Makes a transform. With `defers` its source need not be there, nor its query be right. */
  async put(id: string, body: unknown, defers: boolean, call: CallContext): Promise<void> {
    checkTransformId(id);
    const config = parseTransform(id, body);
    this.#check(config, defers, call);
    if (!defers) await this.#page(config, call);
    await this.#doors.store.prepare();
    await this.#write(this.#entry(config, call), 'absent');
  }

  /** Changes a transform. What runs goes on with the change at its next checkpoint. */
  async update(id: string, changes: unknown, defers: boolean, call: CallContext): Promise<StoredTransform> {
    const config = parseTransform(id, updatedBody(this.get(id).config.json, changes));
    this.#check(config, defers, call);
    if (!defers) await this.#page(config, call);
    await this.#write({ ...this.#entry(config, call), createdMs: this.get(id).createdMs }, 'present');
    return this.get(id);
  }

  #check(config: TransformConfig, defers: boolean, { subject }: CallContext): void {
    const { cluster, clock } = this.#doors;
    checkTransformNodes(cluster.state());
    if (config.function.kind === 'pivot') checkAggregations(config.function.aggregations);
    const { permissions } = subject;
    const read = permissions.indexAccess('indices:data/read/search');
    const write = permissions.indexAccess('indices:data/write/bulk[s]');
    const isMissing = resolveIndices(
      cluster.state(),
      config.source.index,
      { ...OPEN_ONLY, ignoreUnavailable: defers },
      read,
      clock.now(),
    );
    if (isMissing.length === 0 && !defers && !config.source.index.some((name) => name.includes('*')))
      throw errors.indexNotFound(`no such index [${config.source.index.join(',')}]`);
    if (config.source.index.includes(config.dest.index) || isMissing.some(({ name }) => name === config.dest.index))
      throw errors.actionRequestValidation(
        `Validation Failed: 1: Destination index [${config.dest.index}] is included in source expression ` +
          `[${config.source.index.join(',')}];`,
      );
    if (!write.allows(config.dest.index)) throw subject.denied('indices:data/write/bulk', [config.dest.index]);
  }

  #entry(config: TransformConfig, { subject }: CallContext): TransformEntry {
    return {
      id: config.id,
      body: config.json,
      version: VERSION,
      createdMs: this.#doors.clock.now(),
      authentication: subject.authentication as Authentication | null,
    };
  }

  async #write(entry: TransformEntry, only: 'absent' | 'present'): Promise<void> {
    const value = entry as unknown as Record<string, unknown>;
    const answer = await this.#doors.cluster.submit('merge-entry', {
      section: 'transforms',
      name: entry.id,
      value,
      only,
    });
    if ((answer as { applied: boolean }).applied) return;
    if (only === 'present') throw missing(entry.id);
    throw errors.resourceAlreadyExists(`Transform with id [${entry.id}] already exists`, { status: 409 });
  }

  /** Deletes a transform and what it has reached. One that runs is refused, unless it is forced. */
  async remove(id: string, force: boolean, deletesDestination: boolean): Promise<void> {
    const stored = this.get(id);
    const { cluster, store } = this.#doors;
    if (this.#taskOf(id) !== null) {
      if (!force)
        throw errors.illegalState(`Cannot delete transform [${id}] as the task is running. Stop the transform first`, {
          status: 409,
        });
      await this.#stopTask(id, {
        force: true,
        waitForCompletion: true,
        waitForCheckpoint: false,
        timeoutMs: STOP_TIMEOUT_MS,
      });
    }
    if (deletesDestination) await this.#deleteDestination(stored, () => true);
    await store.remove(id);
    await cluster.submit('delete-entries', { section: 'transforms', names: [id] });
  }

  /** Deletes the destination of a transform as its maker, if it is there and `isMeant`. */
  async #deleteDestination(stored: StoredTransform, isMeant: (index: IndexMetadata) => boolean): Promise<void> {
    const { cluster } = this.#doors;
    const found = nameIndex(cluster.state()).get(stored.config.dest.index);
    if (found === undefined || !isMeant(found)) return;
    const subject = this.#doors.subjectOf(stored);
    const action = 'indices:admin/delete';
    if (!subject.permissions.indexAccess(action).allows(found.name)) throw subject.denied(action, [found.name]);
    await cluster.submit('delete-index', { uuids: [found.uuid] });
  }

  #taskOf(id: string): PersistentTask | null {
    return ownPersistentTask(this.#doors.cluster.state(), taskIdOf(id));
  }

  /** Starts a transform. With `fromMs` its first checkpoint makes only groups with documents since then. */
  async start(id: string, fromMs: number | null, call: CallContext): Promise<void> {
    const stored = this.get(id);
    if (fromMs !== null && stored.config.sync === null)
      throw errors.status(
        `Transform configuration [${id}] has invalid elements: [Validation Failed: 1: [from] parameter is currently ` +
          'not supported for batch (non-continuous) transforms;]',
      );
    const task = this.#taskOf(id);
    if (task !== null) {
      if (task.status?.['state'] === 'failed')
        throw errors.illegalState(
          `Unable to start transform [${id}] as it is in a failed state. Use force stop and then restart the ` +
            `transform once error is resolved. More details: [${String(task.status['reason'])}]`,
          { status: 409 },
        );
      throw errors.illegalState(`Cannot start transform [${id}] as it is already STARTED.`, { status: 409 });
    }
    this.#check(stored.config, stored.config.settings.unattended, call);
    const params = { id, version: stored.version, ...(fromMs === null ? {} : { fromMs }) };
    const body = { id: taskIdOf(id), type: 'transform', role: ROLE, params };
    await this.#doors.cluster.submit('start-persistent-task', body);
  }

  async stop(ids: readonly string[], options: StopOptions): Promise<void> {
    for (const id of ids) await this.#stopTask(id, options);
  }

  async #stopTask(id: string, options: StopOptions): Promise<void> {
    const { cluster } = this.#doors;
    const task = this.#taskOf(id);
    if (task === null) return;
    const taskId = taskIdOf(id);
    if (task.status?.['state'] === 'failed' && !options.force)
      throw errors.illegalState(
        `Unable to stop transform [${id}] as it is in a failed state with reason [${String(task.status['reason'])}]. ` +
          'Use force stop to stop the transform.',
        { status: 409 },
      );
    const isOrderly = options.waitForCheckpoint && !options.force;
    if (isOrderly) {
      await cluster.submit('merge-persistent-task-params', { id: taskId, params: { stopsAtCheckpoint: true } });
      await this.wake(id);
    } else await cluster.submit('remove-persistent-task', { id: taskId });
    if (!options.waitForCompletion) return;
    const isGone = await cluster.waitFor((state) => ownPersistentTask(state, taskId) === null, options.timeoutMs);
    if (!isGone)
      throw errors.timeout(`Timed out after [${options.timeoutMs}ms] waiting for transforms [${id}] to stop`, {
        status: 408,
      });
    if (task.node !== null) await this.#waitUntilEnded(id, task.node, options.timeoutMs);
  }

  /** Waits until the node has left the transform: nothing is written any more. */
  async #waitUntilEnded(id: string, node: string, timeoutMs: number): Promise<void> {
    const { clock } = this.#doors;
    const untilMs = clock.monotonic() + timeoutMs;
    while (clock.monotonic() < untilMs) {
      const [known] = await this.#runningOn([node], [id]);
      if (known === undefined) return;
      await pause(clock, LOOK_MS, new AbortController().signal);
    }
  }

  /** Forgets what a transform has reached, and deletes the destination if a transform made it. */
  async reset(id: string, force: boolean): Promise<void> {
    const stored = this.get(id);
    if (this.#taskOf(id) !== null) {
      if (!force)
        throw errors.illegalState(`Cannot reset transform [${id}] as the task is running. Stop the transform first`, {
          status: 409,
        });
      await this.#stopTask(id, {
        force: true,
        waitForCompletion: true,
        waitForCheckpoint: false,
        timeoutMs: STOP_TIMEOUT_MS,
      });
    }
    await this.#deleteDestination(stored, isMadeByTransform);
    await this.#doors.store.remove(id);
  }

  /** Lets a transform look for changes now. */
  async wake(id: string): Promise<void> {
    const node = this.#taskOf(id)?.node;
    if (node) await this.#doors.coordinator.callNodes([node], 'transform-wake', { id });
  }

  /** Answers calls of other nodes. */
  readonly calls = {
    'transform-running': (body: unknown) => {
      const { ids } = body as { ids: readonly string[] };
      return ids.flatMap((id) => {
        const running = this.#executor.running.get(id);
        return running === undefined ? [] : [{ id, running }];
      });
    },
    'transform-wake': (body: unknown) => {
      this.#executor.wake((body as { id: string }).id);
      return {};
    },
  };

  async #runningOn(nodes: readonly string[], ids: readonly string[]): Promise<readonly NamedRunning[]> {
    const answers = await this.#doors.coordinator.callNodes(nodes, 'transform-running', { ids });
    return answers.flatMap(({ error, body }) => (error ? [] : (body as readonly NamedRunning[])));
  }

  /** Returns the statistics of transforms. */
  async stats(transforms: readonly StoredTransform[]): Promise<JsonObject[]> {
    const tasks = new Map(transforms.map(({ id }) => [id, this.#taskOf(id)]));
    const nodes = [...new Set([...tasks.values()].flatMap((task) => task?.node ?? []))];
    const ids = transforms.map(({ id }) => id);
    const live = nodes.length === 0 ? [] : await this.#runningOn(nodes, ids);
    const running = new Map(live.map((one) => [one.id, one.running]));
    const state = this.#doors.cluster.state();
    return Promise.all(
      transforms.map(async (stored) => {
        const own = running.get(stored.id) ?? null;
        const kept = own === null ? await this.#doors.store.load(stored.id).catch(() => null) : null;
        const progress = own?.progress ?? kept?.progress ?? freshProgress();
        const behind = await this.#behind(stored, progress).catch(() => null);
        return transformStats(stored, tasks.get(stored.id) ?? null, own, progress, state, behind);
      }),
    );
  }

  /** Counts the documents that arrived since the last checkpoint; null for a transform that has none, or no `sync`. */
  async #behind(stored: StoredTransform, { last }: TransformProgress): Promise<number | null> {
    const { config } = stored;
    if (last === null || config.sync === null) return null;
    const calls = new OwnCalls(this.#doors.coordinator, this.#doors.subjectOf(stored), new AbortController().signal);
    const query = queryChanged(config, { fromMs: last.toMs, toMs: this.#doors.clock.now() });
    return await calls.count(config.source.index, query, config.source.runtime);
  }

  /** Returns the first documents that a transform would make, and the index that it would make for them. */
  async preview(id: string | null, body: unknown, call: CallContext): Promise<JsonObject> {
    checkTransformNodes(this.#doors.cluster.state());
    const config = id === null ? parseTransform('transform-preview', previewBody(body)) : this.get(id).config;
    if (config.function.kind === 'pivot') checkAggregations(config.function.aggregations);
    const documents = await this.#page(config, call);
    return { preview: documents, generated_dest_index: generatedIndex(config, this.#doors, call.subject) };
  }

  async #page(config: TransformConfig, call: CallContext): Promise<readonly JsonObject[]> {
    const calls = new OwnCalls(this.#doors.coordinator, call.subject, call.signal);
    try {
      return await new CheckpointPreview(config, calls).documents(PREVIEW_SIZE);
    } catch (error) {
      if (!isApiError(error) || error.status >= 500) throw error;
      throw errors.actionRequestValidation(`Failed to test query, received status: ${error.status}`, {
        status: error.status,
        cause: error,
      });
    }
  }
}

interface NamedRunning {
  readonly id: string;
  readonly running: RunningTransform;
}

/** A transform without a node that could ever do it is refused. */
function checkTransformNodes({ nodes }: ClusterState): void {
  if ([...nodes.values()].some(({ roles }) => roles.includes(ROLE))) return;
  throw errors.status('Transform requires the transform node role for at least 1 node, found no transform nodes');
}

/** A preview needs no destination. */
function previewBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return { dest: { index: 'unused-transform-preview-index' }, ...body };
}
