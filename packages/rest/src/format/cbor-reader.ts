import { errors } from '@shoal/errors';
import { setOwn } from '@shoal/json';

/** Nesting of arrays and maps, as for JSON. */
const DEPTH_MAX = 1000;
/** Bytes in V8's heap: a container with its slot, a key, a number or literal, what a string takes besides its bytes. */
const WEIGHTS = { container: 64, key: 80, scalar: 8, text: 32 };
/** Bytes of a big number (tags 2 and 3): 400 digits. Turning bytes into digits and back takes the square of them. */
const BIG_BYTES_MAX = 166;

/** Tags of RFC 8949 and its registry that change what follows. Others are skipped, as Jackson does. */
const TAG = { positiveBig: 2, negativeBig: 3, decimal: 4, bigFloat: 5, stringRef: 25, shareable: 28, shared: 29 };
const REFUSED_TAGS = new Map<number, string>([
  [TAG.decimal, 'decimal fractions'],
  [TAG.bigFloat, 'big floats'],
  [TAG.stringRef, 'references to strings'],
  [TAG.shareable, 'shareable values'],
  [TAG.shared, 'references to shared values'],
]);

/** Length of an array, map or string whose end is marked by a break. */
const INDEFINITE = -1;
const BREAK = 0xff;

/** An open array or map. */
interface OpenContainer {
  readonly container: unknown[] | Record<string, unknown>;
  readonly isArray: boolean;
  /** Values that are still to come; `INDEFINITE` until a break. */
  left: number;
  /** Key of the member that is being read; null before it. */
  key: string | null;
}

const fault = (message: string): Error => errors.parse(`failed to parse the CBOR body: ${message}`);

/**
 * Reader of one CBOR value (RFC 8949), as JSON values: byte strings become base64, integers beyond 2^53 bigints, keys
 * texts. References are refused: with them some hundred bytes grow to gigabytes. It does not recurse, and may be left
 * after any item, so that a large body is read in slices.
 */
export class CborReader {
  readonly #bytes: Buffer;
  readonly #stack: OpenContainer[] = [];
  #at = 0;
  #isOver = false;
  #root: unknown;
  #weight = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Reads about `byteCount` more bytes. Returns whether the value is read to its end. */
  advance(byteCount: number): boolean {
    const until = this.#at + byteCount;
    while (!this.#isOver) {
      if (this.#at > until) return false;
      this.#item();
    }
    if (this.#at < this.#bytes.length) throw fault('there are bytes behind the value');
    return true;
  }

  /** The value, once `advance` has returned true. */
  get value(): unknown {
    return this.#root;
  }

  /** About how many bytes the values that have been read take. */
  get weight(): number {
    return this.#weight;
  }

  /** Reads one item: a key, a value, the head of a container, or its end. */
  #item(): void {
    const top = this.#stack[this.#stack.length - 1];
    if (top?.left === INDEFINITE && this.#bytes[this.#at] === BREAK) {
      if (top.key !== null) throw fault('a map ends after a key');
      this.#at++;
      return this.#close();
    }
    const head = this.#byte();
    if (top && !top.isArray && top.key === null) this.#key(top, head);
    else this.#value(head);
  }

  #key(top: OpenContainer, head: number): void {
    const major = head >> 5;
    if (major === 6) {
      this.#checkTag(this.#length(head & 31));
      return;
    }
    if (major === 3) top.key = this.#chunks(head).toString('utf8');
    else if (major < 2) top.key = String(this.#integer(head));
    else throw fault('a key is neither a text nor an integer');
    if (Object.hasOwn(top.container, top.key)) throw fault(`Duplicate field '${top.key}'`);
    this.#weight += WEIGHTS.key + top.key.length;
  }

  #value(head: number): void {
    switch (head >> 5) {
      case 0:
      case 1:
        return this.#put(this.#integer(head));
      case 2:
        return this.#putText(this.#chunks(head).toString('base64'));
      case 3:
        return this.#putText(this.#chunks(head).toString('utf8'));
      case 4:
        return this.#open(true, this.#length(head & 31));
      case 5:
        return this.#open(false, this.#length(head & 31));
      case 6:
        return this.#tagged(this.#length(head & 31));
      default:
        return this.#put(this.#simple(head & 31));
    }
  }

  #tagged(tag: number): void {
    this.#checkTag(tag);
    if (tag !== TAG.positiveBig && tag !== TAG.negativeBig) return;
    const head = this.#byte();
    if (head >> 5 !== 2) throw fault('a big number is no byte string');
    const bytes = this.#chunks(head);
    if (bytes.length > BIG_BYTES_MAX) throw fault(`a big number has more than [${BIG_BYTES_MAX}] bytes`);
    const value = BigInt(`0x${bytes.toString('hex') || '0'}`);
    this.#weight += WEIGHTS.text + bytes.length;
    this.#put(tag === TAG.positiveBig ? value : -1n - value);
  }

  #checkTag(tag: number): void {
    const name = REFUSED_TAGS.get(tag);
    if (name !== undefined) throw fault(`tag [${tag}] is not supported: ${name}`);
  }

  #simple(info: number): unknown {
    if (info === 20 || info === 21) return info === 21;
    if (info === 22 || info === 23) return null;
    if (info === 25) return halfFloat(this.#take(2).readUInt16BE());
    if (info === 26) return this.#take(4).readFloatBE();
    if (info === 27) return this.#take(8).readDoubleBE();
    throw fault(`unexpected simple value [${info}]`);
  }

  #integer(head: number): number | bigint {
    const isNegative = head >> 5 === 1;
    if ((head & 31) === 27) {
      const value = this.#take(8).readBigUInt64BE();
      const signed = isNegative ? -1n - value : value;
      return BigInt.asIntN(53, signed) === signed ? Number(signed) : signed;
    }
    const value = this.#length(head & 31);
    if (value === INDEFINITE) throw fault('an integer has no end');
    return isNegative ? -1 - value : value;
  }

  /** A count, an integer or a tag by the low bits of its head. */
  #length(info: number): number {
    if (info < 24) return info;
    if (info === 24) return this.#byte();
    if (info === 25) return this.#take(2).readUInt16BE();
    if (info === 26) return this.#take(4).readUInt32BE();
    if (info === 27) return Number(this.#take(8).readBigUInt64BE());
    if (info === 31) return INDEFINITE;
    throw fault(`reserved length [${info}]`);
  }

  /** Bytes of a string, which may come in chunks. */
  #chunks(head: number): Buffer {
    const length = this.#length(head & 31);
    if (length !== INDEFINITE) return this.#take(length);
    const chunks: Buffer[] = [];
    for (let next = this.#byte(); next !== BREAK; next = this.#byte()) {
      if (next >> 5 !== head >> 5 || (next & 31) === 31) throw fault('a chunk of a string is of another type');
      chunks.push(this.#take(this.#length(next & 31)));
    }
    return Buffer.concat(chunks);
  }

  #putText(text: string): void {
    this.#weight += WEIGHTS.text + text.length;
    this.#put(text);
  }

  /** Hands a value to its container, which may be complete then. */
  #put(value: unknown): void {
    this.#attach(value);
    const top = this.#stack[this.#stack.length - 1];
    if (top === undefined) this.#isOver = true;
    else this.#count(top);
  }

  #attach(value: unknown): void {
    this.#weight += WEIGHTS.scalar;
    const top = this.#stack[this.#stack.length - 1];
    if (top === undefined) this.#root = value;
    else if (top.isArray) (top.container as unknown[]).push(value);
    else setOwn(top.container as Record<string, unknown>, top.key!, value);
  }

  #count(top: OpenContainer): void {
    top.key = null;
    if (top.left !== INDEFINITE && --top.left === 0) this.#close();
  }

  #open(isArray: boolean, left: number): void {
    if (this.#stack.length === DEPTH_MAX) throw fault(`the nesting exceeds the limit of [${DEPTH_MAX}]`);
    const container = isArray ? [] : {};
    this.#weight += WEIGHTS.container;
    this.#attach(container);
    this.#stack.push({ container, isArray, left, key: null });
    if (left === 0) this.#close();
  }

  /** Closes the container on top, which completes those that it is the last value of. */
  #close(): void {
    this.#stack.pop();
    const top = this.#stack[this.#stack.length - 1];
    if (top === undefined) this.#isOver = true;
    else this.#count(top);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw fault('Unexpected end-of-input');
    return byte;
  }

  #take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw fault('Unexpected end-of-input');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** Value of a half-precision float (IEEE 754 binary16). */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
