import { WORD_BREAK_RUNS } from './word-break-data.js';

/**
 * Classes of the word break rules (UAX #29, revision of Unicode 15) as Lucene's StandardTokenizer uses them: Extend,
 * Format and ZWJ are one class; Han ideographs, Hiragana, complex-context scripts, Hangul and pictographs have their
 * own.
 */
export const wordBreak = {
  other: 0,
  letter: 1,
  numeric: 2,
  connector: 3,
  midLetter: 4,
  midNumber: 5,
  midNumberLetter: 6,
  singleQuote: 7,
  doubleQuote: 8,
  katakana: 9,
  hebrew: 10,
  extend: 11,
  hiragana: 12,
  ideographic: 13,
  complex: 14,
  regional: 15,
  hangul: 16,
  pictograph: 17,
  modifier: 18,
} as const;

const TABLE_SIZE = 0x33480;

function decodeRuns(): Uint8Array {
  const table = new Uint8Array(TABLE_SIZE);
  let next = 0;
  for (const run of WORD_BREAK_RUNS.split(' ')) {
    const [gap = '0', length = '0', kind = '0'] = run.split(',');
    const start = next + parseInt(gap, 36);
    next = start + parseInt(length, 36);
    table.fill(parseInt(kind, 36), start, next);
  }
  return table;
}

const TABLE: Uint8Array = decodeRuns();

/**
 * Word break class of a code point. Beyond the table, tag characters and variation selectors (plane 14) are `extend`
 * and all other code points `other`.
 */
export function wordBreakClass(codePoint: number): number {
  if (codePoint < TABLE_SIZE) return TABLE[codePoint]!;
  const isMark = (codePoint >= 0xe0020 && codePoint <= 0xe007f) || (codePoint >= 0xe0100 && codePoint <= 0xe01ef);
  return isMark ? wordBreak.extend : wordBreak.other;
}
