import type { TimerHandle } from '@shoal/doors';
import type { SearcherLease } from '../shard-api.js';
import type { Engine } from './engine.js';
import type { Searchers } from './searchers.js';

/**
 * Decides when changes become visible. A refresh is cheap and an idle shard runs none. A search refreshes if the
 * interval has passed since the last refresh. A timer runs only while a write waits for a refresh.
 */
export class Refreshes {
  readonly #engine: Engine;
  readonly #searchers: Searchers;
  #lastMs: number;
  #listeners: (() => void)[] = [];
  #timer: TimerHandle | null = null;
  #isClosed = false;
  #count = 0;

  constructor(engine: Engine, searchers: Searchers) {
    this.#engine = engine;
    this.#searchers = searchers;
    this.#lastMs = engine.doors.clock.monotonic();
  }

  get listenerCount(): number {
    return this.#listeners.length;
  }

  /** Refreshes so far that showed all changes. */
  get count(): number {
    return this.#count;
  }

  /** Makes all changes visible and resolves waiting writes. */
  now(): void {
    const { clock } = this.#engine.doors;
    const started = clock.monotonic();
    if (this.#engine.isDirty && this.#engine.resetting === null) this.#searchers.refresh();
    this.#lastMs = clock.monotonic();
    if (this.#engine.resetting === null) this.#count++;
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

  /** Returns a searcher that is at most the refresh interval behind. */
  acquire(): SearcherLease {
    this.ifDue();
    return this.#searchers.acquire();
  }

  /**
   * Called after a buffer became a segment. Makes a view of the segment, so that the buffer's memory is released and
   * other threads may search it, unless only explicit refreshes may show changes (interval -1).
   */
  afterSeal(): void {
    const { isDirty, settings, resetting } = this.#engine;
    if (settings.refreshIntervalMs >= 0) this.now();
    // The view showed everything already, of the buffer.
    if (!isDirty && resetting === null) this.#searchers.refresh();
  }

  /** Resolves at the next refresh. Returns true if too many writes waited already and this call refreshed at once. */
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

  /** Called when the interval changed: the timer of waiting writes is set anew. */
  reschedule(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#listeners.length > 0) this.#schedule();
  }

  /** Refreshes a last time, so that no write waits for a refresh that never comes. */
  close(): void {
    this.#isClosed = true;
    this.now();
  }
}
