import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import { expandingFilter, type Token } from '../token.js';

function gramsOf(token: Token, min: number, max: number, preserves: boolean): readonly Token[] {
  const points = [...token.term];
  const grams: Token[] = [];
  for (let from = 0; from < points.length; from++) {
    for (let size = min; size <= max && from + size <= points.length; size++) {
      grams.push({ ...token, term: points.slice(from, from + size).join('') });
    }
  }
  if (preserves && (points.length < min || points.length > max)) grams.push(token);
  return grams;
}

/**
 * `ngram`: parameters and defaults `min_gram` 1, `max_gram` 2, `preserve_original` false. Grams keep their token's
 * position.
 */
export const ngram: FilterFactory = {
  create(name, parameters, { maxNgramDiff }) {
    const min = parameters.integer('min_gram', 1);
    const max = parameters.integer('max_gram', 2);
    if (max - min > maxNgramDiff) {
      throw errors.illegalArgument(
        'The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: ' +
          `[${maxNgramDiff}] but was [${max - min}]. ` +
          'This limit can be set by changing the [index.max_ngram_diff] index level setting.',
      );
    }
    if (min < 1) throw errors.illegalArgument('minGram must be greater than zero');
    if (min > max) throw errors.illegalArgument('minGram must not be greater than maxGram');
    const preserves = parameters.boolean('preserve_original', false);
    return expandingFilter(name, (token) => gramsOf(token, min, max, preserves));
  },
};
