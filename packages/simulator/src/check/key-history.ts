/** An API key that a client was given. */
export interface IssuedKey {
  readonly id: string;
  /** Value of the `Authorization` header. */
  readonly authorization: string;
  /** `asked`: invalidation was requested, and the answer is not known. */
  validity: 'valid' | 'asked' | 'invalid';
}

/** Knows which API keys of a run nodes must accept, and which they must refuse. */
export class KeyHistory {
  readonly #keys: IssuedKey[] = [];

  get all(): readonly IssuedKey[] {
    return this.#keys;
  }

  issued(id: string, encoded: string): void {
    this.#keys.push({ id, authorization: `ApiKey ${encoded}`, validity: 'valid' });
  }

  /** Returns a key, chosen by `share` from 0 to 1; null if there is none. */
  choose(share: number): IssuedKey | null {
    return this.#keys[Math.floor(share * this.#keys.length)] ?? null;
  }
}
