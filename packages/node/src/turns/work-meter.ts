/** A span that is shorter by the clock is as long as the clock says, in milliseconds. */
const SHORT_MS = 0.25;
/** Milliseconds by which the processor time at the beginning of a span may be older than the span. */
const STALE_MS = 1;
/**
 * Both are this many times as long as asking for the processor time takes, at least. That is 1.1 to 2 us for a process
 * of 30 threads on Linux itself; where a sandbox answers for the system, 40 to 900 us were seen while the threads work,
 * and 3 to 12 % of the time of the thread went to it.
 */
const TIMES_AS_LONG = 100;
/** The longest time that asking may seem to take: more is the time of another program that had the processor. */
const ASKING_MS_MAX = 1;
/** Weights of the newest question in the mean of what asking takes; one that took longer counts less. */
const SHORTER_WEIGHT = 0.3;
const LONGER_WEIGHT = 0.1;

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
  /** What asking for it takes. */
  #askingMs = 0;

  /** `now`: milliseconds of the clock, or of the event loop's work; `processorMs`: those of the process's processor. */
  constructor(now: () => number, processorMs: () => number = now) {
    this.#now = now;
    this.#processorMs = processorMs;
  }

  /** Begins a span. */
  begin(): void {
    this.#clockMs = this.#now();
    const staleMs = Math.max(STALE_MS, TIMES_AS_LONG * this.#askingMs);
    if (this.#clockMs - this.#usedAtMs > staleMs) this.#used(this.#clockMs);
  }

  /** Milliseconds of work since `begin`. */
  end(): number {
    const at = this.#now();
    const clockMs = at - this.#clockMs;
    if (clockMs < Math.max(SHORT_MS, TIMES_AS_LONG * this.#askingMs)) return Math.max(0, clockMs);
    return Math.max(0, Math.min(clockMs, this.#used(at)));
  }

  /** Asks for the processor time; returns how much was used since it was asked for last. */
  #used(at: number): number {
    const before = this.#usedMs;
    this.#usedAtMs = at;
    this.#usedMs = this.#processorMs();
    const askedMs = Math.min(ASKING_MS_MAX, this.#now() - at);
    const weight = askedMs < this.#askingMs ? SHORTER_WEIGHT : LONGER_WEIGHT;
    this.#askingMs += weight * (askedMs - this.#askingMs);
    return this.#usedMs - before;
  }
}
