/** Longer sources are parsed each time: they repeat less often, and parsing is not what they cost. */
const SOURCE_BYTES_MAX = 4096;
/** What is made of a source takes so many times its length, besides a fixed part. */
const BYTES_PER_BYTE = 20;
const ENTRY_BYTES = 1000;

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/**
 * What was made of search sources lately, by their text: clients repeat theirs, dashboards to the byte. Two generations
 * stand for the order of use: what is found in the older one moves to the newer, and when that has half of the bytes
 * the older is forgotten as a whole, so that a hit costs one look into a map.
 */
export class SourceCache<T> {
  readonly #generationBytes: number;
  #newer = new Map<string, T>();
  #older = new Map<string, T>();
  #bytes = 0;

  /** `bytesMax` is held to by estimate. */
  constructor(bytesMax: number) {
    this.#generationBytes = bytesMax / 2;
  }

  /** The key of a source under what else its meaning depends on; null for one that is not kept. */
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
