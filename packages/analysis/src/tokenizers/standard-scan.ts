import { wordBreak, wordBreakClass } from '../unicode/word-break.js';

/** Token types of the standard tokenizer by their code, as `scanStandard` returns it. */
export const STANDARD_TYPES = [
  '',
  '<ALPHANUM>',
  '<NUM>',
  '<SOUTHEAST_ASIAN>',
  '<IDEOGRAPHIC>',
  '<HIRAGANA>',
  '<KATAKANA>',
  '<HANGUL>',
  '<EMOJI>',
] as const;

/** Codes of token types: indexes of STANDARD_TYPES; `none` for text that is no token. */
export const tokenType = {
  none: 0,
  word: 1,
  number: 2,
  complex: 3,
  ideographic: 4,
  hiragana: 5,
  katakana: 6,
  hangul: 7,
  emoji: 8,
} as const;

const ZERO_WIDTH_JOINER = 0x200d;
const EMOJI_STYLE = 0xfe0f;
const KEYCAP = 0x20e3;

/** Packs the end and the type of a token into one number, so that no object is allocated for it. */
const result = (end: number, type: number): number => end * 16 + type;

function width(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}

function skipMarks(text: string, at: number, limit: number): number {
  let i = at;
  while (i < limit) {
    const codePoint = text.codePointAt(i) ?? 0;
    if (wordBreakClass(codePoint) !== wordBreak.extend) break;
    i += width(codePoint);
  }
  return i;
}

function isLetter(kind: number): boolean {
  return kind === wordBreak.letter || kind === wordBreak.hangul || kind === wordBreak.hebrew;
}

/** Scans a run of a script without spaces (complex context), which is one token. */
function scanComplex(text: string, start: number, limit: number): number {
  let i = start;
  while (i < limit) {
    const codePoint = text.codePointAt(i) ?? 0;
    const kind = wordBreakClass(codePoint);
    if (kind !== wordBreak.complex && kind !== wordBreak.extend) break;
    i += width(codePoint);
  }
  return result(i, tokenType.complex);
}

/** Index after a pictograph, with a skin tone or emoji style and the tags of a flag after it. */
function pictographEnd(text: string, start: number, limit: number): number {
  let i = start + width(text.codePointAt(start) ?? 0);
  const next = text.codePointAt(i) ?? 0;
  if (i < limit && (next === EMOJI_STYLE || wordBreakClass(next) === wordBreak.modifier)) i += width(next);
  while (i < limit && isTag(text.codePointAt(i) ?? 0)) i += 2;
  return i;
}

function isTag(codePoint: number): boolean {
  return codePoint >= 0xe0020 && codePoint <= 0xe007f;
}

function isPictograph(codePoint: number): boolean {
  const kind = wordBreakClass(codePoint);
  return kind === wordBreak.pictograph || kind === wordBreak.modifier;
}

function scanPictograph(text: string, start: number, limit: number): number {
  let end = pictographEnd(text, start, limit);
  while (
    end + 1 < limit &&
    text.charCodeAt(end) === ZERO_WIDTH_JOINER &&
    isPictograph(text.codePointAt(end + 1) ?? 0)
  ) {
    end = pictographEnd(text, end + 1, limit);
  }
  return result(end, tokenType.emoji);
}

/** Scans a flag: a pair of regional indicators. A single one is no token. */
function scanFlag(text: string, start: number, limit: number): number {
  const second = start + 2;
  const isPair = second < limit && wordBreakClass(text.codePointAt(second) ?? 0) === wordBreak.regional;
  return isPair ? result(second + 2, tokenType.emoji) : result(second, tokenType.none);
}

/** Index after a keycap such as `1️⃣` at `start`, or -1 if there is none. */
function keycapEnd(text: string, start: number): number {
  const c = text.charCodeAt(start);
  if (!((c >= 48 && c <= 57) || c === 35 || c === 42)) return -1;
  const mark = text.charCodeAt(start + 1) === EMOJI_STYLE ? start + 2 : start + 1;
  return text.charCodeAt(mark) === KEYCAP ? mark + 1 : -1;
}

/**
 * Whether a character of class `kind` between the classes `last` and `next` is inside a word (WB6, WB7, WB7b, WB7c,
 * WB11, WB12).
 */
function joins(last: number, kind: number, next: number): boolean {
  const isQuoteLike = kind === wordBreak.midNumberLetter || kind === wordBreak.singleQuote;
  if (isLetter(last) && isLetter(next) && (isQuoteLike || kind === wordBreak.midLetter)) return true;
  if (last === wordBreak.numeric && next === wordBreak.numeric && (isQuoteLike || kind === wordBreak.midNumber))
    return true;
  return kind === wordBreak.doubleQuote && last === wordBreak.hebrew && next === wordBreak.hebrew;
}

/** Whether there is no break between two adjacent classes (WB5, WB8-10, WB13-13b). */
function holds(last: number, kind: number): boolean {
  if (kind === wordBreak.connector || last === wordBreak.connector) {
    return isWordClass(last) && isWordClass(kind);
  }
  if (last === wordBreak.katakana || kind === wordBreak.katakana) return last === kind;
  return isWordClass(last) && isWordClass(kind);
}

function isWordClass(kind: number): boolean {
  return isLetter(kind) || kind === wordBreak.numeric || kind === wordBreak.katakana || kind === wordBreak.connector;
}

/** Bits of the classes that a word has, which determine its type. */
const seenBit = { letter: 1, number: 2, katakana: 4, hangul: 8, connector: 16, joined: 32 };

function bitOf(kind: number): number {
  if (kind === wordBreak.numeric) return seenBit.number;
  if (kind === wordBreak.katakana) return seenBit.katakana;
  if (kind === wordBreak.hangul) return seenBit.hangul;
  return kind === wordBreak.connector ? seenBit.connector : seenBit.letter;
}

function typeOfWord(seen: number): number {
  const content = seen & (seenBit.letter | seenBit.number | seenBit.katakana | seenBit.hangul);
  if (content === 0) return tokenType.none;
  if (content === seenBit.number) return tokenType.number;
  if (seen === seenBit.hangul) return tokenType.hangul;
  return seen === seenBit.katakana ? tokenType.katakana : tokenType.word;
}

/** Scans the word at `start`; returns its end and type as `scanStandard` does. */
function scanWord(text: string, start: number, limit: number): number {
  const first = text.codePointAt(start) ?? 0;
  let last = wordBreakClass(first);
  let seen = bitOf(last);
  let end = skipMarks(text, start + width(first), limit);
  while (end < limit) {
    const codePoint = text.codePointAt(end) ?? 0;
    const kind = wordBreakClass(codePoint);
    if (holds(last, kind)) {
      seen |= bitOf(kind);
      last = kind;
      end = skipMarks(text, end + width(codePoint), limit);
      continue;
    }
    const after = skipMarks(text, end + width(codePoint), limit);
    const next = after < limit ? wordBreakClass(text.codePointAt(after) ?? 0) : wordBreak.other;
    if (joins(last, kind, next)) {
      seen |= seenBit.joined;
      end = after;
      last = next;
      seen |= bitOf(next);
      end = skipMarks(text, after + width(text.codePointAt(after) ?? 0), limit);
      continue;
    }
    // WB7a: a single quote belongs to the Hebrew letter before it.
    if (kind === wordBreak.singleQuote && last === wordBreak.hebrew)
      return result(after, typeOfWord(seen | seenBit.joined));
    break;
  }
  return result(end, typeOfWord(seen));
}

/**
 * Scans the token, or the text without a token, at `start` by the rules of UAX #29 and of Lucene's StandardTokenizer
 * (9.x). Returns `end * 16 + type`, where `end` is at most `limit`. The ASCII fast path is tested against it.
 */
export function scanStandard(text: string, start: number, limit: number): number {
  const codePoint = text.codePointAt(start) ?? 0;
  const kind = wordBreakClass(codePoint);
  const keycap = keycapEnd(text, start);
  if (keycap > 0 && keycap <= limit && kind !== wordBreak.numeric) return result(keycap, tokenType.emoji);
  switch (kind) {
    case wordBreak.letter:
    case wordBreak.hangul:
    case wordBreak.hebrew:
    case wordBreak.numeric:
    case wordBreak.katakana:
    case wordBreak.connector: {
      const word = scanWord(text, start, limit);
      return keycap > 0 && word === result(keycap, tokenType.number) ? result(keycap, tokenType.emoji) : word;
    }
    case wordBreak.complex:
      return scanComplex(text, start, limit);
    case wordBreak.ideographic:
      return result(skipMarks(text, start + width(codePoint), limit), tokenType.ideographic);
    case wordBreak.hiragana:
      return result(skipMarks(text, start + 1, limit), tokenType.hiragana);
    case wordBreak.pictograph:
    case wordBreak.modifier:
      return scanPictograph(text, start, limit);
    case wordBreak.regional:
      return scanFlag(text, start, limit);
    default:
      return result(start + width(codePoint), tokenType.none);
  }
}
