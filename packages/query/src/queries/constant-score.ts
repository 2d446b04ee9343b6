import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { readOptions } from '../parse/options.js';
import type { ParsedQuery, QueryContext, QueryType } from '../parsed-query.js';
import { constantPlan, isNoneQuery, planQuery } from '../plan-query.js';

/** Documents that a filter matches, with one score. */
export const constantScore: QueryType = {
  name: 'constant_score',
  parse: (body, container, context) => parse(body as JsonObject, container, context),
};

function parse(body: JsonObject, container: object, context: QueryContext): ParsedQuery {
  const { filter, boost, queryName } = readOptions(
    'constant_score',
    body,
    {
      filter(value) {
        if (isPlainObject(value) || Array.isArray(value)) return context.parseQuery(value);
        throw errors.parsing('[constant_score] query does not support [filter]', {
          location: { container: body, key: 'filter' },
        });
      },
    },
    'plain',
  );
  if (filter === undefined) {
    throw errors.parsing("[constant_score] requires a 'filter' element", {
      location: { container, key: 'constant_score', at: 'end' },
    });
  }
  return {
    type: 'constant_score',
    boost,
    queryName,
    isNone: (planContext) => isNoneQuery(filter, planContext),
    plan: (planContext) => constantPlan(planQuery(filter, planContext)),
  };
}
