import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { parseQuery } from '../../parse/parse-query.js';
import type { ParsedQuery } from '../../parsed-query.js';
import { planQuery } from '../../plan-query.js';
import { boolPlan } from '../../queries/bool.js';
import { ARRAY, type SearchSection, type SectionSite } from '../section.js';

/** `sub_searches`: queries whose hits `rank` makes one list. */
export const subSearches: SearchSection<readonly ParsedQuery[]> = {
  keys: ['sub_searches'],
  tokens: ARRAY,
  absent: [],
  parse: (value, site) => (value as unknown[]).map((_, i) => parseOne(value as unknown[], i, site)),
};

function parseOne(all: readonly unknown[], i: number, { body, context }: SectionSite): ParsedQuery {
  if (body['query'] !== undefined)
    throw errors.illegalArgument('cannot specify field [query] and field [sub_searches]');
  const one = all[i];
  const place = { container: all, key: i };
  if (!isPlainObject(one))
    throw errors.parsing(`malformed query within the [sub_searches] field; found ${tokenOf(one)}`, { location: place });
  const unknown = Object.keys(one).find((key) => key !== 'query');
  if (unknown !== undefined)
    throw errors.xContentParse(`[sub_searches] unknown field [${unknown}]`, {
      location: { container: one, key: unknown },
    });
  if (!isPlainObject(one['query'])) throw errors.illegalArgument('Required [query]');
  return parseQuery(one['query'] as JsonObject, context);
}

/** Returns the query that any of several matches; their scores add up. */
export function anyOf(queries: readonly ParsedQuery[]): ParsedQuery {
  if (queries.length === 1) return queries[0]!;
  return {
    type: 'bool',
    boost: 1,
    queryName: null,
    plan: (context) => boolPlan({ should: queries.map((one) => planQuery(one, context)) }),
  };
}
