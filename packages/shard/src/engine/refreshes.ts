import type { TimerHandle } from '@shoal/doors';
import type { SearcherLease } from '../shard-api.js';
import type { Engine } from './engine.js';
import type { Searchers } from './searchers.js';

/**
 * When changes become visible. A refresh costs next to nothing, so nothing runs for an idle shard: a search refreshes
 * when the interval has passed since the last refresh; a timer exists only while somebody waits for one.
 */
export class Refreshes {
  readonly #engine: Engine;
  readonly #searchers: Searchers;
  #lastMs: number;
  #listeners: (() => void)[] = [];
  #timer: TimerHandle | null = null;
  #isClosed = false;

  constructor(engine: Engine, searchers: Searchers) {
    this.#engine = engine;
    this.#searchers = searchers;
    this.#lastMs = engine.doors.clock.monotonic();
  }

  get listenerCount(): number {
    return this.#listeners.length;
  }

  /** Makes all changes visible and lets those go that wait for it. */
  now(): void {
    const { clock } = this.#engine.doors;
    const started = clock.monotonic();
    if (this.#engine.isDirty && this.#engine.resetting === null) this.#searchers.refresh();
    this.#lastMs = clock.monotonic();
    const { refreshes } = this.#engine.counters;
    refreshes.total++;
    refreshes.external++;
    refreshes.timeMs += this.#lastMs - started;
    refreshes.externalTimeMs += this.#lastMs - started;
    this.#timer?.cancel();
    this.#timer = null;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  #isDue(): boolean {
    const { refreshIntervalMs } = this.#engine.settings;
    if (refreshIntervalMs < 0 || !this.#engine.isDirty) return false;
    return this.#engine.doors.clock.monotonic() - this.#lastMs >= refreshIntervalMs;
  }

  /** Refreshes when the interval has passed since the last refresh. */
  ifDue(): void {
    if (this.#isDue()) this.now();
  }

  /** A searcher that is at most the refresh interval behind. */
  acquire(): SearcherLease {
    this.ifDue();
    return this.#searchers.acquire();
  }

  /**
   * After a buffer became a segment: the view lets go of the buffer's memory, unless only explicit refreshes may show
   * changes.
   */
  afterSeal(): void {
    if (this.#engine.settings.refreshIntervalMs >= 0) this.now();
  }

  /** Resolves at the next refresh; true when too many wait already and it was made at once. */
  async next(): Promise<boolean> {
    if (this.#isClosed || !this.#engine.isDirty) return false;
    if (this.#listeners.length >= this.#engine.settings.maxRefreshListeners) {
      this.now();
      return true;
    }
    await new Promise<void>((resolve) => {
      this.#listeners.push(resolve);
      this.#schedule();
    });
    return false;
  }

  #schedule(): void {
    const { refreshIntervalMs } = this.#engine.settings;
    if (this.#timer !== null || refreshIntervalMs < 0) return;
    const { clock } = this.#engine.doors;
    const delayMs = Math.max(0, this.#lastMs + refreshIntervalMs - clock.monotonic());
    this.#timer = clock.after(delayMs, () => this.now());
  }

  /** The interval changed: waiting writes follow the new one. */
  reschedule(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#listeners.length > 0) this.#schedule();
  }

  /** Nobody waits any more: there will be no next refresh. */
  close(): void {
    this.#isClosed = true;
    this.now();
  }
}
