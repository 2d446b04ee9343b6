import { errors } from '@shoal/errors';
import type { Parameters, TokenizerFactory } from '../component.js';
import { newToken, type Token, type TokenStream } from '../token.js';
import { isDigit, isLetter, isPunctuation, isSymbol, isWhitespace } from '../unicode/characters.js';

type CharTest = (codePoint: number) => boolean;

const CHAR_CLASSES: ReadonlyMap<string, CharTest> = new Map<string, CharTest>([
  ['letter', isLetter],
  ['digit', isDigit],
  ['whitespace', isWhitespace],
  ['punctuation', isPunctuation],
  ['symbol', isSymbol],
]);

/** Test of the parameter `token_chars`; if it is empty, every character is part of a token. */
export function tokenChars(parameters: Parameters): CharTest {
  const names = parameters.list('token_chars') ?? [];
  if (names.length === 0) return () => true;
  const custom = new Set([...parameters.text('custom_token_chars', '')].map((char) => char.codePointAt(0) ?? 0));
  const tests = names.map((name): CharTest => {
    if (name === 'custom') return (codePoint) => custom.has(codePoint);
    const test = CHAR_CLASSES.get(name.toLowerCase());
    if (test) return test;
    throw errors.illegalArgument(
      `Unknown token type: '${name}', must be one of [letter, digit, whitespace, punctuation, symbol, custom]`,
    );
  });
  return (codePoint) => tests.some((test) => test(codePoint));
}

/** Runs of token characters, as lists of code points with offsets. */
function runsOf(
  text: string,
  isPart: CharTest,
): readonly (readonly { readonly char: string; readonly at: number }[])[] {
  const runs: { char: string; at: number }[][] = [[]];
  let at = 0;
  for (const char of text) {
    if (isPart(char.codePointAt(0) ?? 0)) runs.at(-1)!.push({ char, at });
    else if (runs.at(-1)!.length > 0) runs.push([]);
    at += char.length;
  }
  return runs;
}

/** Grams of a text, each at a position of its own. With `edgesOnly` only the prefixes of runs of token characters. */
export function gramTokens(text: string, min: number, max: number, isPart: CharTest, edgesOnly: boolean): TokenStream {
  const tokens: Token[] = [];
  for (const run of runsOf(text, isPart)) {
    const lastStart = edgesOnly ? Math.min(1, run.length) : run.length;
    for (let from = 0; from < lastStart; from++) {
      for (let size = min; size <= max && from + size <= run.length; size++) {
        const first = run[from]!;
        const last = run[from + size - 1]!;
        const end = last.at + last.char.length;
        tokens.push(newToken(text.slice(first.at, end), first.at, end, tokens.length, 'word'));
      }
    }
  }
  return { tokens, endPosition: tokens.length };
}

/** Parameters `min_gram` (1 by default) and `max_gram` (2). Throws illegal_argument_exception if they are invalid. */
export function gramSizes(parameters: Parameters): { readonly min: number; readonly max: number } {
  const min = parameters.integer('min_gram', 1);
  const max = parameters.integer('max_gram', 2);
  if (min < 1) throw errors.illegalArgument('minGram must be greater than zero');
  if (min > max) throw errors.illegalArgument('minGram must not be greater than maxGram');
  return { min, max };
}

/** `ngram`: grams; parameters `min_gram`, `max_gram`, `token_chars`, `custom_token_chars`. */
export const ngram: TokenizerFactory = {
  create(name, parameters, { maxNgramDiff }) {
    const { min, max } = gramSizes(parameters);
    if (max - min > maxNgramDiff) {
      throw errors.illegalArgument(
        'The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: ' +
          `[${maxNgramDiff}] but was [${max - min}]. ` +
          'This limit can be set by changing the [index.max_ngram_diff] index level setting.',
      );
    }
    const isPart = tokenChars(parameters);
    return { name, tokenize: (text) => gramTokens(text, min, max, isPart, false) };
  },
};
