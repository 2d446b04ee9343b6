const LETTER = String.raw`[\p{L}\p{M}_]`;
const WORD = String.raw`${LETTER}+(?:[\p{Pd}\u00ad\u2027"'.]${LETTER}+)*`;
const NUMBER = String.raw`\p{N}+(?:["',\u066b.]\p{N}+)*`;
const POST = String.raw`[\u00a2%&\u2030\u2031]`;

/** A word, a number, a mixture of them, a run of white space, or one other character. */
const PIECE = new RegExp(
  String.raw`(?=${LETTER}|\p{N})(?:${WORD})?(?:${NUMBER}${WORD})*(?:${NUMBER}${POST}?)?|[\p{Sc}#.](?=\p{N})(?:${NUMBER}${WORD})*(?:${NUMBER}${POST}?)?|[\t\p{Zs}]+\r?\n?|\r\n|[^]`,
  'uy',
);

/** Boundaries of words in [from, to) of a text as the JDK's word BreakIterator finds them, both ends included. */
export function wordBreaks(text: string, from = 0, to = text.length): number[] {
  const breaks = [from];
  PIECE.lastIndex = from;
  while (PIECE.lastIndex < to && PIECE.test(text)) breaks.push(Math.min(PIECE.lastIndex, to));
  PIECE.lastIndex = 0;
  return breaks;
}
