import { errors } from '@shoal/errors';

const bufferOf = (bytes: Uint8Array): Buffer =>
  bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads the bytes of a `ByteWriter`. Every read throws `corrupt_index_exception` if too few bytes are left. */
export class ByteReader {
  #buffer: Buffer;
  #at = 0;
  readonly #more: (() => Uint8Array | null) | null;

  /** `more` returns the bytes that follow, or null at the end: only as many are in memory as one read needs. */
  constructor(bytes: Uint8Array, more: (() => Uint8Array | null) | null = null) {
    this.#buffer = bufferOf(bytes);
    this.#more = more;
  }

  /** Offset of the next byte among those that are in memory. */
  get position(): number {
    return this.#at;
  }

  /** Number of bytes in memory that are left. */
  get remaining(): number {
    return this.#buffer.length - this.#at;
  }

  /** May replace the buffer by one that has the bytes. */
  #take(bytes: number): number {
    if (bytes < 0 || (this.#at + bytes > this.#buffer.length && !this.#reads(bytes)))
      throw errors.corruption(`read past the end: ${bytes} bytes wanted at ${this.#at} of ${this.#buffer.length}`);
    const at = this.#at;
    this.#at = at + bytes;
    return at;
  }

  /** Reads on until so many bytes are in memory. */
  #reads(bytes: number): boolean {
    if (this.#more === null) return false;
    const pieces: Uint8Array[] = [this.#buffer.subarray(this.#at)];
    let length = pieces[0]!.length;
    for (let next = this.#more(); next !== null; next = length < bytes ? this.#more() : null) {
      pieces.push(next);
      length += next.length;
    }
    this.#buffer = pieces[0]!.length === 0 && pieces.length === 2 ? bufferOf(pieces[1]!) : Buffer.concat(pieces);
    this.#at = 0;
    return length >= bytes;
  }

  u8(): number {
    const at = this.#take(1);
    return this.#buffer[at]!;
  }

  /** The next byte, which is read again. */
  peek(): number {
    const byte = this.u8();
    this.#at--;
    return byte;
  }

  u32(): number {
    const at = this.#take(4);
    return this.#buffer.readUInt32LE(at);
  }

  f32(): number {
    const at = this.#take(4);
    return this.#buffer.readFloatLE(at);
  }

  f64(): number {
    const at = this.#take(8);
    return this.#buffer.readDoubleLE(at);
  }

  i64(): bigint {
    const at = this.#take(8);
    return this.#buffer.readBigInt64LE(at);
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
