import { errors } from '@shoal/errors';

/** Reads the bytes of a `ByteWriter`. Every read throws `corrupt_index_exception` if too few bytes are left. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Offset of the next byte. */
  get position(): number {
    return this.#at;
  }

  /** Number of bytes that are left. */
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

  /** The next byte, which is read again. */
  peek(): number {
    const byte = this.u8();
    this.#at--;
    return byte;
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

  /** LEB128 of up to ten bytes. Above 2^53 the result is rounded. */
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

  /** The next `length` bytes, as a view and not a copy. */
  raw(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#buffer.subarray(at, at + length);
  }

  /** Reads a varint length and returns the position at which the part of that length ends. */
  limit(): number {
    const length = this.varint();
    if (length > this.remaining)
      throw errors.corruption(`read past the end: ${length} bytes wanted at ${this.#at} of ${this.#buffer.length}`);
    return this.#at + length;
  }

  /** Length-prefixed bytes, as a view and not a copy. */
  bytes(): Uint8Array {
    return this.raw(this.varint());
  }

  /** Length-prefixed UTF-8. */
  string(): string {
    const length = this.varint();
    const at = this.#take(length);
    return this.#buffer.toString('utf8', at, at + length);
  }
}
