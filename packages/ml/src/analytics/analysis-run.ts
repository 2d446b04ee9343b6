import type { Value } from '@shoal/codec';
import { type DocumentToWrite, OwnCalls } from '@shoal/coordinator';
import { errors, isApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject, stringify } from '@shoal/json';
import type { Subject } from '@shoal/security';
import { nameIndex } from '@shoal/state';
import { VERSION } from '@shoal/values';
import type { MlDoors } from '../ml-doors.js';
import type { TrainedModels } from '../models/trained-models.js';
import type { AnalysisStep } from './analysis.js';
import { type AnalyzedField, analyzedFieldsOf, selectFields } from './field-selection.js';
import { type Phase, phasesOf, ProgressOf } from './phases.js';
import { destinationBody, sourceFields, sourceIndices, withEmptiness } from './source-fields.js';
import { type AnalyticsProgress, type StoredAnalytics, writeProgress } from './stored-analytics.js';
import { TrainingStore } from './training-store.js';

const PAGE = 1000;
const RESULTS_PAGE = 250;
const ID_FIELD = 'ml__incremental_id';
const COPIES_TIMEOUT_MS = 10_000;
/** Time between two writings of progress. */
const KEEP_EVERY_MS = 2_000;

/**
 * Does an analysis: copies the source, reads its fields, analyses on the thread of models, writes results and model. A
 * copy that a node made before it died is not made again, nor what it has trained; what follows depends on the copy and
 * the seed alone.
 */
export class AnalysisRun {
  readonly #doors: MlDoors;
  readonly #models: TrainedModels;
  readonly #analytics: StoredAnalytics;
  readonly #subject: Subject;
  readonly #calls: OwnCalls;
  readonly #signal: AbortSignal;
  readonly progress: ProgressOf;
  /** Whether another node has made the copy for this analysis. */
  readonly #isCopied: boolean;

  readonly #training: TrainingStore;

  /** Time of the clock at which progress was kept last. */
  #keptMs = 0;

  constructor(
    doors: MlDoors,
    models: TrainedModels,
    analytics: StoredAnalytics,
    signal: AbortSignal,
    earlier: AnalyticsProgress | null,
    allocationId: number,
  ) {
    this.#doors = doors;
    this.#models = models;
    this.#analytics = analytics;
    this.#signal = signal;
    this.#subject = doors.subjectOf(analytics.authentication, `data frame analytics [${analytics.id}]`);
    this.#calls = new OwnCalls(doors.coordinator, this.#subject, signal);
    this.progress = new ProgressOf(phasesOf(analytics.config.analysis), earlier?.startedMs ?? doors.clock.now());
    const { startedMs } = this.progress;
    this.#training = new TrainingStore(doors.documents, analytics.id, { startedMs, allocationId }, signal);
    this.#isCopied = earlier?.phases.some(([phase, percent]) => phase === 'reindexing' && percent === 100) ?? false;
    if (this.#isCopied) this.progress.resume(earlier!);
  }

  get #dest(): string {
    return this.#analytics.config.dest.index;
  }

  /** Runs to the end, or until the signal ends it (false). */
  async run(): Promise<boolean> {
    const { config, id } = this.#analytics;
    const indices = sourceIndices(this.#doors, config, this.#subject);
    const known = await withEmptiness(sourceFields(this.#doors, config, indices), config, this.#calls);
    const fields = analyzedFieldsOf(config, selectFields(config, known));
    await this.#makeDestination(destinationBody(this.#doors, config, indices));
    const copied = this.#isCopied ? await this.#copied() : null;
    if (copied === null) {
      this.progress.restart();
      await this.#training.clear();
    }
    const total = copied ?? (await this.#copy());
    if (this.#signal.aborted) return false;
    const { analysisRoom: room } = this.#doors;
    try {
      await room.call('analysis-open', { id, config: this.#analytics.json, fields } as unknown as Value);
      await this.#keepProgress();
      await this.#load(fields, total);
      if (this.#signal.aborted) return false;
      if (copied !== null) await this.#restoreTraining();
      if (!(await this.#analyse())) return false;
      await this.#writeResults(total);
      if (this.#signal.aborted) return false;
      await this.#keepModel();
      await this.#training.clear();
      this.progress.finish();
      return true;
    } finally {
      await room.call('analysis-close', { id }).catch(() => undefined);
    }
  }

  async #makeDestination(body: JsonObject): Promise<void> {
    const { cluster } = this.#doors;
    if (nameIndex(cluster.state()).has(this.#dest)) return;
    const create = this.#subject.permissions.indexAccess('indices:admin/create');
    if (!create.allows(this.#dest)) throw this.#subject.denied('indices:admin/create', [this.#dest]);
    try {
      const request = { name: this.#dest, body, waitForActiveShards: 'all' };
      await cluster.submit('create-index', request, { timeoutMs: COPIES_TIMEOUT_MS });
    } catch (error) {
      if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
    }
  }

  /** Number of documents that were copied before; null if there are none any more. */
  async #copied(): Promise<number | null> {
    await this.#doors.documents.refresh(this.#dest);
    const query = { exists: { field: ID_FIELD } };
    const answer = await this.#calls.search([this.#dest], { size: 0, track_total_hits: true, query });
    const { total } = answer['hits'] as unknown as Hits;
    if (total === undefined || total.value === 0) return null;
    this.progress.set('reindexing', 1);
    return total.value;
  }

  /** Gives the analysis what an earlier run has trained; all is forgotten if that was another task. */
  async #restoreTraining(): Promise<void> {
    const { id } = this.#analytics;
    for (let isFirst = true; ; isFirst = false) {
      const batch = await this.#training.next();
      if (batch === null) return;
      const isRestored = (await this.#doors.analysisRoom.call('analysis-restore', { id, batch })) === true;
      // One that does not follow the others is written over.
      if (!isRestored) return isFirst ? this.#training.clear() : undefined;
      this.#training.take();
    }
  }

  /**
   * Keeps what was trained, then the progress: a node that goes on is never behind what was shown. False if a later run
   * has the analysis: then neither is kept.
   */
  async #keepTraining(): Promise<boolean> {
    const { id } = this.#analytics;
    const batch = (await this.#doors.analysisRoom.call('analysis-trained', { id })) as Uint8Array | null;
    if (batch !== null && !(await this.#training.keep(batch))) return false;
    await this.#keepProgress();
    return true;
  }

  /** Keeps the progress for a node that goes on after this one. */
  async #keepProgress(): Promise<void> {
    const nowMs = this.#doors.clock.now();
    this.#keptMs = nowMs;
    await writeProgress(this.#doors.documents, this.#analytics.id, this.progress.json(nowMs));
  }

  /** Copies the documents of the source in a lasting order; returns how many there are. */
  async #copy(): Promise<number> {
    const { source } = this.#analytics.config;
    const id = await this.#calls.openPointInTime(source.indices);
    let [copied, after]: [number, unknown] = [0, undefined];
    try {
      while (!this.#signal.aborted) {
        const answer = await this.#calls.search(source.indices, {
          ...{ size: PAGE, query: source.query, pit: { id, keep_alive: '5m' }, sort: [{ _shard_doc: 'asc' }] },
          track_total_hits: true,
          _source: source.fields ?? true,
          ...(source.runtime === null ? {} : { runtime_mappings: source.runtime }),
          ...(after === undefined ? {} : { search_after: after }),
        });
        const { hits, total } = answer['hits'] as unknown as Hits;
        const documents = hits.map(({ _id, _source }) => ({ id: _id, source: { ..._source, [ID_FIELD]: copied++ } }));
        await this.#calls.write(this.#dest, documents, null);
        this.progress.set('reindexing', total === undefined || total.value === 0 ? 1 : copied / total.value);
        if (hits.length < PAGE) break;
        after = hits[hits.length - 1]!.sort;
      }
    } finally {
      await this.#calls.closePointInTime(id);
    }
    await this.#doors.documents.refresh(this.#dest);
    this.progress.set('reindexing', 1);
    return copied;
  }

  /** Pages of the destination in order of the numbers of documents. */
  async *#pages(size: number, body: JsonObject): AsyncGenerator<Hits['hits']> {
    let after: unknown = undefined;
    // Copies keep the form of whole doubles; features are numbers.
    const keepsForm = body['_source'] === true;
    while (!this.#signal.aborted) {
      const request = {
        ...{ size, sort: [{ [ID_FIELD]: 'asc' }], track_total_hits: false, query: { exists: { field: ID_FIELD } } },
        ...body,
        ...(after === undefined ? {} : { search_after: after }),
      };
      const answer = await (keepsForm
        ? this.#calls.search([this.#dest], request)
        : this.#calls.searchPlain([this.#dest], request));
      const { hits } = answer['hits'] as unknown as Hits;
      if (hits.length > 0) yield hits;
      if (hits.length < size) return;
      after = hits[hits.length - 1]!.sort;
    }
  }

  async #load(fields: readonly AnalyzedField[], total: number): Promise<void> {
    const { id, config } = this.#analytics;
    const names = fields.map(({ name }) => name);
    let loaded = 0;
    for await (const hits of this.#pages(PAGE, { _source: false, fields: names })) {
      const rows = hits.map(({ fields: own = {} }) => names.map((name) => singleValue(own[name])));
      const body = { id, rows: Buffer.from(stringify(rows)) };
      const { bytes } = (await this.#doors.analysisRoom.call('analysis-rows', body)) as { bytes: number };
      this.#checkMemory(bytes);
      loaded += hits.length;
      this.progress.set('loading_data', total === 0 ? 1 : loaded / total);
    }
    if (loaded === 0) throw noDocuments(config.source.indices);
    this.progress.set('loading_data', 1);
  }

  #checkMemory(bytes: number): void {
    const { memoryBytes } = this.#analytics.config;
    const most = Math.min(memoryBytes, this.#doors.modelBytes);
    this.progress.peakBytes = Math.max(this.progress.peakBytes, bytes);
    if (bytes > most)
      throw errors.status(
        `the analysis needs [${bytes}] bytes, its memory limit on this node is [${most}]: ` +
          'raise [model_memory_limit], or analyse fewer documents or fields',
        { status: 400 },
      );
  }

  /** Analyses in short steps; false if the signal ended it. */
  async #analyse(): Promise<boolean> {
    const { id } = this.#analytics;
    const { analysisRoom: room } = this.#doors;
    const begun = (await room.call('analysis-begin', { id })) as unknown as Begun;
    this.#checkMemory(begun.bytes);
    const { training, test, skipped } = begun.counts;
    this.progress.counts = {
      ...{ training_docs_count: training, test_docs_count: test, skipped_docs_count: skipped },
    };
    this.progress.set('feature_selection', 1);
    while (!this.#signal.aborted) {
      const { isDone, phase, share, stats } = (await room.call('analysis-step', { id })) as unknown as AnalysisStep;
      this.progress.set(phase as Phase, share);
      this.progress.stats = stats;
      if (this.#doors.clock.now() - this.#keptMs > KEEP_EVERY_MS && !(await this.#keepTraining())) return false;
      if (isDone) return true;
    }
    await this.#keepTraining();
    return false;
  }

  async #writeResults(total: number): Promise<void> {
    const { id, config } = this.#analytics;
    let from = 0;
    for await (const hits of this.#pages(RESULTS_PAGE, { _source: true })) {
      const body = { id, from, to: from + hits.length };
      const bytes = (await this.#doors.analysisRoom.call('analysis-results', body)) as unknown as Uint8Array;
      const results = JSON.parse(Buffer.from(bytes).toString('utf8')) as readonly (JsonObject | null)[];
      const documents: DocumentToWrite[] = hits.flatMap(({ _id, _source }, i) => {
        const own = results[i];
        return own === null || own === undefined
          ? []
          : [{ id: _id, source: { ..._source, [config.dest.resultsField]: own } }];
      });
      await this.#calls.write(this.#dest, documents, null);
      from += hits.length;
      this.progress.set('writing_results', from / Math.max(1, total));
    }
    await this.#doors.documents.refresh(this.#dest);
  }

  async #keepModel(): Promise<void> {
    const { id, config, json } = this.#analytics;
    const model = (await this.#doors.analysisRoom.call('analysis-model', { id })) as unknown as StoredModel | null;
    if (model === null || config.analysis.kind === 'outlier_detection') return;
    const modelId = `${id}-${this.#doors.clock.now()}`;
    const known = JSON.parse(model.metadata) as JsonObject;
    const inference =
      config.analysis.kind === 'regression'
        ? regressionConfig(config.analysis)
        : classificationConfig(config.analysis, model.fieldType);
    await this.#models.keep(modelId, model.definition, {
      ...{ version: VERSION, tags: [id], input: { field_names: [...model.inputs] }, inference_config: inference },
      metadata: { ...known, analytics_config: json },
    });
  }
}

interface Begun {
  readonly counts: { readonly training: number; readonly test: number; readonly skipped: number };
  readonly bytes: number;
}

interface StoredModel {
  readonly definition: string;
  readonly inputs: readonly string[];
  readonly metadata: string;
  readonly fieldType: string;
}

interface Hits {
  readonly total?: { readonly value: number };
  readonly hits: readonly {
    readonly _id: string;
    readonly _source: JsonObject;
    readonly sort: readonly unknown[];
    readonly fields?: JsonObject;
  }[];
}

/** The value of a field that has one; null otherwise. */
function singleValue(values: unknown): unknown {
  if (!Array.isArray(values) || values.length !== 1) return null;
  const value: unknown = values[0];
  if (typeof value === 'bigint') return Number(value);
  return isPlainObject(value) ? null : value;
}

export const noDocuments = (indices: readonly string[]): Error =>
  errors.status(`no documents in the source indices [${indices.join(',')}] can be analysed`, { status: 400 });

function regressionConfig({
  predictionField,
  importances,
}: {
  predictionField: string;
  importances: number;
}): JsonObject {
  return { regression: { results_field: predictionField, num_top_feature_importance_values: importances } };
}

function classificationConfig(
  spec: { readonly predictionField: string; readonly importances: number; readonly topClasses: number },
  fieldType: string,
): JsonObject {
  return {
    classification: {
      num_top_classes: spec.topClasses,
      top_classes_results_field: 'top_classes',
      results_field: spec.predictionField,
      num_top_feature_importance_values: spec.importances,
      prediction_field_type: fieldType,
    },
  };
}
