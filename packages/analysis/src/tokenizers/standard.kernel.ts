import type { TokenList } from '../analyzer.js';
import { lowerCase } from '../unicode/case.js';
import { scanStandard, STANDARD_TYPES } from './standard-scan.js';

const LETTER = 1;
const DIGIT = 2;
const CONNECTOR = 4;
const WORD = LETTER | DIGIT | CONNECTOR;
/** Class of characters that do not break a word between two letters: `:` `.` `'`. */
const MID_LETTER = 8;
/** Class of characters that do not break a number between two digits: `,` `;` `.` `'`. */
const MID_NUMBER = 16;
const UPPER = 32;
/** Class of `#` and `*`, which may start a keycap. */
const KEYCAP_START = 64;

function asciiClasses(): Uint8Array {
  const classes = new Uint8Array(128);
  classes.fill(DIGIT, 48, 58);
  classes.fill(LETTER | UPPER, 65, 91);
  classes.fill(LETTER, 97, 123);
  for (const [char, bits] of [
    ['_', CONNECTOR],
    [':', MID_LETTER],
    [',', MID_NUMBER],
    [';', MID_NUMBER],
    ['#', KEYCAP_START],
    ['*', KEYCAP_START],
  ] as const) {
    classes[char.charCodeAt(0)] = bits;
  }
  classes[46] = classes[39] = MID_LETTER | MID_NUMBER;
  return classes;
}

const ASCII: Uint8Array = asciiClasses();
const NUM_TYPE = 2;

/**
 * Scans the ASCII token at `start`, which begins with a word character. Returns `end * 64 + classes`, the bits of the
 * classes that it has; -1 if a character beyond ASCII follows, for which `scanStandard` must decide.
 */
function scanAscii(text: string, start: number, limit: number): number {
  let i = start;
  let seen = 0;
  let last = 0;
  while (i < limit) {
    const c = text.charCodeAt(i);
    if (c >= 128) return -1;
    const kind = ASCII[c]!;
    if ((kind & WORD) !== 0) {
      seen |= kind;
      last = kind;
      i++;
      continue;
    }
    if ((kind & (MID_LETTER | MID_NUMBER)) === 0) break;
    const next = i + 1 < limit ? text.charCodeAt(i + 1) : 0;
    if (next >= 128) return -1;
    const follows = ASCII[next]!;
    const joinsLetters = (kind & MID_LETTER) !== 0 && (last & follows & LETTER) !== 0;
    const joinsDigits = (kind & MID_NUMBER) !== 0 && (last & follows & DIGIT) !== 0;
    if (!joinsLetters && !joinsDigits) break;
    i++;
  }
  return i * 64 + seen;
}

/**
 * Fills `out` with the tokens of the standard tokenizer in one pass over the text, in lower case if `lower`. ASCII text
 * takes a table-driven path (about 250 MB/s), other text `scanStandard`. A token longer than `maxLength` UTF-16 units
 * is cut into pieces of that length. Types are written only if `detail`.
 */
export function standardTokens(text: string, maxLength: number, lower: boolean, detail: boolean, out: TokenList): void {
  const { terms, positions, startOffsets, endOffsets, types, positionLengths } = out;
  const length = text.length;
  let count = 0;
  let i = 0;
  while (i < length) {
    const c = text.charCodeAt(i);
    const kind = c < 128 ? ASCII[c]! : 255;
    if ((kind & (WORD | KEYCAP_START)) === 0) {
      i++;
      continue;
    }
    const start = i;
    const limit = start + maxLength < length ? start + maxLength : length;
    let term: string;
    let type: number;
    const ascii = kind < 64 ? scanAscii(text, start, limit) : -1;
    if (ascii >= 0) {
      i = Math.floor(ascii / 64);
      if ((ascii & (LETTER | DIGIT)) === 0) continue;
      type = (ascii & LETTER) === 0 ? NUM_TYPE : 1;
      term = text.substring(start, i);
      if (lower && (ascii & UPPER) !== 0) term = term.toLowerCase();
    } else {
      const scanned = scanStandard(text, start, limit);
      i = Math.floor(scanned / 16);
      type = scanned & 15;
      if (type === 0) continue;
      term = text.substring(start, i);
      if (lower) term = lowerCase(term);
    }
    terms[count] = term;
    positions[count] = count;
    startOffsets[count] = start;
    endOffsets[count] = i;
    positionLengths[count] = 1;
    if (detail) types[count] = STANDARD_TYPES[type]!;
    count++;
  }
  out.count = count;
  out.endPosition = count;
}

/**
 * As `standardTokens` for indexing, without offsets and types: appends terms to `terms` with consecutive positions from
 * `position` on. Returns the position after the last token.
 */
export function appendStandardTerms(
  text: string,
  maxLength: number,
  lower: boolean,
  position: number,
  terms: string[],
  positions: number[],
): number {
  const length = text.length;
  let at = position;
  let i = 0;
  while (i < length) {
    const c = text.charCodeAt(i);
    const kind = c < 128 ? ASCII[c]! : 255;
    if ((kind & (WORD | KEYCAP_START)) === 0) {
      i++;
      continue;
    }
    const start = i;
    const limit = start + maxLength < length ? start + maxLength : length;
    const ascii = kind < 64 ? scanAscii(text, start, limit) : -1;
    let term: string;
    if (ascii >= 0) {
      i = Math.floor(ascii / 64);
      if ((ascii & (LETTER | DIGIT)) === 0) continue;
      term = lower && (ascii & UPPER) !== 0 ? text.substring(start, i).toLowerCase() : text.substring(start, i);
    } else {
      const scanned = scanStandard(text, start, limit);
      i = Math.floor(scanned / 16);
      if ((scanned & 15) === 0) continue;
      term = lower ? lowerCase(text.substring(start, i)) : text.substring(start, i);
    }
    terms.push(term);
    positions.push(at++);
  }
  return at;
}
