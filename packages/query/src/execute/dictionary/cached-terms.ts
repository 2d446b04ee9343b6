import type { TermMatch } from '../../plan.js';
import type { Searcher } from '../../searcher.js';
import { termFinder } from './find-terms.js';
import type { TermFinder } from './term-finder.js';

/** Use of a predicate from which its terms are cached. Predicates that are used once or twice must not evict others. */
const CACHED_USE = 3;
/** Longest list that is cached: longer ones cost more in memory than they save in time. */
const CACHED_TERMS_MAX = 1 << 15;
const USAGE_BYTES = 16;

interface Usage {
  uses: number;
}

/**
 * Returns a finder that caches the terms found in sealed segments with the searcher; the terms of a sealed segment
 * never change.
 */
export function cachedTermFinder(match: TermMatch, searcher: Searcher): TermFinder {
  // A plain prefix needs only two look-ups in the dictionary, and so does each of many inputs.
  if ((match.kind === 'prefix' && !match.caseInsensitive) || match.kind === 'inputs') return termFinder(match);
  const key = JSON.stringify(match);
  let finder = null as TermFinder | null;
  const own = (): TermFinder => (finder ??= termFinder(match));
  // An invalid predicate throws here and is never cached. It is compiled at once, so that the request fails even where
  // no segment has terms.
  const usage = searcher.cache.get<Usage>(
    `predicate|${key}`,
    () => (own(), { value: { uses: 0 }, bytes: USAGE_BYTES }),
  );
  usage.uses++;
  return {
    find(_searcher, segment, field, terms) {
      const find = (): Int32Array => own().find(searcher, segment, field, terms);
      if (terms.isInMemory === true || usage.uses < CACHED_USE) return find();
      const kept = searcher.cache.get(`found|${segment.reader.id}|${field}|${key}`, () => {
        const found = find();
        const value = found.length > CACHED_TERMS_MAX ? null : found.slice();
        return { value, bytes: value?.byteLength ?? 0 };
      });
      return kept ?? find();
    },
    matches: (term) => own().matches(term),
  };
}
