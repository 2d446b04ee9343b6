import type { Plan } from './plan.js';
import type { Pause, Searcher } from './searcher.js';

/** What a query is planned with, as far as its plan depends on it: `PlanContext` has it. */
interface PlanPlace {
  readonly searcher: Searcher;
  readonly nestedPath: string | null;
  /** Inner hits that planning has collected. */
  readonly innerHits: { length: number };
}

/** Thrown out of planning when the thread is to be given back. `waited` resolves when planning may begin anew. */
class PlanningPause {
  readonly waited: Promise<void>;

  constructor(waited: Promise<void>) {
    this.waited = waited;
  }
}

/** What was made of a query, and where: a query may be planned on two searchers or at two nested paths. */
interface Made<T> {
  readonly searcher: Searcher;
  readonly nestedPath: string | null;
  readonly value: T;
}

function keptOf<T>(
  made: ReadonlyMap<object, Made<T>>,
  parsed: object,
  { searcher, nestedPath }: PlanPlace,
): Made<T> | undefined {
  const kept = made.get(parsed);
  return kept?.searcher === searcher && kept.nestedPath === nestedPath ? kept : undefined;
}

/**
 * The plans that one request has made of its queries so far. Planning is a function that calls itself for inner
 * queries, and cannot stop in the middle: when its turn of the thread is over, it is left by a throw and begins anew in
 * a later turn, where it finds the plans that were made before. A pause is asked for only after a plan has been kept
 * since the last one, so each turn gets further.
 */
export class PlanSteps {
  readonly #plans = new Map<object, Made<Plan>>();
  readonly #nones = new Map<object, Made<boolean>>();
  readonly #pause: Pause;
  #isPausing = false;
  #hasAdvanced = false;

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  /** Returns the plan of a query that was kept, or the one that `make` makes. */
  plan(parsed: object, context: PlanPlace, make: () => Plan): Plan {
    const kept = keptOf(this.#plans, parsed, context);
    if (kept !== undefined) return kept.value;
    this.#mayPause();
    const collected = context.innerHits.length;
    const value = make();
    // Who finds a kept plan would miss the inner hits that making it collects.
    if (context.innerHits.length === collected) this.#keep(this.#plans, parsed, context, value);
    return value;
  }

  /** Returns whether a query is rewritten to `match_none`, as kept or as `make` finds. */
  isNone(parsed: object, context: PlanPlace, make: () => boolean): boolean {
    const kept = keptOf(this.#nones, parsed, context);
    if (kept !== undefined) return kept.value;
    this.#mayPause();
    const value = make();
    this.#keep(this.#nones, parsed, context, value);
    return value;
  }

  #keep<T>(made: Map<object, Made<T>>, parsed: object, { searcher, nestedPath }: PlanPlace, value: T): void {
    made.set(parsed, { searcher, nestedPath, value });
    this.#hasAdvanced = true;
  }

  #mayPause(): void {
    if (!this.#isPausing || !this.#hasAdvanced) return;
    const waited = this.#pause();
    if (waited !== null) throw new PlanningPause(waited);
  }

  /**
   * Runs `make`, which plans queries with a context that has these steps, until it comes to its end. Returns its result
   * at once if it takes no longer than a turn. `make` may run many times: it must change nothing but the inner hits of
   * `context`, which are dropped before it begins anew.
   */
  run<T>(context: PlanPlace, make: () => T): T | Promise<T> {
    const collected = context.innerHits.length;
    const made = this.#tryOnce(make);
    return made instanceof PlanningPause ? this.#runLater(context, collected, make, made) : made;
  }

  async #runLater<T>(context: PlanPlace, collected: number, make: () => T, first: PlanningPause): Promise<T> {
    for (let made: T | PlanningPause = first; ; made = this.#tryOnce(make)) {
      if (!(made instanceof PlanningPause)) return made;
      context.innerHits.length = collected;
      await made.waited;
    }
  }

  #tryOnce<T>(make: () => T): T | PlanningPause {
    this.#isPausing = true;
    this.#hasAdvanced = false;
    try {
      return make();
    } catch (thrown) {
      if (thrown instanceof PlanningPause) return thrown;
      throw thrown;
    } finally {
      this.#isPausing = false;
    }
  }
}
