/** A grant is sent once this share of the window may be granted. */
const GRANT_SHARE = 1 / 8;

/**
 * The receiver's side of credit: how much payload the other may still send. Bytes are granted again when they have
 * arrived, but not while the bytes that running handlers hold have not been arrived for: with slow handlers at most the
 * window, one message and the window again are held, and a message larger than the window still gets through.
 */
export class CreditGrant {
  readonly #windowBytes: number;
  readonly #send: (bytes: number) => void;
  #available: number;
  #owed = 0;
  #held = 0;

  /** `windowBytes` 0: no limit, nothing is ever sent. */
  constructor(windowBytes: number, send: (bytes: number) => void) {
    this.#windowBytes = windowBytes;
    this.#available = windowBytes;
    this.#send = send;
  }

  /** False when the other side sent more than it was granted. */
  arrived(bytes: number): boolean {
    if (this.#windowBytes === 0) return true;
    this.#available -= bytes;
    this.#owed += bytes;
    return this.#available >= 0;
  }

  /** Grants what may be granted. */
  settle(): void {
    const bytes = Math.min(this.#owed - this.#held, this.#owed);
    if (this.#windowBytes === 0 || bytes < this.#windowBytes * GRANT_SHARE) return;
    this.#owed -= bytes;
    this.#available += bytes;
    this.#send(bytes);
  }

  /** A request of `bytes` begins to run. */
  hold(bytes: number): void {
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
    this.settle();
  }
}
