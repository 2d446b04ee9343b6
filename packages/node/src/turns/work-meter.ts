/**
 * A span that is shorter by the clock is as long as the clock says, in milliseconds. Asking the system for the
 * processor time of a process of 30 threads takes 1.1 to 2 us, ten to twenty times as long as asking for the clock.
 */
const SHORT_MS = 0.25;
/** Milliseconds by which the processor time at the beginning of a span may be older than the span. */
const STALE_MS = 1;

/**
 * Measures work by the processor time of its thread. The system tells processor time of the whole process only, so that
 * other threads would count, and the clock counts time in which other programs had the processor: on a machine with
 * many of them, an answer of 20 us whose writing wakes its client lasts milliseconds. A span is the lesser of both,
 * which on an idle machine is the clock's, and on a busy one nearly the thread's processor time.
 */
export class WorkMeter {
  readonly #now: () => number;
  readonly #processorMs: () => number;
  #clockMs = 0;
  #usedMs = 0;
  /** Clock at which the processor time was asked for. */
  #usedAtMs = Number.NEGATIVE_INFINITY;

  /** `now`: milliseconds of the clock, or of the event loop's work; `processorMs`: those of the process's processor. */
  constructor(now: () => number, processorMs: () => number = now) {
    this.#now = now;
    this.#processorMs = processorMs;
  }

  /** Begins a span. */
  begin(): void {
    this.#clockMs = this.#now();
    if (this.#clockMs - this.#usedAtMs > STALE_MS) this.#used(this.#clockMs);
  }

  /** Milliseconds of work since `begin`. */
  end(): number {
    const at = this.#now();
    const clockMs = at - this.#clockMs;
    if (clockMs < SHORT_MS) return Math.max(0, clockMs);
    return Math.max(0, Math.min(clockMs, this.#used(at)));
  }

  /** Asks for the processor time; returns how much was used since it was asked for last. */
  #used(at: number): number {
    const before = this.#usedMs;
    this.#usedAtMs = at;
    this.#usedMs = this.#processorMs();
    return this.#usedMs - before;
  }
}
