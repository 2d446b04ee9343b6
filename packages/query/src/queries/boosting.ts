import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { float, readOptions } from '../parse/options.js';
import type { ParsedQuery, QueryContext, QueryType } from '../parsed-query.js';
import { isNoneQuery, planQuery } from '../plan-query.js';

/** Documents that `positive` matches, scored lower where `negative` matches too. */
export const boosting: QueryType = {
  name: 'boosting',
  parse: (body, container, context) => parse(body as JsonObject, container, context),
};

function parse(body: JsonObject, container: object, context: QueryContext): ParsedQuery {
  const options = readOptions('boosting', body, {
    positive: (value) => context.parseQuery(value),
    negative: (value) => context.parseQuery(value),
    negative_boost: float,
  });
  const fail = (reason: string): Error =>
    errors.parsing(reason, { location: { container, key: 'boosting', at: 'end' } });
  const { positive, negative, negative_boost: negativeBoost = -1 } = options;
  if (positive === undefined) throw fail("[boosting] query requires 'positive' query to be set'");
  if (negative === undefined) throw fail("[boosting] query requires 'negative' query to be set'");
  if (negativeBoost < 0) throw fail("[boosting] query requires 'negative_boost' to be set to be a positive value'");
  return {
    type: 'boosting',
    boost: options.boost,
    queryName: options.queryName,
    isNone: (planContext) => isNoneQuery(positive, planContext),
    plan: (planContext) =>
      isNoneQuery(positive, planContext)
        ? planQuery(positive, planContext)
        : {
            kind: 'boosting',
            positive: planQuery(positive, planContext),
            negative: planQuery(negative, planContext),
            negativeBoost,
            boost: 1,
          },
  };
}
