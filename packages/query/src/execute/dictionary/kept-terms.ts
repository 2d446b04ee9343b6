import type { TermMatch } from '../../plan.js';
import type { Searcher } from '../../searcher.js';
import { termFinder, type TermFinder } from './find-terms.js';

/** A predicate's terms are kept from this request on: what is asked once only had better not push others out. */
const KEPT_USE = 3;
/** Longer lists cost more memory than it takes time to find them. */
const KEPT_TERMS_MAX = 1 << 15;
const USAGE_BYTES = 16;

interface Usage {
  uses: number;
}

/** A finder of terms that keeps with the searcher what it finds in sealed segments, whose terms stay as they are. */
export function keptTermFinder(match: TermMatch, searcher: Searcher): TermFinder {
  // A plain prefix is found by two looks into the dictionary.
  if (match.kind === 'prefix' && !match.caseInsensitive) return termFinder(match);
  const key = JSON.stringify(match);
  let finder = null as TermFinder | null;
  const own = (): TermFinder => (finder ??= termFinder(match));
  // A predicate at fault does not get in there: it is compiled each time, whether or not there are terms to look at.
  const usage = searcher.cache.get<Usage>(
    `predicate|${key}`,
    () => (own(), { value: { uses: 0 }, bytes: USAGE_BYTES }),
  );
  usage.uses++;
  return {
    find(_searcher, segment, field, terms) {
      const find = (): Int32Array => own().find(searcher, segment, field, terms);
      if (terms.isInMemory === true || usage.uses < KEPT_USE) return find();
      const kept = searcher.cache.get(`found|${segment.reader.id}|${field}|${key}`, () => {
        const found = find();
        const value = found.length > KEPT_TERMS_MAX ? null : found.slice();
        return { value, bytes: value?.byteLength ?? 0 };
      });
      return kept ?? find();
    },
    matches: (term) => own().matches(term),
  };
}
