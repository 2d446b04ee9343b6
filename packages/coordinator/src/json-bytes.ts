export { decodeJson, encodeJson } from '@shoal/json';

/** UTF-8 of a text. */
export function utf8(text: string): Uint8Array {
  return Buffer.from(text);
}
