import type { TimerHandle } from '@shoal/doors';
import type { Merges } from '../merge/merges.js';
import type { Commits } from './commits.js';
import type { Engine } from './engine.js';
import type { Refreshes } from './refreshes.js';
import { sealBuffer } from './sealing.js';

/**
 * A shard without writes for this long is flushed. Flushing frees its buffer's memory and leaves nothing to replay at
 * the next open.
 */
const IDLE_FLUSH_MS = 15_000;

/** Seals buffers and commits them: when the buffer is full, the log is long, the shard is idle, or a caller asks. */
export class Flushes {
  readonly #engine: Engine;
  readonly #commits: Commits;
  readonly #refreshes: Refreshes;
  readonly #merges: Merges;
  readonly #bufferBytesMax: number;
  #last: Promise<void> = Promise.resolve();
  #isSealing = false;
  #idleTimer: TimerHandle | null = null;
  #lastWriteMs = 0;

  constructor(engine: Engine, commits: Commits, refreshes: Refreshes, merges: Merges, bufferBytesMax: number) {
    this.#engine = engine;
    this.#commits = commits;
    this.#refreshes = refreshes;
    this.#merges = merges;
    this.#bufferBytesMax = bufferBytesMax;
  }

  /** Seals and commits everything applied so far. Rejects when the store has failed. */
  flush(isPeriodic = false): Promise<void> {
    const run = this.#last.then(() => this.#flush(isPeriodic));
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** Runs `work` while no flush runs. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work);
    this.#last = run.then(
      () => undefined,
      () => undefined,
    );
    return run;
  }

  async #flush(isPeriodic: boolean): Promise<void> {
    const engine = this.#engine;
    const { clock } = engine.doors;
    const started = clock.monotonic();
    const before = { bytes: engine.uncommittedBytes, operations: engine.uncommittedOperations };
    this.#isSealing = true;
    try {
      await sealBuffer(engine);
    } finally {
      this.#isSealing = false;
    }
    // Refreshed before the commit, so that the commit may trim operations that only the old view reads.
    this.#refreshes.afterSeal();
    await this.#commits.write();
    engine.uncommittedBytes -= before.bytes;
    engine.uncommittedOperations -= before.operations;
    this.#merges.schedule();
    const { flushes } = engine.counters;
    flushes.total++;
    if (isPeriodic) flushes.periodic++;
    flushes.timeMs += clock.monotonic() - started;
  }

  /**
   * Called while writing. Starts a flush when the buffer or the log is full. Returns a promise if the writer must wait
   * for the flush, else null.
   */
  makeRoom(): Promise<void> | null {
    const engine = this.#engine;
    this.#scheduleIdleFlush();
    const isFull =
      engine.current.memoryBytes >= this.#bufferBytesMax ||
      engine.uncommittedBytes >= engine.settings.flushThresholdBytes;
    if (!isFull) return null;
    if (this.#isSealing) return this.#last;
    this.#isSealing = true;
    this.flush(true).catch((error) =>
      engine.doors.log.write('error', 'flush failed', { path: engine.store.path, 'error.message': String(error) }),
    );
    return null;
  }

  #scheduleIdleFlush(): void {
    const { clock } = this.#engine.doors;
    this.#lastWriteMs = clock.monotonic();
    this.#idleTimer ??= clock.after(IDLE_FLUSH_MS, () => this.#onIdleTimer());
  }

  #onIdleTimer(): void {
    const { clock, log } = this.#engine.doors;
    const idleMs = clock.monotonic() - this.#lastWriteMs;
    this.#idleTimer = null;
    if (idleMs < IDLE_FLUSH_MS) {
      this.#idleTimer = clock.after(IDLE_FLUSH_MS - idleMs, () => this.#onIdleTimer());
    } else if (this.#engine.uncommittedOperations > 0) {
      this.flush(true).catch((error) =>
        log.write('error', 'flush failed', { path: this.#engine.store.path, 'error.message': String(error) }),
      );
    }
  }

  async close(): Promise<void> {
    this.#idleTimer?.cancel();
    this.#idleTimer = null;
    await this.flushChanges();
  }

  /** Flushes unless everything is committed. */
  async flushChanges(): Promise<void> {
    await this.#last;
    const { store, sealed, uncommittedOperations } = this.#engine;
    const hasChanges =
      uncommittedOperations > 0 || sealed.some((part) => part.changes !== part.committedChanges || !part.isCommitted);
    if (store.failure === null && hasChanges) await this.flush();
  }
}
