import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { any, readOptions } from '../parse/options.js';
import type { ParsedQuery, QueryType } from '../parsed-query.js';
import { allowsExpensive } from '../plan-query.js';
import { parseSearchScript, plannedScript } from '../scripts/segment-script.js';

/** Documents for which a script says true. */
export const script: QueryType = {
  name: 'script',
  parse,
};

function parse(body: unknown, container: object): ParsedQuery {
  if (!isPlainObject(body))
    throw errors.parsing('[script] query malformed, no start_object after query name', {
      location: { container, key: 'script' },
    });
  const options = readOptions('script', body as JsonObject, { script: any });
  if (options.script === undefined)
    throw errors.parsing('script must be provided with a [script] query', { location: { container: body, at: 'end' } });
  if (Array.isArray(options.script))
    throw errors.parsing(
      '[script] query does not support an array of scripts. Use a bool query with a clause per script instead.',
      { location: { container: body, key: 'script' } },
    );
  const given = parseSearchScript(options.script, 'filter');
  const { boost, queryName } = options;
  return {
    type: 'script',
    boost,
    queryName,
    plan: (planContext) => {
      if (!allowsExpensive(planContext))
        throw errors.exception(
          "[script] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
          { status: 400 },
        );
      plannedScript(given, planContext);
      return { kind: 'script', script: given, boost: 1 };
    },
  };
}
