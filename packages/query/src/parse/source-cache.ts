/** Longest source in bytes that is cached. Longer ones repeat less often, and parsing is a small part of their cost. */
const SOURCE_BYTES_MAX = 4096;
/** Estimated memory of an entry: bytes for each character of its key, and a fixed part. */
const BYTES_PER_BYTE = 20;
const ENTRY_BYTES = 1000;

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/**
 * Cache of parsed search sources by their text: clients repeat sources, dashboards to the byte. Two generations
 * approximate LRU with one map look-up for most hits. An entry found in the older generation moves to the newer one.
 * When the newer one has half of the bytes, the older one is dropped as a whole.
 */
export class SourceCache<T> {
  readonly #generationBytes: number;
  #newer = new Map<string, T>();
  #older = new Map<string, T>();
  #bytes = 0;

  /** `bytesMax` limits the estimated memory. */
  constructor(bytesMax: number) {
    this.#generationBytes = bytesMax / 2;
  }

  /**
   * Returns the key of a source; null if the source is not cached. `variant` names everything else that the meaning of
   * the source depends on.
   */
  keyOf(variant: string, source: Uint8Array): string | null {
    return source.length > SOURCE_BYTES_MAX ? null : `${variant}\n${textOf(source)}`;
  }

  get(key: string): T | undefined {
    const found = this.#newer.get(key);
    if (found !== undefined) return found;
    const old = this.#older.get(key);
    if (old !== undefined) this.put(key, old);
    return old;
  }

  put(key: string, value: T): void {
    this.#bytes += ENTRY_BYTES + BYTES_PER_BYTE * key.length;
    if (this.#bytes > this.#generationBytes) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#bytes = ENTRY_BYTES + BYTES_PER_BYTE * key.length;
    }
    this.#newer.set(key, value);
  }
}
