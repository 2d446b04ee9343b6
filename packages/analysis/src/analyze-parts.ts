import type { Analyzer, TokenList } from './analyzer.js';

/** Characters that are analysed at once: some milliseconds of work. */
const PART_CHARACTERS = 1 << 15;

/** Tokens of a part of a text. Offsets and positions count from the beginning of the part. */
export interface AnalyzedPart {
  /** Valid until the next part is asked for. */
  readonly list: TokenList;
  /** Offset of the part in the text. */
  readonly offset: number;
  /** Position at which the part begins. */
  readonly position: number;
}

/**
 * Analyses a text part by part, so that the caller can give the thread back in between. Texts are cut behind white
 * space where the analyzer looks at words one by one; other texts are one part. There is always at least one.
 */
export function* analyzeParts(analyzer: Analyzer, text: string, detail = false): Generator<AnalyzedPart> {
  let offset = 0;
  let position = 0;
  do {
    const end = analyzer.isPerWord === true ? cutBehind(text, offset + PART_CHARACTERS) : text.length;
    const part = offset === 0 && end === text.length ? text : text.slice(offset, end);
    const list = analyzer.analyze(part, detail);
    // The list may have other tokens when the caller comes back.
    const next = position + list.endPosition;
    yield { list, offset, position };
    position = next;
    offset = end;
  } while (offset < text.length);
}

/** Returns the next place from `from` on that has a space before it and a letter or digit of ASCII behind it. */
function cutBehind(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text.charCodeAt(at - 1) === 0x20 && isPlain(text.charCodeAt(at))) return at;
  }
  return text.length;
}

function isPlain(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}
