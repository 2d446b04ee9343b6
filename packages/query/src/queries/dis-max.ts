import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { float, type OptionPlace, readOptions, unsupportedOption } from '../parse/options.js';
import { malformedQuery, parseQueries } from '../parse/parse-queries.js';
import type { ParsedQuery, QueryContext, QueryType } from '../parsed-query.js';
import { nonePlan, planQuery } from '../plan-query.js';

/** The best of its queries plus `tie_breaker` times the others. */
export const disMax: QueryType = {
  name: 'dis_max',
  parse: (body, container, context) => parse(body as JsonObject, container, context),
};

function parse(body: JsonObject, container: object, context: QueryContext): ParsedQuery {
  const {
    queries,
    tie_breaker: tieBreaker = 0,
    boost,
    queryName,
  } = readOptions('dis_max', body, {
    queries: (value: unknown, { container: body }: OptionPlace) => {
      if (typeof value !== 'object' || value === null) throw unsupportedOption('dis_max', 'queries', body);
      if (Array.isArray(value) && !isPlainObject(value[0]))
        throw malformedQuery(value.length === 0 ? { container: value, at: 'end' } : { container: value, key: 0 });
      return parseQueries(value, context);
    },
    tie_breaker: float,
  });
  if (queries === undefined) {
    throw errors.parsing("[dis_max] requires 'queries' field with at least one clause", {
      location: { container, key: 'dis_max', at: 'end' },
    });
  }
  return {
    type: 'dis_max',
    boost,
    queryName,
    plan: (planContext) => {
      const plans = queries.map((query) => planQuery(query, planContext));
      return plans.length === 0
        ? nonePlan('no clauses in dismax query.')
        : { kind: 'disMax', plans, tieBreaker, boost: 1 };
    },
  };
}
