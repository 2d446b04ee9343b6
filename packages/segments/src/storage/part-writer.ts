import { CHUNK_BYTES_MAX, type SegmentSink } from '../segment-reader.js';

/** Zero bytes at the end of each chunk, so that kernels may read whole words at its last values. */
export const CHUNK_PADDING = 8;

/** Bytes of blocks that a chunk holds at most. */
export const CHUNK_PAYLOAD_MAX = CHUNK_BYTES_MAX - CHUNK_PADDING;

/** Address of the byte at `offset` of chunk `chunk` of a part. */
export const addressOf = (chunk: number, offset: number): number => chunk * CHUNK_BYTES_MAX + offset;

/**
 * Where a block of `bytes` bytes starts that is written after the one that ends at `end`: there, or in the next chunk
 * when it does not fit.
 */
export function blockAfter(end: number, bytes: number): number {
  const offset = end % CHUNK_BYTES_MAX;
  return offset + bytes > CHUNK_PAYLOAD_MAX ? end - offset + CHUNK_BYTES_MAX : end;
}

/** A stream of bytes somewhere in a part, cut at chunk borders. */
export interface StreamLocation {
  readonly address: number;
  readonly length: number;
}

/** Builds one part of a segment in chunks. Full chunks wait in `queue` until the output takes them to the sink. */
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

  /** Address at which the next block starts if it fits its chunk. */
  get end(): number {
    return addressOf(this.#index, this.#used);
  }

  /**
   * Appends bytes[from … to - 1] as one block, which never straddles chunks; returns its address. At most
   * CHUNK_PAYLOAD_MAX bytes.
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

  /** Appends bytes of any length, cut at chunk borders. */
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

/** Short copies are cheaper by hand than with `set` and a view. */
function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (end - start > 64) to.set(from.subarray(start, end), at);
  else for (let i = start; i < end; i++) to[at++] = from[i]!;
}

/** The parts of a segment being written. */
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

  /** Hands full chunks to the sink. */
  async drain(): Promise<void> {
    for (const part of this.#parts.values()) {
      for (const chunk of part.queue) await this.#sink.write(part.name, chunk);
      part.queue.length = 0;
    }
  }

  /** Ends all parts and hands everything to the sink. */
  async finish(): Promise<void> {
    for (const part of this.#parts.values()) part.cut();
    await this.drain();
  }
}
