/**
 * Virtual time of kinds of work that share a processor: start-time fair queueing (Goyal, Vin and Cheng: "Start-time
 * Fair Queueing", SIGCOMM 1996), with the cost of a request charged after it has run, because nobody knows it before.
 * The kind with work that has used least of its share runs next, so that kinds share time by weight, whatever their
 * requests cost and however many of them wait. Pure.
 */
export class FairShares {
  /** Milliseconds used, by weight: the virtual time at which the kind's next request starts. */
  readonly #used: number[] = [];
  readonly #weights: number[] = [];
  /** Start of the request that ran last: a kind that had nothing to do for a while does not catch up. */
  #now = 0;

  /** Adds a kind and returns its number. A kind of weight 2 gets twice the time of one of weight 1. */
  join(weight: number): number {
    this.#weights.push(weight);
    return this.#used.push(this.#now) - 1;
  }

  /** The kind that runs next among those that are ready; -1 if none is. Its request starts now. */
  next(isReady: (kind: number) => boolean): number {
    let best = -1;
    for (let kind = 0; kind < this.#used.length; kind++) {
      if (!isReady(kind)) continue;
      if (best < 0 || this.#startOf(kind) < this.#startOf(best)) best = kind;
    }
    if (best < 0) return -1;
    this.#now = this.#used[best] = this.#startOf(best);
    return best;
  }

  /** Charges a kind with milliseconds of the processor. */
  charge(kind: number, ms: number): void {
    this.#used[kind] = this.#startOf(kind) + ms / this.#weights[kind]!;
  }

  #startOf(kind: number): number {
    return Math.max(this.#now, this.#used[kind]!);
  }
}
