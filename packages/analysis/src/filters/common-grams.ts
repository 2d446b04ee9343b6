import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import type { Token } from '../token.js';
import { lowerCase } from '../unicode/case.js';

function pairOf(left: Token, right: Token): Token {
  return { ...left, term: `${left.term}_${right.term}`, end: right.end, type: 'gram', span: 2 };
}

/** Tokens in query mode: a word that is part of a pair is removed. */
function forQueries(tokens: readonly Token[]): Token[] {
  const isGram = (token: Token | undefined): boolean => token?.type === 'gram';
  const kept = tokens.filter((token, i) => isGram(token) || (!isGram(tokens[i - 1]) && !isGram(tokens[i + 1])));
  return kept.map((token) => ({ ...token, span: 1 }));
}

/**
 * `common_grams`: adds pairs of neighbours of which one is in `common_words`; `query_mode` removes the words of pairs.
 */
export const commonGrams: FilterFactory = {
  needsSettings: true,
  create(name, parameters) {
    const words = parameters.list('common_words');
    if (words === null)
      throw errors.illegalArgument(
        'missing or empty [common_words] or [common_words_path] configuration for common_grams token filter',
      );
    const ignoresCase = parameters.boolean('ignore_case', false);
    const known = new Set(ignoresCase ? words.map(lowerCase) : words);
    const isCommon = ({ term }: Token): boolean => known.has(ignoresCase ? lowerCase(term) : term);
    const queryMode = parameters.boolean('query_mode', false);
    return {
      name,
      normalize: null,
      apply({ tokens, endPosition }) {
        const made: Token[] = [];
        tokens.forEach((token, i) => {
          made.push(token);
          const next = tokens[i + 1];
          if (next && (isCommon(token) || isCommon(next))) made.push(pairOf(token, next));
        });
        return { tokens: queryMode ? forQueries(made) : made, endPosition };
      },
    };
  },
};
