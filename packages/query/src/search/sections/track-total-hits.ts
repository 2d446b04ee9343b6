import { errors } from '@shoal/errors';
import { integerOf } from '../numbers.js';
import { type SearchSection, VALUE } from '../section.js';

/** Number of hits up to which totals are exact by default. */
const TOTAL_HITS_MAX_DEFAULT = 10_000;

/** `track_total_hits`: true for exact totals, false (or -1) for none, a number for totals exact up to it. */
export const trackTotalHits: SearchSection<boolean | number> = {
  keys: ['track_total_hits'],
  tokens: VALUE,
  absent: TOTAL_HITS_MAX_DEFAULT,
  parse(value) {
    if (typeof value === 'boolean' || value === 'true' || value === 'false') return String(value) === 'true';
    const limit = integerOf(value);
    if (limit === -1) return false;
    if (limit < -1)
      throw errors.illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${limit}`);
    return limit;
  },
};

/** Returns the number of hits up to which a shard counts: Infinity for all, 0 for none. */
export function totalHitsMax(tracked: boolean | number): number {
  if (typeof tracked === 'number') return tracked;
  return tracked ? Infinity : 0;
}
