import { LimitError } from './thrown.js';

/** Functions that call one another. */
const CALLS_MAX = 500;
/** Values of collections between two looks at the clock. */
const WALKED_MAX = 65_536;
/** Bounds of one execution. */
export interface BudgetOptions {
  /** Milliseconds of a clock that only grows. */
  readonly now: () => number;
  /** Milliseconds of processor that the process has taken; absent where nobody measures it. */
  readonly processorMs?: () => number;
  /** Milliseconds that an execution may take, and take of the processor: it is not to blame for other programs. */
  readonly maxMs: number;
  readonly maxBytes: number;
}

/** What one execution of a script may use, and has used. */
export class Budget {
  /** Whether the script made values or put objects into others, so that what it leaves has to be looked through. */
  isChanged = false;
  readonly #options: BudgetOptions;
  /** When its time was first looked at; NaN before. A short script never asks the clock. */
  #startedMs = Number.NaN;
  #processorBeforeMs = 0;
  /** Bytes of texts and collections that the script has made. */
  bytes = 0;
  /** Functions that have been entered and not left. */
  #calls = 0;
  #walked = 0;
  /** Functions that have been entered: a few that call themselves twice never go deep and never end. */
  #entries = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Begins another execution. */
  restart(): void {
    this.isChanged = false;
    this.#startedMs = Number.NaN;
    this.bytes = 0;
    this.#calls = 0;
    this.#entries = 0;
  }

  /** Called at each 16,384th back-edge of a function's loops, with those that it has left. */
  tick(left: number): void {
    if (left <= 0) throw new LimitError('painless_error', LOOP_TEXT);
    this.#checkTime();
  }

  /** Called where a function of the script begins. */
  enter(): void {
    if (++this.#calls > CALLS_MAX) throw new LimitError('stack_overflow_error', null);
    if ((++this.#entries & 0xfff) === 0) this.#checkTime();
  }

  leave(): void {
    this.#calls--;
  }

  /** Counts bytes of texts and collections that the script makes. */
  charge(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.#options.maxBytes)
      throw new LimitError(
        'circuit_breaking_exception',
        `[script] Data too large: a script may make no more than [${this.#options.maxBytes}] bytes`,
      );
    if (bytes >= 65_536) this.#checkTime();
  }

  /** Counts values that one call walks through; the clock is read after so many of them. */
  walk(values: number): void {
    this.#walked += values;
    if (this.#walked < WALKED_MAX) return;
    this.#walked = 0;
    this.#checkTime();
  }

  /** Called where one call takes as long as many turns of a loop. */
  checkTime(): void {
    this.#checkTime();
  }

  #checkTime(): void {
    const { now, processorMs, maxMs } = this.#options;
    if (Number.isNaN(this.#startedMs)) {
      this.#startedMs = now();
      this.#processorBeforeMs = processorMs?.() ?? 0;
    }
    if (now() - this.#startedMs <= maxMs) return;
    if (processorMs !== undefined && processorMs() - this.#processorBeforeMs <= maxMs) return;
    throw new LimitError('script_timeout', `a script may run no longer than [${maxMs}ms]`);
  }
}

const LOOP_TEXT = 'The maximum number of statements that can be executed in a loop has been reached.';

const IDLE = new Budget({ now: () => 0, maxMs: Number.MAX_VALUE, maxBytes: Number.MAX_VALUE });
let current: Budget = IDLE;

/** The budget of the execution that runs. Scripts run to their end without a pause, so there is one at a time. */
export function currentBudget(): Budget {
  return current;
}

/**
 * Remembers which execution runs; the function that is returned puts it back. For work that may be ended without its
 * `finally`, as V8 ends what takes too long.
 */
export function rememberExecution(): () => void {
  const outer = current;
  return () => void (current = outer);
}

/** Makes a budget that of the execution that runs; returns the one before, which has to be put back. */
export function enterBudget(budget: Budget): Budget {
  const outer = current;
  current = budget;
  return outer;
}
