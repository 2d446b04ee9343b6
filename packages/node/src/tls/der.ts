/** One element of DER (ITU-T X.690), the encoding of certificates and key stores. */
export interface DerElement {
  /** Identifier octet: 0x30 for a SEQUENCE, 0xa0 for `[0]` constructed. */
  readonly tag: number;
  readonly content: Buffer;
  /** Identifier, length and content as encoded. */
  readonly whole: Buffer;
}

/** Identifier octets of the DER types that certificates and key stores use. */
export const TAG = {
  integer: 0x02,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
  bmpString: 0x1e,
} as const;

/** Parses the elements of a content, in order. Throws if the bytes are not DER. */
export function readAll(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = readAt(bytes, at);
    elements.push(element);
    at += element.whole.length;
  }
  return elements;
}

/** Parses the first element of `bytes`. */
export const readOne = (bytes: Buffer): DerElement => readAt(bytes, 0);

function readAt(bytes: Buffer, start: number): DerElement {
  const tag = bytes[start];
  let length = bytes[start + 1];
  if (tag === undefined || length === undefined) throw new Error('the file ends within an element');
  let at = start + 2;
  // BER's indefinite form: the content ends at an end-of-contents element.
  if (length === 0x80) return readIndefinite(bytes, start, tag, at);
  if (length > 0x80) {
    const size = length - 0x80;
    if (size > 4 || at + size > bytes.length) throw new Error('an element has an impossible length');
    length = bytes.readUIntBE(at, size);
    at += size;
  }
  if (at + length > bytes.length) throw new Error('the file ends within an element');
  return { tag, content: bytes.subarray(at, at + length), whole: bytes.subarray(start, at + length) };
}

function readIndefinite(bytes: Buffer, start: number, tag: number, contentStart: number): DerElement {
  let at = contentStart;
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) at += readAt(bytes, at).whole.length;
  return { tag, content: bytes.subarray(contentStart, at), whole: bytes.subarray(start, at + 2) };
}

/** Encodes an element with `parts` as its content. */
export function write(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const size = content.length < 0x100 ? 1 : content.length < 0x10000 ? 2 : content.length < 0x1000000 ? 3 : 4;
  const head = Buffer.alloc(2 + size);
  head[0] = tag;
  head[1] = 0x80 + size;
  head.writeUIntBE(content.length, 2, size);
  return Buffer.concat([head, content]);
}

/** Encodes a SEQUENCE. */
export const sequence = (...parts: readonly Uint8Array[]): Buffer => write(TAG.sequence, ...parts);
/** Encodes an OCTET STRING. */
export const octets = (bytes: Uint8Array): Buffer => write(TAG.octets, bytes);

/** Encodes a non-negative INTEGER below 2^31. */
export function integer(value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(value, 1);
  let first = 0;
  while (first < 4 && bytes[first] === 0 && bytes[first + 1]! < 0x80) first++;
  return write(TAG.integer, bytes.subarray(first));
}

/** Returns the value of an INTEGER of at most six bytes. */
export function integerOf({ content }: DerElement): number {
  if (content.length === 0 || content.length > 6) throw new Error('a number is too large');
  return content.readUIntBE(0, content.length);
}

/** Encodes the OBJECT IDENTIFIER of a dotted text. */
export function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]];
  return write(TAG.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) + 128);
  return digits;
}

/** Returns the dotted text of an OBJECT IDENTIFIER. */
export function oidOf({ content }: DerElement): string {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(value);
      value = 0;
    }
  }
  const [head = 0, ...rest] = numbers;
  return [Math.min(2, Math.floor(head / 40)), head - 40 * Math.min(2, Math.floor(head / 40)), ...rest].join('.');
}
