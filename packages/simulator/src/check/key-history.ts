/** An API key that a client was given. */
export interface IssuedKey {
  readonly id: string;
  /** As the `Authorization` header has it. */
  readonly authorization: string;
  /** `asked`: somebody wants it to be invalid, and was not told that it is. */
  validity: 'valid' | 'asked' | 'invalid';
}

/** The API keys of a run: what nodes have to accept, and what none may accept any more. */
export class KeyHistory {
  readonly #keys: IssuedKey[] = [];

  get all(): readonly IssuedKey[] {
    return this.#keys;
  }

  issued(id: string, encoded: string): void {
    this.#keys.push({ id, authorization: `ApiKey ${encoded}`, validity: 'valid' });
  }

  /** One of the keys; `share` from 0 to 1 chooses it. Null while there is none. */
  choose(share: number): IssuedKey | null {
    return this.#keys[Math.floor(share * this.#keys.length)] ?? null;
  }
}
