import { breakList } from '../break-list.js';
import type { HighlightOptions } from '../highlight-spec.js';
import { sentenceBreaks } from '../sentence-breaks.js';
import { wordBreaks } from '../word-breaks.js';

/** Moves the ends of a fragment to boundaries of a text. */
export interface BoundaryScanner {
  startAt(text: string, offset: number): number;
  endAt(text: string, offset: number): number;
}

/** Characters that boundaries of words and sentences are looked for in, on either side. */
const SCANNED_CHARS = 8192;

/** Returns the scanner that the options name: by characters by default. */
export function boundaryScanner({
  boundaryScanner: kind,
  boundaryChars,
  boundaryMaxScan,
}: HighlightOptions): BoundaryScanner {
  if (kind === 'word') return breakScanner((text) => breakList(() => wordBreaks(text)));
  if (kind === 'sentence') return breakScanner(sentenceBreaks);
  return charScanner(new Set(boundaryChars), boundaryMaxScan);
}

/** After Lucene's SimpleBoundaryScanner: an end moves to a character of the set, if there is one near. */
function charScanner(chars: ReadonlySet<string>, max: number): BoundaryScanner {
  return {
    startAt: (text, offset) => {
      if (offset > text.length || offset < 1) return offset;
      for (let at = offset; at > offset - max; at--) {
        if (at === 0) return 0;
        if (chars.has(text[at - 1]!)) return at;
      }
      return offset === max ? 0 : offset;
    },
    endAt: (text, offset) => {
      for (let at = offset; at < text.length && at < offset + max; at++) if (chars.has(text[at]!)) return at;
      return offset;
    },
  };
}

interface Breaks {
  preceding(offset: number): number;
  following(offset: number): number;
}

/** After Lucene's BreakIteratorBoundaryScanner: the text before the start, and that behind the end, is broken alone. */
function breakScanner(breaksOf: (text: string) => Breaks): BoundaryScanner {
  return {
    startAt: (text, offset) => {
      if (offset > text.length || offset < 1) return offset;
      const from = Math.max(0, offset - SCANNED_CHARS);
      return from + Math.max(0, breaksOf(text.slice(from, offset)).preceding(offset - from));
    },
    endAt: (text, offset) => {
      if (offset > text.length || offset < 0) return offset;
      const rest = text.slice(offset, offset + SCANNED_CHARS);
      const next = breaksOf(rest).following(0);
      return offset + (next < 0 ? rest.length : next);
    },
  };
}
