import { bitSet, type TermsReader } from '@shoal/segments';
import type { Matcher } from '../../matcher.js';
import { markPostings } from '../score.kernel.js';
import { BitSetMatcher } from './bit-set-matcher.js';
import { TermMatcher } from './term-matcher.js';

/** Returns documents with any of some terms, by ordinal, without scores; null when there is none. */
export function unionMatcher(terms: TermsReader, ordinals: ArrayLike<number>, maxDoc: number): Matcher | null {
  if (ordinals.length === 0) return null;
  if (ordinals.length === 1) return new TermMatcher(terms, ordinals[0]!, null, null, 0);
  const bits = bitSet(maxDoc);
  let postings = terms.postings(ordinals[0]!);
  for (let i = 0; i < ordinals.length; i++) {
    if (i > 0) postings = terms.postings(ordinals[i]!, postings);
    while (postings.nextBlock() > 0) markPostings(postings.docs, 0, postings.size, 0, bits.words);
  }
  return new BitSetMatcher(bits, 0);
}
