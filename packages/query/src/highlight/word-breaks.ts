/** Marks and format characters belong to the character before them. */
const MARKS = String.raw`[\p{Mn}\p{Me}\p{Cf}]*`;
const JAPANESE = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc`;
const LETTER = String.raw`(?:(?![${JAPANESE}])[\p{L}\p{Mc}]${MARKS})`;
const WORD = String.raw`${LETTER}+(?:[\p{Pd}\p{Pc}\u2027"'.]${MARKS}${LETTER}+)*`;
const NUMBER = String.raw`(?:\p{N}${MARKS})+(?:["',\u066b.](?:\p{N}${MARKS})+)*`;
const POST = String.raw`[\u00a2%&\u2030\u2031]`;
const MIXTURE = String.raw`(?:${NUMBER}${WORD})*(?:${NUMBER}${POST}?)?`;
const KANJI = String.raw`(?:\p{sc=Han}${MARKS})+`;
const HIRAGANA = String.raw`(?:[\p{sc=Hiragana}\u30fc]${MARKS})+`;
const KATAKANA = String.raw`(?:[\p{sc=Katakana}\u30fc]${MARKS})+`;

/** Pattern of one piece: a word, a number, a mixture of both, a run of white space, or one other character. */
const PIECE = new RegExp(
  String.raw`(?=${LETTER}|\p{N})(?:${WORD})?${MIXTURE}|[\p{Sc}#.](?=\p{N})${MIXTURE}|${KANJI}|${KATAKANA}|${HIRAGANA}` +
    String.raw`|[\t\p{Zs}]+\r?\n?${MARKS}|\r\n|[^]${MARKS}`,
  'uy',
);

/**
 * Returns the word boundaries in [from, to) of a text as the JDK's word BreakIterator finds them, both ends included.
 */
export function wordBreaks(text: string, from = 0, to = text.length): number[] {
  const breaks = [from];
  PIECE.lastIndex = from;
  while (PIECE.lastIndex < to && PIECE.test(text)) breaks.push(Math.min(PIECE.lastIndex, to));
  PIECE.lastIndex = 0;
  return breaks;
}
