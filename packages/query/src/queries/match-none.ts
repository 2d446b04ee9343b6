import { isPlainObject } from '@shoal/json';
import { readOptions } from '../parse/options.js';
import type { QueryType } from '../parsed-query.js';
import { nonePlan } from '../plan-query.js';

/** No document. */
export const matchNone: QueryType = {
  name: 'match_none',
  parse: (body) => {
    const { boost, queryName } = readOptions('match_none', isPlainObject(body) ? body : {}, {});
    return { type: 'match_none', boost, queryName, plan: () => nonePlan('User requested "match_none" query.') };
  },
};
