import { CHUNK_BYTES_MAX, type SegmentSink } from '../segment-reader.js';

/** Zero bytes at the end of each chunk, so that kernels may read whole words beyond its last value. */
export const CHUNK_PADDING = 8;

/** Limit of the bytes of blocks in one chunk. */
export const CHUNK_PAYLOAD_MAX = CHUNK_BYTES_MAX - CHUNK_PADDING;

/** Address of the byte at `offset` of the chunk number `chunk` of a part. */
export const addressOf = (chunk: number, offset: number): number => chunk * CHUNK_BYTES_MAX + offset;

/**
 * Address at which a block of `bytes` bytes is written after one that ends at `end`: `end`, or the start of the next
 * chunk if the block does not fit.
 */
export function blockAfter(end: number, bytes: number): number {
  const offset = end % CHUNK_BYTES_MAX;
  return offset + bytes > CHUNK_PAYLOAD_MAX ? end - offset + CHUNK_BYTES_MAX : end;
}

/** Location of a stream of bytes in a part; it continues over chunk borders. */
export interface StreamLocation {
  readonly address: number;
  readonly length: number;
}

/**
 * Writes one part of a segment in chunks. Full chunks wait in `queue` until `SegmentOutput` writes them to the sink.
 */
export class PartWriter {
  readonly name: string;
  readonly queue: Uint8Array[] = [];
  bytesWritten = 0;
  readonly #chunk = new Uint8Array(CHUNK_BYTES_MAX);
  #index = 0;
  #used = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Address at which the next block starts if it fits into the current chunk. */
  get end(): number {
    return addressOf(this.#index, this.#used);
  }

  /**
   * Appends bytes[from … to - 1] as one block and returns its address. A block never straddles chunks, so it has at
   * most CHUNK_PAYLOAD_MAX bytes.
   */
  append(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length > CHUNK_PAYLOAD_MAX) throw new RangeError(`block of ${length} bytes in part [${this.name}]`);
    if (this.#used + length > CHUNK_PAYLOAD_MAX) this.cut();
    const address = this.end;
    copyBytes(bytes, from, to, this.#chunk, this.#used);
    this.#used += length;
    return address;
  }

  /** Appends bytes of any length; they continue over chunk borders. */
  appendStream(bytes: Uint8Array): StreamLocation {
    if (this.#used === CHUNK_PAYLOAD_MAX) this.cut();
    const address = this.end;
    for (let from = 0; from < bytes.length; ) {
      if (this.#used === CHUNK_PAYLOAD_MAX) this.cut();
      const take = Math.min(bytes.length - from, CHUNK_PAYLOAD_MAX - this.#used);
      this.#chunk.set(bytes.subarray(from, from + take), this.#used);
      this.#used += take;
      from += take;
    }
    return { address, length: bytes.length };
  }

  /** Ends the current chunk. */
  cut(): void {
    if (this.#used === 0) return;
    const chunk = new Uint8Array(this.#used + CHUNK_PADDING);
    chunk.set(this.#chunk.subarray(0, this.#used));
    this.queue.push(chunk);
    this.bytesWritten += chunk.length;
    this.#index++;
    this.#used = 0;
  }
}

/** Copies bytes; a short copy is cheaper in a loop than with `set` and a view. */
function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (end - start > 64) to.set(from.subarray(start, end), at);
  else for (let i = start; i < end; i++) to[at++] = from[i]!;
}

/** Writers of all parts of one segment. */
export class SegmentOutput {
  readonly #sink: SegmentSink;
  readonly #parts = new Map<string, PartWriter>();

  constructor(sink: SegmentSink) {
    this.#sink = sink;
  }

  part(name: string): PartWriter {
    const known = this.#parts.get(name);
    if (known !== undefined) return known;
    const part = new PartWriter(name);
    this.#parts.set(name, part);
    return part;
  }

  get hasFullChunks(): boolean {
    for (const part of this.#parts.values()) if (part.queue.length > 0) return true;
    return false;
  }

  /** Writes full chunks to the sink. */
  async drain(): Promise<void> {
    for (const part of this.#parts.values()) {
      for (const chunk of part.queue) await this.#sink.write(part.name, chunk);
      part.queue.length = 0;
    }
  }

  /** Ends all parts and writes their remaining chunks to the sink. */
  async finish(): Promise<void> {
    for (const part of this.#parts.values()) part.cut();
    await this.drain();
  }
}
