import type { FilterFactory } from '../component.js';
import { newToken, type Token, type TokenFilter } from '../token.js';

const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['<IDEOGRAPHIC>', 'han'],
  ['<HIRAGANA>', 'hiragana'],
  ['<KATAKANA>', 'katakana'],
  ['<HANGUL>', 'hangul'],
]);

interface Char {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

function charsOf(token: Token): readonly Char[] {
  let at = token.start;
  return [...token.term].map((term) => {
    const char = { term, start: at, end: at + term.length, type: token.type };
    at += term.length;
    return char;
  });
}

/** Groups adjacent tokens of the joined scripts to runs of characters; other tokens stay between the runs. */
function splitRuns(
  tokens: readonly Token[],
  isBigram: (token: Token) => boolean,
): readonly (Token | readonly Char[])[] {
  const runs: (Token | Char[])[] = [];
  for (const token of tokens) {
    if (!isBigram(token)) {
      runs.push(token);
      continue;
    }
    const last = runs.at(-1);
    if (Array.isArray(last) && last.at(-1)?.end === token.start) last.push(...charsOf(token));
    else runs.push([...charsOf(token)]);
  }
  return runs;
}

function bigrams(run: readonly Char[], position: number, unigrams: boolean): Token[] {
  if (run.length === 1) return [newToken(run[0]!.term, run[0]!.start, run[0]!.end, position, '<SINGLE>')];
  const made: Token[] = [];
  run.forEach((char, i) => {
    if (unigrams) made.push(newToken(char.term, char.start, char.end, position + i, '<SINGLE>'));
    const next = run[i + 1];
    if (next)
      made.push({
        ...newToken(char.term + next.term, char.start, next.end, position + i, '<DOUBLE>'),
        span: unigrams ? 2 : 1,
      });
  });
  return made;
}

/** A filter that replaces runs of Han, Hiragana, Katakana and Hangul characters by pairs of neighbouring characters. */
export function cjkBigramFilter(name: string, ignored: ReadonlySet<string>, unigrams: boolean): TokenFilter {
  const isBigram = (token: Token): boolean => {
    const script = SCRIPTS.get(token.type);
    return script !== undefined && !ignored.has(script);
  };
  return {
    name,
    normalize: null,
    apply({ tokens, endPosition }) {
      const made: Token[] = [];
      let shift = 0;
      for (const run of splitRuns(tokens, isBigram)) {
        if (!Array.isArray(run)) {
          const token = run as Token;
          made.push({ ...token, position: token.position + shift });
          continue;
        }
        const chars = run as readonly Char[];
        const before = (made.at(-1)?.position ?? -1) + 1;
        made.push(...bigrams(chars, before, unigrams));
        const taken = tokens.filter((token) => token.start >= chars[0]!.start && token.end <= chars.at(-1)!.end).length;
        shift += Math.max(1, unigrams ? chars.length : chars.length - 1) - taken;
      }
      return { tokens: made, endPosition: endPosition + shift };
    },
  };
}

/**
 * `cjk_bigram`: pairs of characters; parameters `ignored_scripts` (han, hiragana, katakana, hangul), `output_unigrams`.
 */
export const cjkBigram: FilterFactory = {
  create: (name, parameters) =>
    cjkBigramFilter(
      name,
      new Set(parameters.list('ignored_scripts') ?? []),
      parameters.boolean('output_unigrams', false),
    ),
};
