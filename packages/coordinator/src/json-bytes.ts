const encoder = new TextEncoder();

/** UTF-8 of a value's JSON; the value holds no bigint. */
export function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

/** JSON that a node of the cluster wrote; empty bytes are null. */
export function decodeJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return null;
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
}

/** UTF-8 of a text. */
export function utf8(text: string): Uint8Array {
  return Buffer.from(text);
}
