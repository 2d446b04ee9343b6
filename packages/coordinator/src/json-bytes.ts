export { decodeJson, encodeJson } from '@shoal/json';

/** Encodes a string in UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return Buffer.from(text);
}
