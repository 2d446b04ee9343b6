import { errors } from '@shoal/errors';

/** Reads what `ByteWriter` wrote. Every method throws `corrupt_index_exception` at the end of the bytes. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get position(): number {
    return this.#at;
  }

  get remaining(): number {
    return this.#buffer.length - this.#at;
  }

  #take(bytes: number): number {
    const at = this.#at;
    if (bytes < 0 || at + bytes > this.#buffer.length) {
      throw errors.corruption(`read past the end: ${bytes} bytes wanted at ${at} of ${this.#buffer.length}`);
    }
    this.#at = at + bytes;
    return at;
  }

  u8(): number {
    return this.#buffer[this.#take(1)]!;
  }

  u32(): number {
    return this.#buffer.readUInt32LE(this.#take(4));
  }

  f32(): number {
    return this.#buffer.readFloatLE(this.#take(4));
  }

  f64(): number {
    return this.#buffer.readDoubleLE(this.#take(8));
  }

  i64(): bigint {
    return this.#buffer.readBigInt64LE(this.#take(8));
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw errors.corruption('variable-length integer of more than ten bytes');
  }

  /** A view of the next `length` bytes, not a copy. */
  raw(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#buffer.subarray(at, at + length);
  }

  /** Reads a length and returns the position that many bytes on. */
  limit(): number {
    const length = this.varint();
    if (length > this.remaining)
      throw errors.corruption(`read past the end: ${length} bytes wanted at ${this.#at} of ${this.#buffer.length}`);
    return this.#at + length;
  }

  bytes(): Uint8Array {
    return this.raw(this.varint());
  }

  string(): string {
    const length = this.varint();
    const at = this.#take(length);
    return this.#buffer.toString('utf8', at, at + length);
  }
}
