import { errors } from '@shoal/errors';

/** Escapes a text to stand between the quotes of a JSON string. */
function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const LONE_SURROGATE = /\p{Cs}/gu;

/** Encodes a text as a value of a query string, as Java's `URLEncoder` does: a blank becomes `+`. */
export function encodeUrl(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATE, '?'))
    .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

const ESCAPES: ReadonlyMap<string, (text: string) => string> = new Map([
  ['application/json', escapeJson],
  ['application/json;charset=utf-8', escapeJson],
  ['application/json; charset=UTF-8', escapeJson],
  ['text/plain', (text: string) => text],
  ['application/x-www-form-urlencoded', encodeUrl],
]);

/** Returns how variables are escaped in a template of a media type. Throws illegal_argument_exception for others. */
export function escapeOf(mediaType: string): (text: string) => string {
  const escape = ESCAPES.get(mediaType);
  if (escape === undefined) throw errors.illegalArgument(`No encoder found for MIME type [${mediaType}]`);
  return escape;
}
