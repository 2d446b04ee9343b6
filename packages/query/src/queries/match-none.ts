import { isPlainObject } from '@shoal/json';
import { refuseNested } from '../full-text/match-options.js';
import { readOptions } from '../parse/options.js';
import type { QueryType } from '../parsed-query.js';
import { nonePlan } from '../plan-query.js';

const REASON = 'User requested "match_none" query.';

/** No document. */
export const matchNone: QueryType = {
  name: 'match_none',
  parse: (body) => {
    const given = isPlainObject(body) ? body : {};
    refuseNested('match_none', given);
    const { boost, queryName } = readOptions('match_none', given, {});
    return { type: 'match_none', boost, queryName, plan: () => nonePlan(REASON), isNone: () => true };
  },
};
