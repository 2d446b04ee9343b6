/** After so many are taken from the front, and half of what is there, the rest is moved there. */
const MOVE_MIN = 256;

/** First in, first out, without moving the rest at each step. What is taken is held no longer: it may be large. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** The oldest. */
  get first(): T | undefined {
    return this.#items[this.#head];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes the oldest. */
  shift(): T | undefined {
    const item = this.first;
    if (this.length === 0) return undefined;
    this.#items[this.#head++] = undefined;
    if (this.#head > MOVE_MIN && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
