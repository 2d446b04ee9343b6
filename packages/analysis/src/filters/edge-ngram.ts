import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import { expandingFilter, type Token, type TokenFilter } from '../token.js';

function edges(token: Token, min: number, max: number, fromBack: boolean, preserves: boolean): readonly Token[] {
  const points = [...token.term];
  const grams: Token[] = [];
  for (let size = min; size <= max && size <= points.length; size++) {
    const part = fromBack ? points.slice(points.length - size) : points.slice(0, size);
    grams.push({ ...token, term: part.join('') });
  }
  if (preserves && (points.length < min || points.length > max)) grams.push(token);
  return grams;
}

/** A filter that replaces each token by its prefixes (or suffixes). */
export function edgeNgramFilter(
  name: string,
  min: number,
  max: number,
  fromBack = false,
  preserves = false,
): TokenFilter {
  return expandingFilter(name, (token) => edges(token, min, max, fromBack, preserves));
}

/** `edge_ngram`: parameters and defaults `min_gram` 1, `max_gram` 2, `side` front, `preserve_original` false. */
export const edgeNgram: FilterFactory = {
  create(name, parameters) {
    const side = parameters.text('side', 'front');
    if (side !== 'front' && side !== 'back') throw errors.illegalArgument(`invalid side: ${side}`);
    const min = parameters.integer('min_gram', 1);
    const max = parameters.integer('max_gram', 2);
    if (min < 1) throw errors.illegalArgument('minGram must be greater than zero');
    if (min > max) throw errors.illegalArgument('minGram must not be greater than maxGram');
    return edgeNgramFilter(name, min, max, side === 'back', parameters.boolean('preserve_original', false));
  },
};
