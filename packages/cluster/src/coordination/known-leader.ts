import type { Clock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Mode } from '@shoal/consensus';

/** The elected master as this node knows it, and the callers that wait until one is known. */
export class KnownLeader {
  readonly #clock: Clock;
  #mode: Mode = 'candidate';
  #leaderId: string | null = null;
  #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether this node is the elected master. */
  get isHere(): boolean {
    return this.#mode === 'leader';
  }

  /** Node id of the master; null if none is known. */
  get id(): string | null {
    return this.#leaderId;
  }

  /** Takes over what the consensus state machine says; returns whether the master is another than before. */
  change(mode: Mode, leaderId: string | null): boolean {
    const isOther = leaderId !== this.#leaderId;
    this.#mode = mode;
    this.#leaderId = leaderId;
    return isOther;
  }

  /** Resolves the waiting callers: a master is known, or the node closes. */
  wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Waits for `wake`, at most `timeoutMs`. */
  next(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.after(timeoutMs, resolve);
      this.#waiting.push(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  /**
   * Node id of the master, waited for until `deadline` of the monotonic clock in milliseconds. Throws
   * `master_not_discovered_exception` if the time passes or the node closes.
   */
  async before(deadline: number): Promise<string> {
    while (this.#leaderId === null && !this.#isClosed) {
      const leftMs = deadline - this.#clock.monotonic();
      if (leftMs <= 0) break;
      await this.next(leftMs);
    }
    if (this.#leaderId === null || this.#isClosed) throw errors.masterNotDiscovered(null);
    return this.#leaderId;
  }

  /** Ends all waits; from here on no master is known to callers. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }
}
