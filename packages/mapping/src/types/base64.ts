import { DocumentFault, tokenReason } from '../document-fault.js';
import { errors } from '@shoal/errors';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((char, i) => [char, i]));
const SPACE = 0x20;

/**
 * Returns the bytes of base64 in the alphabet of RFC 2045, with padding, in the pieces of four characters that
 * Jackson's parser reads: space may lie between pieces, and a piece with padding need not be the last. Throws the fault
 * of that parser.
 */
export function decodeBase64(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let at = 0; ; ) {
    while (at < text.length && text.charCodeAt(at) <= SPACE) at++;
    if (at >= text.length) return Uint8Array.from(bytes);
    at = readPiece(text, at, bytes);
  }
}

/** Reads four characters from `at` on; returns the place behind them. */
function readPiece(text: string, at: number, bytes: number[]): number {
  const first = valueAt(text, at, 0);
  const second = valueAt(text, at + 1, 1);
  if (at + 2 === text.length) throw unpadded(text);
  const third = text[at + 2] === '=' ? -1 : valueAt(text, at + 2, 2);
  bytes.push((first << 2) | (second >> 4));
  if (third < 0) {
    if (text[at + 3] !== '=') throw illegal(text, at + 3, 3);
    return at + 4;
  }
  if (at + 3 === text.length) throw unpadded(text);
  bytes.push(((second & 15) << 4) | (third >> 2));
  if (text[at + 3] === '=') return at + 4;
  bytes.push(((third & 3) << 6) | valueAt(text, at + 3, 3));
  return at + 4;
}

/** Six bits of the character at a place of the text, `index` characters into a piece. */
function valueAt(text: string, at: number, index: number): number {
  const value = VALUES.get(text[at] ?? '"');
  if (value === undefined) throw illegal(text, at, index);
  return value;
}

function illegal(text: string, at: number, index: number): DocumentFault {
  const char = text[at] ?? '"';
  const code = char.charCodeAt(0);
  const hex = `0x${code.toString(16)}`;
  const isControl = code < SPACE || (code >= 0x7f && code < 0xa0);
  let reason = `Illegal character '${char}' (code ${hex}) in base64 content`;
  if (code <= SPACE)
    reason =
      `Illegal white space character (code ${hex}) as character #${index + 1} of 4-char base64 unit: ` +
      'can only used between units';
  else if (char === '=')
    reason =
      `Unexpected padding character ('=') as character #${index + 1} of 4-char base64 unit: ` +
      'padding only legal as 3rd or 4th character';
  else if (isControl) reason = `Illegal character (code ${hex}) in base64 content`;
  const message = `Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): ${reason}`;
  return fault(message, at + 1, text.slice(at + 1), at < text.length);
}

function unpadded(text: string): DocumentFault {
  const message =
    "Unexpected end of base64-encoded String: base64 variant 'MIME-NO-LINEFEEDS' expects padding (one or more '=' " +
    'characters) at the end. This Base64Variant might have been incorrectly configured';
  return fault(message, text.length, '', true);
}

/** The fault `read` characters into the text; the preview is what the parser has not read yet. */
function fault(message: string, read: number, rest: string, hasPreview: boolean): DocumentFault {
  const complete = ({
    line,
    startColumn,
    source,
  }: Parameters<DocumentFault['complete']>[0]): ReturnType<DocumentFault['complete']> => {
    const column = startColumn + 1 + read;
    const reason = tokenReason(message, line, column, source);
    return errors.xContentParse(`[${line}:${column}] ${reason}`, { cause: errors.jsonParse(reason) });
  };
  return new DocumentFault(complete, null, hasPreview ? rest : undefined);
}
