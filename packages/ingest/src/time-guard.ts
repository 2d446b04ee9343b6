import vm from 'node:vm';
import { errors } from '@shoal/errors';
import { rememberExecution } from '@shoal/script';

/** Milliseconds that matching one text may take. */
const TIME_MAX_MS = 100;
/** Milliseconds that the work on several documents may take; it gives the thread back after 4. */
const WORK_MAX_MS = 1000;
/** Times that a match is tried whose time went by while the thread was not running; each may take twice as long. */
const TRIES_MAX = 6;
/** Part of its time that a call must have had the processor for to be ended by it, as V8 counts by the clock. */
const WORKED_SHARE = 0.8;

/** Processor time in milliseconds since any moment. */
type ProcessorTime = () => number;

const processorMs: ProcessorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const CALL = new vm.Script('run(text)');

/**
 * Returns a function that does the same as `run`, but throws illegal_argument_exception if it takes longer than 100 ms.
 * V8 backtracks, which takes polynomial or exponential time for some expressions and texts; nothing but the end of a
 * script's time stops it. That costs some 50 us: V8 is watched by a thread that is started for the call. `what` is
 * named in the error. V8 counts by the clock: a match that had the processor for less, as others shared it, is tried
 * again for longer.
 */
export function withinTime<R>(
  run: (text: string) => R,
  what: string,
  worked: ProcessorTime = processorMs,
): (text: string) => R {
  const timed = timedCall(run, worked);
  return (text) => {
    let result: R | typeof INTERRUPTED | typeof STALLED = STALLED;
    for (let i = 0; i < TRIES_MAX && result === STALLED; i++) result = timed(text, TIME_MAX_MS * 2 ** i, TIME_MAX_MS);
    if (result === INTERRUPTED || result === STALLED)
      throw errors.illegalArgument(`${what} was interrupted after [${TIME_MAX_MS}] ms`);
    return result;
  };
}

/** Result of a call that was ended. */
const INTERRUPTED = Symbol('interrupted');
/** The same, of a call that had the processor for less than its time. */
const STALLED = Symbol('stalled');

/** Returns a function that ends `run` after `waitMs` by the clock, and says whether it had worked for `workMs`. */
function timedCall<R>(
  run: (text: string) => R,
  worked: ProcessorTime,
): (text: string, waitMs: number, workMs: number) => R | typeof INTERRUPTED | typeof STALLED {
  let context: vm.Context | null = null;
  return (text, waitMs, workMs) => {
    context ??= vm.createContext(Object.assign(Object.create(null) as object, { run, text: '' }));
    (context as { text: string }).text = text;
    const before = worked();
    try {
      return CALL.runInContext(context, { timeout: waitMs }) as R;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      return worked() - before < workMs * WORKED_SHARE ? STALLED : INTERRUPTED;
    }
  };
}

const NOTHING = (): void => undefined;

/** A regular expression as its guard knows it. */
export interface GuardedRegex {
  readonly regex: RegExp;
  /** Whether it was never stopped by its guard: one that was is watched on its own from then on. */
  isTrusted: boolean;
}

/**
 * Watches the time of work on several documents as a whole, so that their regular expressions need not be watched one
 * by one. Work that takes too long is ended wherever it is, without its `finally`: the caller does what was not
 * finished again, outside of the guard, where each expression is watched. Documents begin anew from their bytes; what
 * the work holds beyond them is put back here, the budget of a script that was ended. Caches change by single calls of
 * the runtime, which are not ended in the middle.
 */
export class TimeGuard {
  /** Whether an expression asked for a guard since this was last set to false. */
  isWanted = false;
  #isInside = false;
  #matching: GuardedRegex | null = null;
  #work: () => void = NOTHING;
  readonly #timed = timedCall(() => this.#work(), processorMs);

  /** Runs `work`, which must not be asynchronous. Returns false if it was ended after a second. */
  run(work: () => void): boolean {
    this.#work = work;
    this.#isInside = true;
    this.#matching = null;
    const endScripts = rememberExecution();
    try {
      const outcome = this.#timed('', WORK_MAX_MS, WORK_MAX_MS);
      if (outcome !== INTERRUPTED && outcome !== STALLED) return true;
      endScripts();
      if (this.#matching !== null) (this.#matching as GuardedRegex).isTrusted = false;
      return false;
    } finally {
      this.#isInside = false;
      this.#work = NOTHING;
    }
  }

  /** Whether a match of the expression is watched as part of guarded work now. */
  covers(regex: GuardedRegex): boolean {
    this.isWanted = true;
    return this.#isInside && regex.isTrusted;
  }

  /** Matches an expression that the guard covers. */
  exec(guarded: GuardedRegex, text: string): RegExpExecArray | null {
    this.#matching = guarded;
    const match = guarded.regex.exec(text);
    this.#matching = null;
    return match;
  }
}
