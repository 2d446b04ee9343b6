import { errors } from '@shoal/errors';
import { CHUNK_BYTES_MAX, type SegmentSource } from '../segment-reader.js';
import { CHUNK_PADDING, type StreamLocation } from './part-writer.js';

/** Limit of the length of a stream. Streams are sparse indexes and directories, far smaller unless damaged. */
const STREAM_BYTES_MAX = 1 << 30;

/** Reads blocks of one part of a segment. */
export class PartReader {
  readonly name: string;
  readonly #source: SegmentSource;

  constructor(source: SegmentSource, name: string) {
    this.#source = source;
    this.name = name;
  }

  /**
   * The chunk that contains `address`, at offset `address % CHUNK_BYTES_MAX`. Throws corrupt_index_exception if the
   * chunk is shorter.
   */
  chunk(address: number): Uint8Array {
    const chunk = this.#source.chunk(this.name, Math.floor(address / CHUNK_BYTES_MAX));
    if (!(address % CHUNK_BYTES_MAX <= chunk.length - CHUNK_PADDING)) throw this.#damaged(address);
    return chunk;
  }

  /** Address of the block that follows the one that ends at `end`: `end`, or the start of the next chunk. */
  following(end: number): number {
    const chunk = this.chunk(end);
    const offset = end % CHUNK_BYTES_MAX;
    return offset >= chunk.length - CHUNK_PADDING ? end - offset + CHUNK_BYTES_MAX : end;
  }

  /** Bytes of a stream: a view if the stream lies within one chunk, else a copy. */
  view(location: StreamLocation): Uint8Array {
    const chunk = this.chunk(location.address);
    const offset = location.address % CHUNK_BYTES_MAX;
    const end = offset + location.length;
    return end <= chunk.length - CHUNK_PADDING ? chunk.subarray(offset, end) : this.stream(location);
  }

  /** Copy of the bytes of a stream. */
  stream(location: StreamLocation): Uint8Array {
    const { address, length } = location;
    // Written so that NaN fails too.
    if (!(length >= 0 && length <= STREAM_BYTES_MAX && address >= 0)) throw this.#damaged(address);
    const out = new Uint8Array(length);
    let chunkIndex = Math.floor(address / CHUNK_BYTES_MAX);
    let offset = address % CHUNK_BYTES_MAX;
    for (let filled = 0; filled < length; chunkIndex++, offset = 0) {
      const chunk = this.#source.chunk(this.name, chunkIndex);
      const take = Math.min(length - filled, chunk.length - CHUNK_PADDING - offset);
      if (!(take > 0)) throw this.#damaged(address);
      out.set(chunk.subarray(offset, offset + take), filled);
      filled += take;
    }
    return out;
  }

  /** Copy of all bytes of the part. */
  all(): Uint8Array {
    const chunks = Array.from({ length: this.#source.chunkCount(this.name) }, (_, i) =>
      this.#source.chunk(this.name, i),
    );
    const payload = chunks.map((c) => c.subarray(0, Math.max(0, c.length - CHUNK_PADDING)));
    return Buffer.concat(payload);
  }

  #damaged(address: number): Error {
    return errors.corruption(`segment [${this.#source.id}]: part [${this.name}] has no block at ${address}`);
  }
}
