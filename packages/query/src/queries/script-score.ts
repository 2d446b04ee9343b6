import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { any, float, readOptions } from '../parse/options.js';
import type { ParsedQuery, QueryContext, QueryType } from '../parsed-query.js';
import { allowsExpensive, isNoneQuery, planQuery } from '../plan-query.js';
import { parseSearchScript, plannedScript } from '../scripts/segment-script.js';

/** A query whose scores a script makes. */
export const scriptScore: QueryType = {
  name: 'script_score',
  parse: (body, _container, context) => parse(body as JsonObject, context),
};

function parse(body: JsonObject, context: QueryContext): ParsedQuery {
  const options = readOptions(
    'script_score',
    body,
    { query: (value) => context.parseQuery(value), script: any, min_score: float },
    'declared',
  );
  const { query, min_score: minScore = null, boost, queryName } = options;
  const missing = [query === undefined ? 'query' : null, options.script === undefined ? 'script' : null];
  const names = missing.filter((name) => name !== null);
  if (query === undefined || options.script === undefined)
    throw errors.illegalArgument(`Required [${names.join(', ')}]`);
  const script = parseSearchScript(options.script, 'score');
  return {
    type: 'script_score',
    // The boost multiplies what the script makes.
    boost: 1,
    queryName,
    isNone: (planContext) => isNoneQuery(query, planContext),
    plan: (planContext) => {
      if (!allowsExpensive(planContext))
        throw errors.exception(
          "[script score] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
          { status: 400 },
        );
      const usesScore = plannedScript(script, planContext).uses.variables.has('_score');
      const scored = { kind: 'script', script, usesScore, isQuery: true } as const;
      return {
        kind: 'functionScore',
        plan: planQuery(query, planContext),
        functions: [{ filter: null, weight: boost === 1 ? null : boost, function: scored }],
        scoreMode: 'multiply',
        boostMode: 'replace',
        maxBoost: Infinity,
        minScore,
        boost: 1,
      };
    },
  };
}
