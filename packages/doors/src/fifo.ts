/** The array is compacted once more than this many slots at its front, and more than half of all slots, are empty. */
const MOVE_MIN = 256;

/**
 * A first-in-first-out queue whose `shift` costs amortised constant time. A slot is cleared when its item is taken, so
 * that the queue does not keep the item alive: it may be a large request.
 */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** The oldest item; undefined if the queue is empty. */
  get first(): T | undefined {
    return this.#items[this.#head];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Removes and returns the oldest item; undefined if the queue is empty. */
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
