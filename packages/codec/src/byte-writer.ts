import { errors } from '@shoal/errors';

/** Bytes of the length prefix that `begin` reserves. */
const PREFIX_BYTES = 4;
/** Largest length that fits into the prefix: four bytes of seven bits. */
const PREFIXED_BYTES_MAX = 2 ** 28 - 1;

/** Bytes from which on `spill` hands on what was written. */
const SPILL_BYTES = 1024 * 1024;

/** Appends little-endian primitives to a growing buffer. */
export class ByteWriter {
  #buffer: Buffer;
  #length = 0;

  readonly #take: ((bytes: Uint8Array) => void) | null;

  /**
   * `initial`: bytes to allocate first, or a buffer to write into until it is full. `take` is given what `spill`
   * hands on, and keeps none of these bytes: they are written over.
   */
  constructor(initial: number | Buffer = 256, take: ((bytes: Uint8Array) => void) | null = null) {
    this.#take = take;
    this.#buffer = typeof initial === 'number' ? Buffer.allocUnsafeSlow(initial) : initial;
  }

  /** Number of bytes written so far, or since the last `spill` that handed some on. */
  get length(): number {
    return this.#length;
  }

  #reserve(bytes: number): number {
    const at = this.#length;
    const need = at + bytes;
    if (need > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(need, this.#buffer.length * 2));
      this.#buffer.copy(grown, 0, 0, at);
      this.#buffer = grown;
    }
    this.#length = need;
    return at;
  }

  u8(value: number): void {
    const at = this.#reserve(1);
    this.#buffer[at] = value;
  }

  u32(value: number): void {
    const at = this.#reserve(4);
    this.#buffer.writeUInt32LE(value >>> 0, at);
  }

  f32(value: number): void {
    const at = this.#reserve(4);
    this.#buffer.writeFloatLE(value, at);
  }

  f64(value: number): void {
    const at = this.#reserve(8);
    this.#buffer.writeDoubleLE(value, at);
  }

  i64(value: bigint): void {
    const at = this.#reserve(8);
    this.#buffer.writeBigInt64LE(BigInt.asIntN(64, value), at);
  }

  /** LEB128 of a non-negative integer up to 2^53 - 1. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.u8((rest % 128) | 0x80);
      rest = Math.floor(rest / 128);
    }
    this.u8(rest);
  }

  /** Bytes without a length prefix. */
  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
  }

  /** Length-prefixed bytes. */
  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** Length-prefixed UTF-8. */
  string(text: string): void {
    const length = Buffer.byteLength(text);
    this.varint(length);
    const at = this.#reserve(length);
    this.#buffer.write(text, at, length, 'utf8');
  }

  /** Starts a length-prefixed part whose length is not known yet; pass the returned mark to `end`. */
  begin(): number {
    return this.#reserve(PREFIX_BYTES);
  }

  /**
   * Ends the part that `begin` started: writes its length as a varint padded to four bytes, which readers accept like a
   * shorter one. Throws `illegal_argument_exception` if the part is longer than 2^28 - 1 bytes.
   */
  end(mark: number): void {
    const length = this.#length - mark - PREFIX_BYTES;
    if (length > PREFIXED_BYTES_MAX)
      throw errors.illegalArgument(`part of ${length} bytes, at most ${PREFIXED_BYTES_MAX} are allowed`);
    this.#buffer[mark] = (length & 0x7f) | 0x80;
    this.#buffer[mark + 1] = ((length >>> 7) & 0x7f) | 0x80;
    this.#buffer[mark + 2] = ((length >>> 14) & 0x7f) | 0x80;
    this.#buffer[mark + 3] = (length >>> 21) & 0x7f;
  }

  /** Hands on what was written, if it is much and someone takes it. No part may be begun. */
  spill(): void {
    if (this.#take === null || this.#length < SPILL_BYTES) return;
    this.#take(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
  }

  /**
   * The bytes written so far, behind those that were handed on; they are shared with the writer, which must not be used
   * afterwards.
   */
  finish(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}
