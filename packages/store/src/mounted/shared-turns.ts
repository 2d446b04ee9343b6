import { Fifo } from '@shoal/doors';

interface Waiting {
  readonly isAlone: boolean;
  readonly enter: () => void;
}

/**
 * Lets work run together, or alone when it asks for that. In the order of arrival, so that work that wants to be alone
 * is not passed for ever by work that does not.
 */
export class SharedTurns {
  readonly #waiting = new Fifo<Waiting>();
  #running = 0;
  #isAlone = false;

  /** Waits for a turn. Returns a function that ends it, to be called once. */
  async enter(isAlone: boolean): Promise<() => void> {
    await new Promise<void>((enter) => {
      this.#waiting.push({ isAlone, enter });
      this.#admit();
    });
    return () => {
      this.#running--;
      this.#isAlone = false;
      this.#admit();
    };
  }

  #admit(): void {
    for (;;) {
      const first = this.#waiting.first;
      if (!first || this.#isAlone || (first.isAlone && this.#running > 0)) return;
      this.#waiting.shift();
      this.#running++;
      this.#isAlone = first.isAlone;
      first.enter();
    }
  }
}
