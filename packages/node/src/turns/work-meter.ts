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

  /** `now`: milliseconds of the clock, or of the event loop's work; `processorMs`: those of the process's processor. */
  constructor(now: () => number, processorMs: () => number = now) {
    this.#now = now;
    this.#processorMs = processorMs;
  }

  /** Begins a span. */
  begin(): void {
    this.#clockMs = this.#now();
    this.#usedMs = this.#processorMs();
  }

  /** Milliseconds of work since `begin`. */
  end(): number {
    return Math.max(0, Math.min(this.#now() - this.#clockMs, this.#processorMs() - this.#usedMs));
  }
}
