import { type CallContext, OwnCalls } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { outlierBytes, trainingBytes } from '@shoal/learning';
import type { Authentication, Subject } from '@shoal/security';
import { type ClusterState, nameIndex, ownPersistentTask, type PersistentTask, validateIndexName } from '@shoal/state';
import { VERSION } from '@shoal/values';
import { CONFIG_INDEX } from '../documents/ml-indices.js';
import { selectByExpression } from '../jobs/job-id.js';
import { ANALYTICS_TASK, analyticsTaskId, ML_ROLE } from '../jobs/job-task.js';
import type { MlDoors } from '../ml-doors.js';
import { noDocuments } from './analysis-run.js';
import { type AnalyticsConfig, parseAnalytics } from './analytics-config.js';
import type { AnalyticsExecutor } from './analytics-executor.js';
import { type AnalyticsState, analyticsStats } from './analytics-stats.js';
import { evaluate } from './evaluate.js';
import { checkClasses } from './class-count.js';
import { analyzedFieldsOf, type SelectedField, selectFields, selectionJson } from './field-selection.js';
import { sourceFields, sourceIndices, withEmptiness } from './source-fields.js';
import {
  allAnalytics,
  analyticsDocument,
  analyticsDocumentId,
  type AnalyticsProgress,
  loadAnalytics,
  missingAnalytics,
  readProgress,
  removeProgress,
  type StoredAnalytics,
} from './stored-analytics.js';
import { removeTraining } from './training-store.js';

const PREVIEW_ROWS = 10;
const LOOK_MS = 50;
const KB = 1024;

const taskOf = (state: ClusterState, id: string): PersistentTask | null =>
  ownPersistentTask(state, analyticsTaskId(id));

/** State of an analysis by its task. */
function stateOf(task: PersistentTask | null): AnalyticsState {
  if (task === null) return 'stopped';
  const state = task.status?.['state'];
  if (state === 'failed') return 'failed';
  return state === 'started' ? 'started' : 'starting';
}

/** What the API does with data frame analytics. */
export class AnalyticsService {
  readonly #doors: MlDoors;
  readonly #executor: AnalyticsExecutor;

  constructor(doors: MlDoors, executor: AnalyticsExecutor) {
    this.#doors = doors;
    this.#executor = executor;
  }

  async find(expression: string, allowNoMatch: boolean): Promise<StoredAnalytics[]> {
    const all = await allAnalytics(this.#doors.documents);
    return selectByExpression(all, expression, allowNoMatch, missingAnalytics);
  }

  /** Makes an analysis; returns its configuration. */
  async put(id: string, body: unknown, { subject }: CallContext): Promise<JsonObject> {
    const { id: own } = isPlainObject(body) ? body : {};
    if (own !== undefined && own !== id) {
      const told = typeof own === 'string' ? own : JSON.stringify(own);
      throw errors.illegalArgument(
        `Inconsistent id; '${told}' specified in the body differs from '${id}' specified as a URL argument`,
      );
    }
    const config = parseAnalytics(id, body, this.#doors.modelBytes);
    validateIndexName(config.dest.index);
    this.#select(config, subject);
    this.#checkDestination(config, subject);
    const authentication = subject.authentication as Authentication | null;
    const json: JsonObject = { ...config.json, create_time: this.#doors.clock.now(), version: VERSION };
    const source = analyticsDocument(json, authentication);
    try {
      await this.#doors.documents.put(CONFIG_INDEX, analyticsDocumentId(id), source, 'new', true);
    } catch (error) {
      if ((error as { status?: number }).status !== 409) throw error;
      throw errors.resourceAlreadyExists(`A data frame analytics with id [${id}] already exists`);
    }
    return json;
  }

  #select(config: AnalyticsConfig, subject: Subject): readonly SelectedField[] {
    const indices = sourceIndices(this.#doors, config, subject);
    return selectFields(config, sourceFields(this.#doors, config, indices));
  }

  /** As `#select`, without fields that no document has. */
  async #selectKnown(config: AnalyticsConfig, subject: Subject, calls: OwnCalls): Promise<readonly SelectedField[]> {
    const indices = sourceIndices(this.#doors, config, subject);
    return selectFields(config, await withEmptiness(sourceFields(this.#doors, config, indices), config, calls));
  }

  #checkDestination({ dest }: AnalyticsConfig, subject: Subject): void {
    for (const action of ['indices:data/write/bulk[s]', 'indices:data/read/search'])
      if (!subject.permissions.indexAccess(action).allows(dest.index)) throw subject.denied(action, [dest.index]);
  }

  /** Changes what may be changed: description, memory, threads, `allow_lazy_start`. It then has the caller's rights. */
  async update(id: string, body: JsonObject, { subject }: CallContext): Promise<JsonObject> {
    const unknown = Object.keys(body).find((key) => !UPDATABLE.includes(key));
    if (unknown !== undefined)
      throw errors.xContentParse(`[data_frame_analytics_config_update] unknown field [${unknown}]`);
    const stored = await loadAnalytics(this.#doors.documents, id);
    const state = stateOf(taskOf(this.#doors.cluster.state(), id));
    if (state !== 'stopped' && Object.keys(body).some((key) => key !== 'description'))
      throw errors.status(`Cannot update analytics [${id}] unless it's stopped`, { status: 409 });
    const json: JsonObject = { ...stored.json, ...body };
    parseAnalytics(id, json, this.#doors.modelBytes);
    const source = analyticsDocument(json, subject.authentication as Authentication | null);
    await this.#doors.documents.put(CONFIG_INDEX, analyticsDocumentId(id), source, stored.document, true);
    return json;
  }

  async remove(id: string, force: boolean, timeoutMs: number): Promise<void> {
    await loadAnalytics(this.#doors.documents, id);
    const state = stateOf(taskOf(this.#doors.cluster.state(), id));
    if (state !== 'stopped' && !force)
      throw errors.status(`Cannot delete data frame analytics [${id}] while its status is [${state}]`, { status: 409 });
    if (state !== 'stopped') await this.#stopOne(id, timeoutMs);
    await removeProgress(this.#doors.documents, id);
    await removeTraining(this.#doors.documents, id, null, new AbortController().signal);
    await this.#doors.documents.remove(CONFIG_INDEX, analyticsDocumentId(id), true);
  }

  /** Starts an analysis; returns its node. */
  async start(id: string, timeoutMs: number, { subject, signal }: CallContext): Promise<string> {
    const { cluster, documents } = this.#doors;
    const { config, authentication } = await loadAnalytics(documents, id);
    this.#doors.subjectOf(authentication, `data frame analytics [${id}]`);
    if (taskOf(cluster.state(), id) !== null)
      throw errors.status(`Cannot start data frame analytics [${id}] because it has already been started`, {
        status: 409,
      });
    const known = await readProgress(documents, id);
    if (known !== null && known.phases.every(([, percent]) => percent === 100))
      throw errors.status(`Cannot start because the job has already finished`, { status: 400 });
    const calls = new OwnCalls(this.#doors.coordinator, subject, signal);
    const fields = await this.#selectKnown(config, subject, calls);
    await checkClasses(config, fields, calls);
    const rows = await calls.count(
      config.source.indices,
      this.#analysable(config, fields),
      config.source.runtime ?? undefined,
    );
    if (rows === 0) throw noDocuments(config.source.indices);
    await this.#checkEmpty(config, known, calls);
    const expected = expectedBytes(config, fields, rows);
    const most = Math.min(config.memoryBytes, this.#doors.modelBytes);
    if (expected > most)
      throw errors.status(
        `Cannot start because the configured model memory limit [${sizeText(most)}] is lower than the expected ` +
          `memory usage [${sizeText(expected)}]`,
        { status: 400 },
      );
    // An analysis that was stopped goes on with its copy and what it has trained.
    const params = { id, version: VERSION };
    await cluster.submit('start-persistent-task', {
      ...{ id: analyticsTaskId(id), type: ANALYTICS_TASK, role: ML_ROLE, params },
    });
    const isThere = await cluster.waitFor((state) => {
      const task = taskOf(state, id);
      return task === null || stateOf(task) !== 'starting';
    }, timeoutMs);
    if (!isThere)
      throw errors.timeout(`Starting data frame analytics [${id}] timed out after [${timeoutMs}ms]`, { status: 408 });
    return taskOf(cluster.state(), id)?.node ?? '';
  }

  /** Documents that can be analysed: outliers need all fields, predictions a value to learn from. */
  #analysable({ source, analysis }: AnalyticsConfig, fields: readonly SelectedField[]): JsonObject {
    const exists = (field: string): JsonObject => ({ exists: { field } });
    const needed =
      analysis.kind === 'outlier_detection'
        ? fields.filter(({ isIncluded }) => isIncluded).map(({ name }) => name)
        : [analysis.dependent];
    return { bool: { filter: [source.query, ...needed.map(exists)] } };
  }

  /** A destination that something else has filled is refused; what an earlier run has copied is written over. */
  async #checkEmpty({ dest }: AnalyticsConfig, known: AnalyticsProgress | null, calls: OwnCalls): Promise<void> {
    if (known !== null || !nameIndex(this.#doors.cluster.state()).has(dest.index)) return;
    const count = await calls.count([dest.index], { match_all: {} }, undefined);
    if (count > 0) throw errors.status(`dest index [${dest.index}] must be empty`, { status: 400 });
  }

  /** Stops analyses, also in the middle; those that failed need `force`. */
  async stop(analytics: readonly StoredAnalytics[], force: boolean, timeoutMs: number): Promise<void> {
    const state = this.#doors.cluster.state();
    const failed = analytics.filter(({ id }) => stateOf(taskOf(state, id)) === 'failed').map(({ id }) => id);
    if (failed.length > 0 && !force)
      throw errors.status(
        `one or more data frame analytics are in failed state, use force stop instead [${failed.join(',')}]`,
        { status: 409 },
      );
    for (const { id } of analytics) await this.#stopOne(id, timeoutMs);
  }

  async #stopOne(id: string, timeoutMs: number): Promise<void> {
    const { cluster, clock } = this.#doors;
    const task = taskOf(cluster.state(), id);
    if (task === null) return;
    await cluster.submit('remove-persistent-task', { id: analyticsTaskId(id) });
    const untilMs = clock.monotonic() + timeoutMs;
    while (task.node !== null && clock.monotonic() < untilMs) {
      if ((await this.#live([task.node], [id])).size === 0) return;
      await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
    }
  }

  async #live(nodes: readonly string[], ids: readonly string[]): Promise<ReadonlyMap<string, AnalyticsProgress>> {
    const answers = await this.#doors.coordinator.callNodes(nodes, 'ml-analytics-running', { ids });
    return new Map(
      answers
        .flatMap(({ error, body }) => (error === null ? (body as { id: string; progress: AnalyticsProgress }[]) : []))
        .map(({ id, progress }) => [id, progress]),
    );
  }

  /** Answers calls of other nodes, and of this one. */
  readonly calls = {
    'ml-analytics-running': (body: unknown) =>
      (body as { ids: readonly string[] }).ids.flatMap((id) => {
        const run = this.#executor.running.get(id);
        return run === undefined ? [] : [{ id, progress: run.progress.json(this.#doors.clock.now()) }];
      }),
  };

  async stats(analytics: readonly StoredAnalytics[]): Promise<JsonObject[]> {
    const state = this.#doors.cluster.state();
    const ids = analytics.map(({ id }) => id);
    const nodes = [...new Set(ids.flatMap((id) => taskOf(state, id)?.node ?? []))];
    const live = nodes.length === 0 ? new Map<string, AnalyticsProgress>() : await this.#live(nodes, ids);
    const out: JsonObject[] = [];
    for (const { id, config } of analytics) {
      const task = taskOf(state, id);
      const progress = live.get(id) ?? (await readProgress(this.#doors.documents, id));
      const node = task?.node == null ? null : (state.nodes.get(task.node) ?? null);
      out.push(analyticsStats(config, { state: stateOf(task), task, node, progress, nowMs: this.#doors.clock.now() }));
    }
    return out;
  }

  async #given(id: string | null, body: unknown): Promise<AnalyticsConfig> {
    if (id !== null) return (await loadAnalytics(this.#doors.documents, id)).config;
    const given = isPlainObject(body) && isPlainObject(body['config']) ? body['config'] : body;
    const withDest = isPlainObject(given) ? { dest: { index: 'explained' }, ...given } : given;
    return parseAnalytics('explained', withDest, this.#doors.modelBytes);
  }

  /** Says how good predictions in documents are. */
  evaluate(body: JsonObject, call: CallContext): Promise<JsonObject> {
    return evaluate(this.#doors, body, call);
  }

  /** Says which fields an analysis reads and why, and how much memory it needs. */
  async explain(id: string | null, body: unknown, { subject, signal }: CallContext): Promise<JsonObject> {
    const config = await this.#given(id, body);
    const calls = new OwnCalls(this.#doors.coordinator, subject, signal);
    const fields = await this.#selectKnown(config, subject, calls);
    await checkClasses(config, fields, calls);
    const rows = await calls.count(
      config.source.indices,
      this.#analysable(config, fields),
      config.source.runtime ?? undefined,
    );
    const expected = sizeText(expectedBytes(config, fields, rows));
    const memory = { expected_memory_without_disk: expected, expected_memory_with_disk: expected };
    return { field_selection: selectionJson(fields), memory_estimation: memory };
  }

  /** The first documents as an analysis reads them. */
  async preview(id: string | null, body: unknown, { subject, signal }: CallContext): Promise<JsonObject> {
    const config = await this.#given(id, body);
    const calls = new OwnCalls(this.#doors.coordinator, subject, signal);
    const selected = await this.#selectKnown(config, subject, calls);
    const fields = analyzedFieldsOf(config, selected).map(({ name }) => name);
    const answer = await calls.search(config.source.indices, {
      ...{ size: PREVIEW_ROWS, query: config.source.query, _source: false, fields, sort: ['_doc'] },
      ...(config.source.runtime === null ? {} : { runtime_mappings: config.source.runtime }),
    });
    const { hits } = answer['hits'] as unknown as { hits: readonly { fields?: JsonObject }[] };
    const shown = hits.map(({ fields: own = {} }) =>
      Object.fromEntries(
        fields.flatMap((name) => {
          const values = own[name];
          return Array.isArray(values) && values.length === 1 ? [[name, values[0] as unknown]] : [];
        }),
      ),
    );
    return { feature_values: shown };
  }
}

const UPDATABLE = ['description', 'model_memory_limit', 'allow_lazy_start', 'max_num_threads', '_meta'];
/** Classes that memory is estimated for before they are counted. */
const CLASSES_EXPECTED = 5;

function expectedBytes({ analysis }: AnalyticsConfig, fields: readonly SelectedField[], rows: number): number {
  const features = fields.filter(({ isIncluded, isRequired }) => isIncluded && !isRequired).length;
  if (analysis.kind === 'outlier_detection') return outlierBytes(rows, features);
  return rows * features * 8 + trainingBytes(rows, 2 * features, analysis.kind === 'regression' ? 1 : CLASSES_EXPECTED);
}

const sizeText = (bytes: number): string =>
  bytes >= KB * KB * 10 ? `${Math.ceil(bytes / KB / KB)}mb` : `${Math.ceil(bytes / KB)}kb`;
