import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { Value } from '@shoal/codec';
import { AlertDelivery } from '../alerts/alert-delivery.js';
import { type Checkpoint, nextGeneration, type StoredCheckpoint } from '../checkpoint/checkpoint-store.js';
import {
  CONFIG_INDEX,
  ensureIndex,
  ensureResultAliases,
  readAlias,
  resultsIndex,
  STATE_INDEX,
  writeAlias,
} from '../documents/ml-indices.js';
import { isVersionConflict } from '../documents/ml-documents.js';
import type { MlDoors } from '../ml-doors.js';
import { notify } from '../audit.js';
import { annotate, writeAnnotations } from '../results/annotations.js';
import { rescore, type ScoreMoves } from '../results/rescore.js';
import { bulkLines } from '../results/result-lines.js';
import type { ColumnsHead } from './column-input.js';
import { addedCounts, EMPTY_STEP } from './data-counts.js';
import { checkGap, type FlushOptions } from './flush-options.js';
import { type FeedbackBody, type StepAnswer, stepOf } from './job-room.js';
import { openModel } from './open-model.js';
import { snapshotIdAt } from './snapshot-id.js';
import { jobSurroundings, loadJob, type StoredJob } from './stored-job.js';

/** Data that waits for its turn in a job, at most; then callers are refused until some of it is done. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** Pieces of data that are handed to the model at a time. */
const PIECE_BYTES = 1024 * 1024;
/** Work with data since a checkpoint after which the next one is due: a node that goes on has to do it again. */
const WORK_MOST_MS = 1000;
const SNAPSHOT_EVERY_MS = 3.5 * 3_600_000;
const SNAPSHOTS_MAX = 100;
/** Seals of the journal that are kept: of the last openings. */
const SEALS_MAX = 100;
const MB = 1024 * 1024;
/** Changes of earlier scores that wait to be written before the job waits for them. */
const RESCORES_WAITING_MAX = 64;

/** What a datafeed gives a job of a stretch of time: lines of documents, or rows of what they add up to. */
export interface FedStretch {
  readonly bytes: Uint8Array;
  /** Null for documents. */
  readonly head: ColumnsHead | null;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A job that runs on this node. Its operations run one after the other. */
export class RunningJob {
  readonly id: string;
  readonly allocationId: number;
  readonly openedMs: number;
  /** Why the model and what is written no longer agree; null while they do. */
  lost: Error | null = null;
  onLost: () => void = () => undefined;
  /** Called when a checkpoint is due before its time. */
  onWork: () => void = () => undefined;
  readonly #doors: MlDoors;
  #delivery: AlertDelivery | null;
  #stored: StoredCheckpoint;
  #job: StoredJob;
  #last: Promise<unknown> = Promise.resolve();
  #waitingBytes = 0;
  #isDirty = false;
  /** Whether it has learnt what no snapshot has. */
  #hasNews = false;
  #isEnded = false;
  /** Whether it was closed in order. */
  #isKept = false;
  #answer: StepAnswer | null = null;
  #lastDataMs: number | null = null;
  #journal = 0;
  /** Numbers at which the journal is sealed. */
  readonly #seals: number[];
  #positionMs: number | null = null;
  /** Whether a datafeed has fed the job since it was opened: then it goes on where it was. */
  #isFed = false;
  #rescores: Promise<void> = Promise.resolve();
  #rescoresWaiting = 0;
  /** Checkpoints take at most this share of the time: the next one waits accordingly. */
  #checkpointMs = 0;
  /** Milliseconds that data has taken since the last checkpoint. */
  #workMs = 0;

  private constructor(doors: MlDoors, job: StoredJob, stored: StoredCheckpoint) {
    this.#doors = doors;
    this.id = job.id;
    this.allocationId = stored.allocationId;
    this.openedMs = doors.clock.now();
    this.#job = job;
    this.#delivery = deliveryOf(doors, job);
    this.#stored = stored;
    this.#journal = stored.checkpoint.journal;
    this.#seals = [...(stored.checkpoint.seals ?? [])];
    this.#positionMs = stored.checkpoint.positionMs;
  }

  /** Opens a job from its last checkpoint and gives it the data that was acknowledged since. */
  static async open(doors: MlDoors, id: string, allocationId: number): Promise<RunningJob> {
    // After a restart the indices may not take requests yet.
    for (const index of [CONFIG_INDEX, STATE_INDEX]) await ensureIndex(doors.cluster, index);
    const job = await loadJob(doors.documents, id);
    await ensureResultAliases(doors.cluster, id, resultsIndex(job.config.resultsIndexName));
    const stored = await doors.checkpoints.claim(id, allocationId);
    const { checkpoint } = stored;
    const surroundings = await jobSurroundings(doors.documents, job);
    const running = new RunningJob(doors, job, stored);
    // The thread of models may have to start first.
    await Promise.all([
      openModel(doors, job, checkpoint.state, surroundings),
      checkpoint.isClosed ? undefined : running.#dropLaterResults(),
    ]);
    await running.#markOpen();
    running.#answer = (await doors.room.call('stats', { id })) as unknown as StepAnswer;
    running.#lastDataMs = lastDataOf(checkpoint.stats);
    await running.#delivery?.resume();
    await running.#replay();
    return running;
  }

  /** Goes on with the configuration as it is stored now, and with what the model has learnt. */
  async reconfigure(): Promise<void> {
    await this.#next(async () => {
      await this.#commit({});
      const job = await loadJob(this.#doors.documents, this.id);
      const { state } = this.#stored.checkpoint;
      const surroundings = await jobSurroundings(this.#doors.documents, job);
      try {
        await openModel(this.#doors, job, state, surroundings);
      } catch (error) {
        this.#lose(error);
        throw error;
      }
      await this.#delivery?.close();
      this.#job = job;
      this.#delivery = deliveryOf(this.#doors, job);
      await this.#delivery?.resume();
    });
  }

  get config(): StoredJob {
    return this.#job;
  }

  /** End of the last window of the datafeed that the job has taken, in milliseconds. */
  get positionMs(): number | null {
    return this.#positionMs;
  }

  /** End of the last bucket that is finished, in milliseconds. */
  get finalizedEndMs(): number | null {
    return this.#answer?.finalizedEndMs ?? null;
  }

  /** Bytes of the model. */
  get modelBytes(): number {
    return Number(this.#answer?.modelSize['model_bytes'] ?? 0);
  }

  /** Statistics as they are now. */
  stats(): JsonObject {
    return {
      data_counts: this.#counts(),
      model_size_stats: { ...this.#answer?.modelSize, log_time: this.#lastDataMs ?? this.openedMs },
      timing_stats: { job_id: this.id, ...this.#answer?.timing },
      finalized_end: this.finalizedEndMs,
    };
  }

  #counts(): JsonObject {
    const counts = this.#answer?.counts ?? {};
    return this.#lastDataMs === null
      ? counts
      : { ...counts, last_data_time: this.#lastDataMs, log_time: this.#lastDataMs };
  }

  /**
   * Results after the checkpoint were written by an owner that died. They are written again from the same data; what is
   * not written again must not stay.
   */
  async #dropLaterResults(): Promise<void> {
    const after = this.#stored.checkpoint.finalizedEndMs ?? 0;
    const isLater = { range: { timestamp: { gte: after } } };
    const kinds = { terms: { result_type: ['bucket', 'record', 'influencer', 'model_plot'] } };
    await this.#doors.documents.calls
      .deleteMatching(readAlias(this.id), { bool: { filter: [isLater, kinds] } })
      .catch((error: unknown) =>
        this.#doors.log.write('warn', 'results after a checkpoint were not deleted', { 'ml.job': this.id, error }),
      );
  }

  async #markOpen(): Promise<void> {
    if (!this.#stored.checkpoint.isClosed) return;
    const next = { ...this.#stored.checkpoint, isClosed: false };
    this.#stored = await this.#doors.checkpoints.change(this.id, this.#stored, next);
  }

  async #replay(): Promise<void> {
    for (;;) {
      const bytes = await this.#doors.checkpoints.readJournal(this.id, this.#stored, this.#journal);
      if (bytes === null) {
        if (!(await this.#doors.checkpoints.sealJournal(this.id, this.#stored, this.#journal))) continue;
        this.#seals.push(this.#journal++);
        return;
      }
      if (bytes.length === 0) this.#seals.push(this.#journal);
      this.#journal++;
      if (bytes.length > 0) await this.#give(bytes);
    }
  }

  async #writeJournal(piece: Uint8Array): Promise<void> {
    try {
      await this.#doors.checkpoints.writeJournal(this.id, this.#stored, this.#journal, piece);
    } catch (error) {
      if (isVersionConflict(error)) this.#lose(error);
      throw error;
    }
    this.#journal++;
  }

  /** Runs an operation after all earlier ones. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(() => {
      this.#checkOpen();
      return work();
    });
    this.#last = run.catch(() => undefined);
    return run;
  }

  #checkOpen(): void {
    if (this.#isEnded) throw errors.illegalState(`job [${this.id}] is closing`, { status: 409 });
    if (this.lost !== null) throw errors.illegalState(`job [${this.id}] is opened again`, { status: 503 });
  }

  /** Takes posted documents; resolves when they are durable and judged, with the counts of this call. */
  async post(bytes: Uint8Array): Promise<JsonObject> {
    // A body that is alone may be larger: it is worked off piece by piece, and would be no smaller the next time.
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes.length > WAITING_BYTES_MAX)
      throw errors.rejectedExecution(`job [${this.id}] has more than [${WAITING_BYTES_MAX}] bytes of data waiting`);
    this.#waitingBytes += bytes.length;
    try {
      return await this.#next(async () => {
        let total: JsonObject = { ...EMPTY_STEP, job_id: this.id };
        for (const piece of piecesOf(bytes)) {
          this.#checkOpen();
          await this.#writeJournal(piece);
          total = addedCounts(total, (await this.#give(piece)).step);
        }
        return { ...total, last_data_time: this.#lastDataMs };
      });
    } finally {
      this.#waitingBytes -= bytes.length;
    }
  }

  /**
   * Takes documents of the datafeed from one time to another; they are read again if the job does not reach a
   * checkpoint. Throws version_conflict_engine_exception if the job is at another time: example: the job has gone back
   * to its checkpoint, or another datafeed task has fed it meanwhile.
   */
  async feed({ bytes, head, fromMs, toMs }: FedStretch): Promise<void> {
    await this.#next(async () => {
      if (this.#positionMs !== null && fromMs !== this.#positionMs && (fromMs < this.#positionMs || this.#isFed))
        throw errors.versionConflict(`job [${this.id}] has the data up to [${this.#positionMs}], not [${fromMs}]`);
      for (const piece of piecesOf(bytes)) await this.#giveFed(piece, head ?? null);
      this.#positionMs = toMs;
      this.#isFed = true;
      this.#isDirty = this.#hasNews = true;
    });
  }

  /** Lets the next feed begin after the last one: a datafeed was started with a later start. */
  beginFeed(): void {
    this.#isFed = false;
  }

  async #give(documents: Uint8Array): Promise<StepAnswer> {
    this.#isDirty = this.#hasNews = true;
    this.#lastDataMs = this.#doors.clock.now();
    return this.#timed(() => this.#step('data', { id: this.id, documents }));
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const startedMs = this.#doors.clock.monotonic();
    const done = await work();
    this.#workMs += this.#doors.clock.monotonic() - startedMs;
    if (this.hasMuchWork) this.onWork();
    return done;
  }

  async #giveFed(bytes: Uint8Array, head: ColumnsHead | null): Promise<void> {
    this.#isDirty = this.#hasNews = true;
    this.#lastDataMs = this.#doors.clock.now();
    const { id } = this;
    await this.#timed(() =>
      head === null
        ? this.#step('data', { id, documents: bytes, isFed: true })
        : this.#step('columns', { id, rows: bytes, head } as unknown as Value),
    );
  }

  /** Asks the model. If it is gone, or has taken a part of what it was given, the job must be opened again. */
  async #ask(action: string, body: Value): Promise<StepAnswer> {
    try {
      return (await this.#doors.room.call(action, body)) as unknown as StepAnswer;
    } catch (error) {
      this.#lose(error);
      throw error;
    }
  }

  /** Does a step in the model and writes the results of each part of it. */
  async #step(action: string, body: Value): Promise<StepAnswer> {
    let done: StepAnswer | null = null;
    try {
      for await (const part of stepOf(this.#doors.room, action, body)) {
        done = await this.#took(part);
        // A job whose task is gone does not go on in the middle of much data.
        if (part.isPart) this.#checkOpen();
      }
    } catch (error) {
      this.#lose(error);
      throw error;
    }
    return done!;
  }

  #lose(error: unknown): void {
    this.lost ??= error instanceof Error ? error : new Error(String(error));
    this.onLost();
  }

  /** Gives earlier results their new scores beside the work of the job, in the order in which they were decided. */
  async #rescore(moves: ScoreMoves): Promise<void> {
    if (this.#rescoresWaiting >= RESCORES_WAITING_MAX) await this.#rescores;
    this.#rescoresWaiting++;
    this.#rescores = this.#rescores
      .then(() => (this.lost === null ? rescore(this.#doors.documents, this.#job.config, moves) : undefined))
      // The same scores are decided again from the last checkpoint.
      .catch((error: unknown) => this.#lose(error))
      .finally(() => this.#rescoresWaiting--);
  }

  /** Tells users when the memory of the model comes to its limit. */
  #noteMemory({ modelSize }: StepAnswer): void {
    const status = modelSize['memory_status'];
    if (status === undefined || status === (this.#answer?.modelSize['memory_status'] ?? 'ok') || status === 'ok')
      return;
    const limit = `${Math.floor(this.#job.config.memoryLimitBytes / MB)}mb`;
    const beyond = `${Math.ceil(Number(modelSize['model_bytes_exceeded']) / 1024)}kb`;
    const message =
      status === 'soft_limit'
        ? 'Job memory status changed to soft_limit; memory pruning will now be more aggressive'
        : `Job memory status changed to hard_limit; job exceeded model memory limit ${limit} by ${beyond}. ` +
          'Adjust the analysis_limits.model_memory_limit setting to ensure all data is analyzed';
    void notify(this.#doors, this.id, status === 'soft_limit' ? 'warning' : 'error', message);
  }

  async #took(answer: StepAnswer): Promise<StepAnswer> {
    this.#noteMemory(answer);
    this.#answer = answer;
    try {
      await this.#doors.clock.aside();
      await this.#doors.documents.bulk(writeAlias(this.id), answer.lines);
      await writeAnnotations(this.#doors, this.id, answer.annotations);
      await this.#delivery?.write(answer.alerts);
      for (const moves of answer.moves) await this.#rescore(moves);
    } catch (error) {
      // The model has learnt what has no results: only the last checkpoint and the data after it are whole.
      this.#lose(error);
      throw error;
    }
    return answer;
  }

  /** Finishes what can be finished, and shows all results. Returns the end of the last finished bucket. */
  async flush(options: FlushOptions): Promise<number | null> {
    const { calcInterim, advanceToMs, skipToMs, isRepeated = false } = options;
    const { interimFromMs: fromMs = null, interimToMs: toMs = null, fedToMs = null } = options;
    return this.#next(async () => {
      if (fedToMs !== null) await this.#keepFed(fedToMs);
      if (advanceToMs !== null || skipToMs !== null) {
        const body = { id: this.id, advanceToMs, skipToMs };
        const firstMs = this.finalizedEndMs ?? (this.#counts()['earliest_record_timestamp'] as number | undefined);
        if (!isRepeated && firstMs !== undefined) checkGap(options, firstMs, this.#job.config.spanS);
        await this.#step('advance', body);
        this.#isDirty = this.#hasNews = true;
        // What is skipped or finished is in no journal: only a checkpoint keeps it.
        if (!isRepeated) await this.#commit({});
      }
      if (calcInterim) await this.#took(await this.#ask('interim', { id: this.id, fromMs, toMs }));
      await this.#settleScores();
      await this.#doors.documents.refresh(readAlias(this.id));
      return this.finalizedEndMs;
    });
  }

  async #keepFed(toMs: number): Promise<void> {
    if (this.#positionMs !== toMs)
      throw errors.versionConflict(`job [${this.id}] has the data up to [${this.#positionMs}], not [${toMs}]`);
    if (this.#isDirty) await this.#commit({});
  }

  async forecast(request: JsonObject): Promise<{ series: number; startMs: number; endMs: number }> {
    return this.#next(async () => {
      const answer = await this.#doors.room.call('forecast', { id: this.id, request } as unknown as Value);
      const made = answer as unknown as { lines: Uint8Array; series: number; startMs: number; endMs: number };
      await this.#doors.documents.bulk(writeAlias(this.id), made.lines);
      await this.#doors.documents.refresh(readAlias(this.id));
      return { series: made.series, startMs: made.startMs, endMs: made.endMs };
    });
  }

  /** Learns that events like a record are expected, or are not. Returns whether its model remembers events. */
  async feedback(body: FeedbackBody): Promise<boolean> {
    return this.#next(async () => {
      const isKnown = await this.#doors.room.call('feedback', { id: this.id, ...body } as unknown as Value);
      // It is in no journal: only a checkpoint keeps it.
      if (isKnown === true) await this.#commit({});
      return isKnown === true;
    });
  }

  /** What the job has seen of its fields, its series and their seasons. */
  async summary(): Promise<JsonObject> {
    return this.#next(async () => (await this.#doors.room.call('summary', { id: this.id })) as unknown as JsonObject);
  }

  /** Reads the events of the job's calendars again; they count from the next bucket. */
  async reloadCalendar(): Promise<void> {
    await this.#next(async () => {
      const { calendar } = await jobSurroundings(this.#doors.documents, this.#job);
      await this.#doors.room.call('calendar', { id: this.id, calendar } as unknown as Value);
    });
  }

  /** Milliseconds until the next checkpoint may be made: checkpoints take at most a tenth of the time. */
  get checkpointPauseMs(): number {
    return 9 * this.#checkpointMs;
  }

  /** Whether so much was done since the last checkpoint that the next one does not wait for its time. */
  get hasMuchWork(): boolean {
    return this.#workMs > WORK_MOST_MS;
  }

  /** Keeps what the job has learnt since the last checkpoint. */
  async checkpoint(): Promise<void> {
    await this.#next(async () => {
      const isDue = this.#doors.clock.now() - this.#stored.checkpoint.snapshotMs > SNAPSHOT_EVERY_MS;
      if (this.#isDirty) await this.#commit(isDue ? { snapshot: 'Periodic background persist' } : {});
    });
  }

  /** Lets a model snapshot go. */
  async dropSnapshot(id: string): Promise<void> {
    await this.#next(async () => {
      this.#stored = await this.#doors.checkpoints.dropSnapshot(this.id, this.#stored, id);
    });
  }

  async #commit({ snapshot, isClosed = false }: { snapshot?: string; isClosed?: boolean }): Promise<void> {
    const startedMs = this.#doors.clock.monotonic();
    // What a checkpoint holds is not decided again: it must be written.
    await this.#settleScores();
    const { checkpoint } = this.#stored;
    const pieces = (await this.#doors.room.call('pack', { id: this.id })) as number;
    const nowMs = this.#doors.clock.now();
    const id = snapshot === undefined ? null : snapshotIdAt(nowMs, checkpoint.snapshots);
    const generation = nextGeneration(checkpoint);
    const kept = Object.entries(checkpoint.snapshots)
      .filter(([, { parts }]) => parts > 0)
      .slice(-SNAPSHOTS_MAX + 1);
    const next: Omit<Checkpoint, 'state'> = {
      journal: this.#journal,
      positionMs: this.#positionMs,
      finalizedEndMs: this.finalizedEndMs,
      stats: this.stats(),
      isClosed,
      // The number of parts is known once they are written: until then the snapshot names its generation.
      snapshots: Object.fromEntries(
        id === null ? kept : [...kept, [id, { generation, parts: 0, writer: this.allocationId }]],
      ),
      snapshotMs: id === null ? checkpoint.snapshotMs : nowMs,
      seals: this.#seals.slice(-SEALS_MAX),
    };
    this.#stored = await this.#doors.checkpoints.commit(this.id, this.#stored, this.#packed(pieces), next);
    if (id !== null) {
      await this.#writeSnapshot(id, snapshot!);
      this.#hasNews = false;
    }
    this.#isDirty = false;
    this.#workMs = 0;
    this.#checkpointMs = this.#doors.clock.monotonic() - startedMs;
  }

  /** The pieces of the state that were packed last. */
  async *#packed(pieces: number): AsyncGenerator<Uint8Array> {
    for (let piece = 0; piece < pieces; piece++)
      yield (await this.#doors.room.call('piece', { id: this.id, piece })) as Uint8Array;
  }

  async #settleScores(): Promise<void> {
    await this.#rescores;
    if (this.lost !== null) throw this.lost;
  }

  async #writeSnapshot(id: string, description: string): Promise<void> {
    const { checkpoint } = this.#stored;
    const { positionMs, finalizedEndMs, stats } = checkpoint;
    const kept = { ...checkpoint.state!, at: { positionMs, finalizedEndMs, stats } };
    const snapshots = { ...checkpoint.snapshots, [id]: kept };
    this.#stored = await this.#doors.checkpoints.change(this.id, this.#stored, { ...checkpoint, snapshots });
    const counts = this.#counts();
    const time = (key: string): JsonObject =>
      counts[key] === undefined ? {} : { [`${key.replace('_timestamp', '_time_stamp')}`]: counts[key] };
    const source: JsonObject = {
      ...{ job_id: this.id, min_version: '8.12.0', timestamp: this.#doors.clock.now(), description, snapshot_id: id },
      snapshot_doc_count: kept.parts,
      model_size_stats: this.#answer?.modelSize ?? {},
      ...time('latest_record_timestamp'),
      ...(this.finalizedEndMs === null ? {} : { latest_result_time_stamp: this.finalizedEndMs }),
      retain: false,
    };
    const line = bulkLines([{ id: `${this.id}_model_snapshot_${id}`, source }]);
    await this.#doors.documents.bulk(writeAlias(this.id), Buffer.from(line));
    const nowMs = this.#doors.clock.now();
    const atMs = this.finalizedEndMs ?? nowMs;
    const text = `Job model snapshot with id [${id}] stored`;
    const stored = { jobId: this.id, text, event: 'model_snapshot_stored', startMs: atMs, endMs: atMs, nowMs } as const;
    await annotate(this.#doors, `${this.id}_model_snapshot_stored_${id}`, stored);
  }

  /** Keeps everything and frees the model. A job that is closed already stays so. */
  async close(): Promise<void> {
    if (this.#isKept) return this.abandon();
    await this.#next(async () => {
      await this.#keepClosed();
      const size = {
        id: `${this.id}_model_size_stats_last`,
        source: { ...this.#answer?.modelSize, ...{ log_time: this.#doors.clock.now() } },
      };
      await this.#doors.documents.bulk(writeAlias(this.id), Buffer.from(bulkLines([size])));
      await this.#doors.documents.refresh(resultsIndex(this.#job.config.resultsIndexName));
      this.#isKept = true;
    });
    await this.abandon();
  }

  /** Keeps the state with a snapshot; the last one that was kept so stays, if the job has learnt nothing since. */
  async #keepClosed(): Promise<void> {
    const { checkpoint } = this.#stored;
    const isNew = checkpoint.state === null;
    if ((this.#hasNews || isNew) && this.finalizedEndMs !== null)
      return this.#commit({ snapshot: 'State persisted due to job close at time', isClosed: true });
    if (this.#isDirty || isNew) return this.#commit({ isClosed: true });
    await this.#settleScores();
    const next = { ...checkpoint, journal: this.#journal, seals: [...this.#seals], isClosed: true };
    this.#stored = await this.#doors.checkpoints.change(this.id, this.#stored, next);
  }

  /** Frees the model without keeping anything: another node goes on from the last checkpoint. */
  async abandon(): Promise<void> {
    this.#isEnded = true;
    await this.#last;
    await this.#rescores;
    await this.#delivery?.close();
    await this.#doors.room.call('close', { id: this.id }).catch(() => undefined);
  }
}

function deliveryOf(doors: MlDoors, { config }: StoredJob): AlertDelivery | null {
  return config.alert === null ? null : new AlertDelivery(doors, config, config.alert);
}

function lastDataOf(stats: JsonObject): number | null {
  const counts = stats['data_counts'] as JsonObject | undefined;
  return (counts?.['last_data_time'] as number | undefined) ?? null;
}

/** Splits lines into pieces of about a megabyte, at ends of lines; a body without line breaks is one piece. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(bytes.length, from + PIECE_BYTES);
    if (to < bytes.length) {
      const end = bytes.indexOf(10, to);
      to = end < 0 ? bytes.length : end + 1;
    }
    yield bytes.subarray(from, to);
    from = to;
  }
}
