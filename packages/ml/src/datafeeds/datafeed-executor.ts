import { OwnCalls } from '@shoal/coordinator';
import { pause } from '@shoal/doors';
import { isApiError, toApiError } from '@shoal/errors';
import type { Subject } from '@shoal/security';
import { OPEN_ONLY, ownPersistentTask, type PersistentTask, resolveIndices } from '@shoal/state';
import { notify } from '../audit.js';
import type { JobConfig } from '../jobs/job-config.js';
import type { JobService } from '../jobs/job-service.js';
import { jobTaskId } from '../jobs/job-task.js';
import { timeText } from '../jobs/time-text.js';
import type { MlDoors } from '../ml-doors.js';
import { frequencyOf } from './datafeed-config.js';
import { DelayedData } from './delayed-data.js';
import { chooseColumns, type ColumnChoice } from './column-plan.js';
import { type Extract, Extractor, type Reading } from './extract.js';
import { FEED_FAILS, FEED_STARTS, FeedRetries, failureText } from './feed-failure.js';
import { untilRound } from './round-times.js';
import { loadDatafeed, type StoredDatafeed } from './stored-datafeed.js';

const CLOSE_MS = 60_000;

/** A datafeed that runs on this node. */
export interface RunningDatafeed {
  readonly jobId: string;
  readonly isRealTimeConfigured: boolean;
  isRealTime: boolean;
  searches: number;
  buckets: number;
  searchMs: number;
  /** Why the last search failed; null if it did not. */
  failure: string | null;
  /** How the history is read, and why not by columns. */
  reading: Reading;
}

interface FeedRun {
  readonly id: string;
  readonly feed: StoredDatafeed;
  readonly job: JobConfig;
  readonly extractor: Extractor;
  readonly running: RunningDatafeed;
  readonly signal: AbortSignal;
  readonly endMs: number | null;
  /** Where the next search begins; null until the job has said so. */
  positionMs: number | null;
  /** End of what the job has of its datafeeds, as it has said or was given since; null for nothing. */
  jobMs: number | null;
  readonly startMs: number;
  readonly delayed: DelayedData;
  emptySearches: number;
  /** End of the last bucket that the job has finished, in milliseconds; null until it has told. */
  finalizedEndMs: number | null;
  /** Rounds in real time without a document, one after the other; for the messages about them. */
  quietRounds: number;
}

/** Searches without a document after which users are told. */
const QUIET_ROUNDS = 10;

/** Runs the datafeeds that the master assigns to this node: history first, then what is new, each document once. */
export class DatafeedExecutor {
  readonly #doors: MlDoors;
  readonly #jobs: JobService;
  readonly running = new Map<string, RunningDatafeed>();

  constructor(doors: MlDoors, jobs: JobService) {
    this.#doors = doors;
    this.#jobs = jobs;
  }

  async run(taskId: string, task: PersistentTask, signal: AbortSignal): Promise<void> {
    const id = task.params['id'] as string;
    const { startMs, endMs } = task.params as { startMs: number; endMs: number | null };
    const feed = await this.#load(id, taskId, task);
    if (feed === null) return;
    const { config: job } = await this.#jobs.get(feed.config.jobId);
    const subject = await this.#makerOf(feed, job, taskId, task);
    if (subject === null) return;
    const calls = new OwnCalls(this.#doors.coordinator, subject, signal, true);
    const extractor = new Extractor(feed.config, job, calls, this.#choiceOf(feed, job, subject));
    const running: RunningDatafeed = {
      ...{ jobId: job.id, isRealTimeConfigured: endMs === null, isRealTime: false },
      ...{ searches: 0, buckets: 0, searchMs: 0, failure: null, reading: extractor.reading },
    };
    const run: FeedRun = {
      ...{ id, feed, job, extractor, running, signal, endMs, startMs, positionMs: null, jobMs: null, emptySearches: 0 },
      ...{ delayed: new DelayedData(this.#doors, feed.config, job, extractor), finalizedEndMs: null, quietRounds: 0 },
    };
    this.running.set(id, running);
    try {
      const { allocationId } = task;
      await this.#doors.cluster.submit('update-persistent-task', {
        id: taskId,
        allocationId,
        status: { state: 'started' },
      });
      await this.#tell(run, 'info', startText(run));
      const isDone = await this.#rounds(run);
      await this.#tell(run, 'info', 'Datafeed stopped');
      if (isDone && !signal.aborted) await this.#complete(taskId, task, run);
    } finally {
      if (this.running.get(id) === running) this.running.delete(id);
    }
  }

  /** Returns a datafeed; ends its task, and returns null, if it was deleted. */
  async #load(id: string, taskId: string, { allocationId }: PersistentTask): Promise<StoredDatafeed | null> {
    try {
      return await loadDatafeed(this.#doors.documents, id);
    } catch (error) {
      if (!isApiError(error) || error.type !== 'resource_not_found_exception') throw error;
      await this.#doors.cluster.submit('remove-persistent-task', { id: taskId, allocationId });
      return null;
    }
  }

  /** Whether the history of a datafeed can be read from columns, as its maker sees its indices now. */
  #choiceOf({ config }: StoredDatafeed, job: JobConfig, subject: Subject): ColumnChoice {
    const { cluster, clock, coordinator } = this.#doors;
    try {
      const access = subject.permissions.indexAccess('indices:data/read/search');
      const found = resolveIndices(cluster.state(), [...config.indices], OPEN_ONLY, access, clock.now());
      return chooseColumns(
        job,
        config,
        found.map((index) => coordinator.mappingOf(index)),
      );
    } catch (error) {
      return { why: toApiError(error).reason ?? 'its indices are not there' };
    }
  }

  /** Returns with whose rights a datafeed runs; stops it, and returns null, if nobody's are known. */
  async #makerOf(feed: StoredDatafeed, job: JobConfig, taskId: string, task: PersistentTask): Promise<Subject | null> {
    try {
      return this.#doors.subjectOf(feed.authentication, `datafeed [${feed.config.id}]`);
    } catch (error) {
      if (!isApiError(error)) throw error;
      await notify(this.#doors, job.id, 'error', error.reason ?? '');
      await this.#doors.cluster.submit('remove-persistent-task', { id: taskId, allocationId: task.allocationId });
      return null;
    }
  }

  /** Searches until there is nothing more to do (true) or the datafeed was stopped. */
  async #rounds(run: FeedRun): Promise<boolean> {
    const { clock, log } = this.#doors;
    const retries = new FeedRetries(run.endMs !== null);
    while (!run.signal.aborted) {
      try {
        const found = await this.#round(run);
        retries.succeeded();
        if (run.running.failure !== null)
          await this.#tell(run, 'info', 'Datafeed has recovered data extraction and analysis');
        run.running.failure = null;
        await this.#tellOfRound(run, found);
        if (isAtEnd(run)) {
          await this.#keep(run);
          return true;
        }
        run.running.isRealTime = true;
        const frequencyMs = frequencyOf(run.feed.config, run.job);
        run.extractor.endHistory(frequencyMs);
        await pause(clock, untilRound(run.id, clock.now(), frequencyMs), run.signal);
      } catch (error) {
        if (run.signal.aborted) return false;
        const reason = failureText(error, run.feed.config.indices);
        if (reason.startsWith('unknown call [ml-job-feed-columns]')) {
          // The node of the job has an earlier version.
          run.extractor.endHistory(frequencyOf(run.feed.config, run.job));
          continue;
        }
        if (run.running.failure !== reason) await this.#tell(run, 'error', `${FEED_FAILS}: ${reason}`);
        run.running.failure = reason;
        log.write('warn', 'a datafeed failed', { 'ml.datafeed': run.id, error });
        const waitMs = retries.failed(error);
        if (waitMs === null) return true;
        // The job may have gone back to its checkpoint: it says where it is.
        run.positionMs = null;
        await pause(clock, waitMs, run.signal);
      }
    }
    return false;
  }

  #tell(run: FeedRun, level: 'info' | 'warning' | 'error', message: string): Promise<void> {
    return notify(this.#doors, run.job.id, level, message);
  }

  /** Tells users how the history went, and when documents fail to come or come again; 8.12's words. */
  async #tellOfRound(run: FeedRun, found: number): Promise<void> {
    if (!run.running.isRealTime) {
      const text = found === 0 ? 'Datafeed lookback retrieved no data' : 'Datafeed lookback completed';
      await this.#tell(run, found === 0 ? 'warning' : 'info', text);
      if (run.endMs === null) await this.#tell(run, 'info', 'Datafeed continued in real-time');
      return;
    }
    if (found === 0) {
      if (++run.quietRounds === QUIET_ROUNDS)
        await this.#tell(run, 'warning', 'Datafeed has been retrieving no data for a while');
      return;
    }
    if (run.quietRounds >= QUIET_ROUNDS) await this.#tell(run, 'info', 'Datafeed has started retrieving data again');
    run.quietRounds = 0;
  }

  /** Reads what has come; returns the number of documents. */
  async #round(run: FeedRun): Promise<number> {
    const { clock } = this.#doors;
    if (run.positionMs === null) {
      run.jobMs = await this.#jobs.positionOf(run.job.id);
      run.positionMs = Math.max(run.startMs, run.jobMs ?? Number.NEGATIVE_INFINITY);
    }
    const nowMs = clock.now() - run.feed.config.queryDelayMs;
    const toMs = run.endMs === null ? nowMs : Math.min(run.endMs, nowMs + run.feed.config.queryDelayMs);
    let found = 0;
    while (run.positionMs < toMs && !run.signal.aborted) {
      const plan = await this.#timed(run, () => run.extractor.plan(run.positionMs!, toMs));
      if (plan === null) {
        await this.#give(run, { count: 0, lines: '', head: null, nextMs: toMs });
        break;
      }
      const windowEnd = Math.min(toMs, plan.firstMs + plan.windowMs);
      found += await this.#window(run, windowEnd);
      if (run.positionMs < windowEnd) break;
    }
    run.emptySearches = found === 0 ? run.emptySearches + 1 : 0;
    if (found > 0 || run.endMs !== null || run.running.isRealTime) await this.#flush(run);
    if (run.running.isRealTime) await run.delayed.check(run.finalizedEndMs);
    return found;
  }

  /** In real time buckets end by the clock: one without documents is judged as such. */
  async #flush(run: FeedRun): Promise<void> {
    const advanceToMs = run.running.isRealTime ? run.positionMs : null;
    const options = { calcInterim: true, advanceToMs, skipToMs: null, isRepeated: true };
    const { last_finalized_bucket_end: endMs } = await this.#jobs.flush(run.job.id, options);
    if (typeof endMs !== 'number') return;
    const beforeMs = run.finalizedEndMs ?? endMs;
    run.running.buckets += Math.max(0, Math.round((endMs - beforeMs) / (1000 * run.job.spanS)));
    run.finalizedEndMs = endMs;
  }

  /** Has the job keep what it was given: once this datafeed has ended, nobody gives it again. */
  async #keep(run: FeedRun): Promise<void> {
    // Example: a start in the future, and no more searches than may find nothing: the job has been given nothing.
    if (run.jobMs === null) return;
    const options = { calcInterim: false, advanceToMs: null, skipToMs: null, fedToMs: run.jobMs };
    await this.#jobs.flush(run.job.id, options);
  }

  /** Gives the job all stretches up to the end of a window; returns the number of documents. */
  async #window(run: FeedRun, endMs: number): Promise<number> {
    let found = 0;
    while (run.positionMs! < endMs && !run.signal.aborted) {
      const extract = await this.#timed(run, () => run.extractor.next(run.positionMs!, endMs));
      if (extract.nextMs === run.positionMs) return found;
      await this.#give(run, extract);
      found += extract.count;
    }
    return found;
  }

  async #give(run: FeedRun, { lines, head, nextMs }: Extract): Promise<void> {
    const stretch = { bytes: Buffer.from(lines), head, fromMs: run.positionMs!, toMs: nextMs };
    await this.#jobs.feed(run.job.id, stretch);
    run.positionMs = run.jobMs = nextMs;
  }

  async #timed<T>(run: FeedRun, work: () => Promise<T>): Promise<T> {
    const startedMs = this.#doors.clock.monotonic();
    try {
      return await work();
    } finally {
      run.running.searchMs += this.#doors.clock.monotonic() - startedMs;
      run.running.searches = run.extractor.searches;
      run.running.reading = run.extractor.reading;
    }
  }

  /**
   * Ends the task; a datafeed with an end closes its job, as in 8.12. The job is to be closed from the same state on:
   * if this node dies between both, the node of the job closes it.
   */
  async #complete(taskId: string, { allocationId }: PersistentTask, run: FeedRun): Promise<void> {
    const { cluster } = this.#doors;
    const closesJob = run.endMs !== null && run.running.failure === null;
    const merged = { id: jobTaskId(run.job.id), params: { isClosing: true } };
    await cluster.submit('remove-persistent-task', { id: taskId, allocationId, ...(closesJob ? { merged } : {}) });
    if (!closesJob) return;
    if (ownPersistentTask(cluster.state(), taskId) !== null) return;
    const job = await this.#jobs.get(run.job.id);
    await this.#jobs.close([job], false, CLOSE_MS).catch((error: unknown) => {
      this.#doors.log.write('warn', 'a job was not closed at the end of its datafeed', { 'ml.job': job.id, error });
    });
  }
}

/** Whether a datafeed has read all up to its end, or has found nothing as often as it may. */
function isAtEnd({ endMs, positionMs, emptySearches, running, feed }: FeedRun): boolean {
  if (endMs !== null && positionMs! >= endMs) return true;
  const most = feed.config.emptySearchesMax;
  return running.isRealTime && most !== null && emptySearches >= most;
}

function startText({ startMs, endMs, feed, job }: FeedRun): string {
  const to = endMs === null ? 'real-time' : new Date(endMs).toISOString();
  const frequency = timeText(frequencyOf(feed.config, job));
  return `${FEED_STARTS} (from: ${new Date(startMs).toISOString()} to: ${to}) with frequency [${frequency}]`;
}
