/** A grant is sent once it amounts to this share of the window. */
const GRANT_SHARE = 1 / 8;

/**
 * Credit of the sender, counted by the receiver: how many payload bytes the sender may still send. Bytes that arrived
 * are granted again, but not as many as running handlers hold. With slow handlers the node holds at most the window,
 * one message and the window again; a message larger than the window still gets through.
 */
export class CreditGrant {
  readonly #windowBytes: number;
  readonly #send: (bytes: number) => void;
  #available: number;
  #owed = 0;
  #held = 0;

  /** `windowBytes` 0: no limit, and no grant is sent. */
  constructor(windowBytes: number, send: (bytes: number) => void) {
    this.#windowBytes = windowBytes;
    this.#available = windowBytes;
    this.#send = send;
  }

  /** Counts bytes that arrived. False if the sender exceeded its credit. */
  arrived(bytes: number): boolean {
    if (this.#windowBytes === 0) return true;
    this.#available -= bytes;
    this.#owed += bytes;
    return this.#available >= 0;
  }

  /** Sends a grant if it is large enough. */
  settle(): void {
    const bytes = Math.min(this.#owed - this.#held, this.#owed);
    if (this.#windowBytes === 0 || bytes < this.#windowBytes * GRANT_SHARE) return;
    this.#owed -= bytes;
    this.#available += bytes;
    this.#send(bytes);
  }

  /** A handler starts with a request of `bytes`, which it holds until `release`. */
  hold(bytes: number): void {
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
    this.settle();
  }
}
