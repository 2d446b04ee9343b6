import { errors } from '@shoal/errors';

/** Reads variable-length integers from a block of a chunk. */
export class ChunkCursor {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;

  /** Moves to offset `at` of `bytes`. */
  reset(bytes: Uint8Array, at: number): this {
    this.bytes = bytes;
    this.at = at;
    return this;
  }

  /** Reads a non-negative integer below 2^53. Throws corrupt_index_exception at the end of the chunk. */
  varint(): number {
    const first = this.bytes[this.at++]!;
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let scale = 128; scale < 2 ** 53; scale *= 128) {
      const byte = this.bytes[this.at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw errors.corruption('variable-length integer runs over its end');
  }
}

/** Appends variable-length integers to an array, which the caller has made large enough. */
export class ChunkBuilder {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: number) {
    this.bytes = new Uint8Array(bytes);
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.at++] = rest;
  }
}
