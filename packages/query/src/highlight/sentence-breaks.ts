/**
 * Boundaries of sentences as the JDK's sentence BreakIterator finds them (root locale), its rules found by asking a running server:
 * `!` and `?` end a sentence; a period does when white space and then the beginning of another sentence follow; a paragraph
 * separator always does.
 */
const TERMINATOR = /[!?\u3002\uff01\uff1f]/;
const PERIOD = /[.\uff0e]/;
const SPACE = /[\t\r\f\n\u2028\p{Zs}]/u;
const CLOSING = /[\p{Pe}\p{Pf}"']/u;
const LETTER = /\p{L}/u;
const LOWER = /\p{Ll}/u;
const DIGIT = /\p{N}/u;
/** What may stand before the first letter of a sentence. */
const SYMBOL = /[^\p{L}\p{N}\t\r\f\n\u2028\u2029\p{Zs},.\uff0e!?\u3002\uff01\uff1f]/u;
const PARAGRAPH = '\u2029';
/** No mark lies between `?` and the paragraph separator, so most characters need no look. */
const LAST_ASCII_MARK = 0x3f;
const FIRST_OTHER_MARK = 0x2029;

function skip(text: string, from: number, pattern: RegExp): number {
  let at = from;
  while (at < text.length && pattern.test(text[at]!)) at++;
  return at;
}

/** The end of the sentence whose terminator is at `at`, or -1 when the sentence goes on. */
function endAfter(text: string, at: number): number {
  let end = at;
  let isCertain = false;
  while (end < text.length && (PERIOD.test(text[end]!) || TERMINATOR.test(text[end]!))) isCertain = TERMINATOR.test(text[end++]!) || isCertain;
  const closed = skip(text, end, CLOSING);
  const spaced = skip(text, closed, SPACE);
  if (text[spaced] === PARAGRAPH) return spaced + 1;
  if (isCertain || spaced === text.length) return spaced;
  return beginsSentence(text, spaced, spaced - closed, closed - end) ? spaced : -1;
}

/** Whether what follows a period, `closers` closing marks and `spaces` white space begins a sentence. */
function beginsSentence(text: string, at: number, spaces: number, closers: number): boolean {
  const next = text[at]!;
  if (spaces >= 2) return !DIGIT.test(next) && next !== ',' && !PERIOD.test(next);
  const first = skip(text, at, SYMBOL);
  const letter = text[first];
  if (letter === undefined || !LETTER.test(letter)) return false;
  if (first > at) return true;
  return spaces === 0 ? closers > 0 : !LOWER.test(letter);
}

/** All boundaries of a text, ascending, 0 and its length included. */
export function sentenceBreaks(text: string): number[] {
  const breaks = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > LAST_ASCII_MARK && code < FIRST_OTHER_MARK) continue;
    const char = text[i]!;
    if (char === PARAGRAPH) breaks.push(i + 1);
    else if (PERIOD.test(char) || TERMINATOR.test(char)) {
      const end = endAfter(text, i);
      if (end < 0) continue;
      breaks.push(end);
      i = end - 1;
    }
  }
  if (breaks.at(-1) !== text.length) breaks.push(text.length);
  return breaks;
}
