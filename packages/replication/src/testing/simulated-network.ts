import type { Channel, Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { SimulatedClock } from './simulated-clock.js';

/** Returns the handlers of a node's process; null while its process is down. */
export interface Endpoint {
  readonly isAlive: () => boolean;
  handle(action: string, payload: Uint8Array): Promise<Uint8Array>;
}

/**
 * Delivers messages between nodes late, twice, or not at all across a partition; may lose a request or only its answer.
 */
export class SimulatedNetwork {
  readonly endpoints = new Map<string, Endpoint>();
  readonly #clock: SimulatedClock;
  readonly #random: Random;
  readonly #cut = new Set<string>();
  isCalm = false;

  constructor(clock: SimulatedClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  cut(a: string, b: string): void {
    this.#cut.add(`${a}|${b}`).add(`${b}|${a}`);
  }

  heal(): void {
    this.#cut.clear();
  }

  isCut(a: string, b: string): boolean {
    return this.#cut.has(`${a}|${b}`);
  }

  delayMs(): number {
    const tail = !this.isCalm && this.#random.next() < 0.04 ? this.#random.next() * 300 : 0;
    return 0.2 + this.#random.next() * 2 + tail;
  }

  #isLost(): boolean {
    return !this.isCalm && this.#random.next() < 0.02;
  }

  /** Creates the channel of one process to a node. */
  channel(from: string, isAlive: () => boolean, to: string, mayRepeat: boolean): Channel {
    return {
      request: (action, payload) =>
        new Promise((resolve, reject) =>
          this.#send({ from, isAlive, to, mayRepeat }, action, new Uint8Array(payload), resolve, reject),
        ),
    };
  }

  #send(
    link: { from: string; isAlive: () => boolean; to: string; mayRepeat: boolean },
    action: string,
    payload: Uint8Array,
    resolve: (answer: Uint8Array) => void,
    reject: (error: unknown) => void,
  ): void {
    const { from, isAlive, to } = link;
    const settle = (deliver: () => void): void =>
      void this.#clock.after(this.delayMs(), () => {
        if (isAlive()) deliver();
      });
    const broken = (): void => settle(() => reject(errors.nodeDisconnected(`[${to}] disconnected`)));
    if (this.isCut(from, to)) return broken();
    const deliver = (isFirst: boolean): void => {
      const target = this.endpoints.get(to);
      if (!target || !target.isAlive() || this.isCut(from, to)) return isFirst ? broken() : undefined;
      let isOver = false;
      const watch = (): void =>
        void this.#clock.after(100, () => {
          if (isOver) return;
          if (target.isAlive()) return watch();
          broken();
        });
      if (isFirst) watch();
      target
        .handle(action, new Uint8Array(payload))
        .finally(() => (isOver = true))
        .then(
          (answer) =>
            isFirst
              ? this.#isLost() || !target.isAlive() || this.isCut(from, to)
                ? broken()
                : settle(() => resolve(new Uint8Array(answer)))
              : undefined,
          (error: unknown) => (isFirst ? settle(() => reject(error)) : undefined),
        );
    };
    if (this.#isLost()) return broken();
    this.#clock.after(this.delayMs(), () => deliver(true));
    if (link.mayRepeat && !this.isCalm && this.#random.next() < 0.03)
      this.#clock.after(this.delayMs() * 20, () => deliver(false));
  }
}
