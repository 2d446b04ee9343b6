import { errors } from '@shoal/errors';

function damaged(): never {
  throw errors.corruption('compressed block is damaged');
}

/** Reads a little-endian number of `count` bytes: the length of a literal, or the offset of a copy. */
function little(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? damaged());
  return value;
}

function lengthOf(bytes: Uint8Array): { length: number; at: number } {
  let length = 0;
  for (let at = 0, scale = 1; at < 5; at++, scale *= 128) {
    const byte = bytes[at] ?? damaged();
    length += (byte & 0x7f) * scale;
    if (byte < 0x80) return { length, at: at + 1 };
  }
  return damaged();
}

/** Decompresses a snappy block. Format: google/snappy format_description.txt. Throws corrupt_index_exception. */
export function unsnappy(bytes: Uint8Array, lengthMax: number): Uint8Array {
  const { length, at: start } = lengthOf(bytes);
  if (length > lengthMax) damaged();
  const out = new Uint8Array(length);
  let to = 0;
  for (let at = start; at < bytes.length; ) {
    const tag = bytes[at++]!;
    if ((tag & 3) === 0) {
      const extra = Math.max(0, (tag >>> 2) - 59);
      const count = (extra === 0 ? tag >>> 2 : little(bytes, at, extra)) + 1;
      at += extra;
      if (at + count > bytes.length || to + count > length) damaged();
      out.set(bytes.subarray(at, at + count), to);
      at += count;
      to += count;
      continue;
    }
    const offsetBytes = (tag & 3) === 3 ? 4 : tag & 3;
    const isShort = offsetBytes === 1;
    const count = isShort ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const offset = (isShort ? (tag >>> 5) * 256 : 0) + little(bytes, at, offsetBytes);
    at += offsetBytes;
    if (offset === 0 || offset > to || to + count > length) damaged();
    for (let i = 0; i < count; i++, to++) out[to] = out[to - offset]!;
  }
  return to === length ? out : damaged();
}
