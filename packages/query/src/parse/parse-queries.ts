import { isPlainObject } from '@shoal/json';
import { type ApiError, type ErrorLocation, errors } from '@shoal/errors';
import { parsingAt } from './parse-field.js';
import type { ParsedQuery, QueryContext } from '../parsed-query.js';

/** Returns the error of a value that stands where a query is expected. */
export function malformedQuery(location?: ErrorLocation): ApiError {
  const reason = '[_na] query malformed, must start with start_object';
  return location === undefined ? errors.parsing(reason) : errors.parsing(reason, { location });
}

/** Limit on queries inside of one query: each is an object before its clauses can be counted. */
const QUERIES_MAX = 32_768;

/** Refuses more queries inside of one query than there may be. */
export function checkQueryCount(count: number): void {
  if (count > QUERIES_MAX)
    throw errors.tooManyNestedClauses(
      `Query contains too many nested clauses; maxClauseCount is set to ${QUERIES_MAX}`,
    );
}

/**
 * Parses one query or an array of them. One with more than may be is refused before any is parsed. As in Elasticsearch
 * a scalar in the array is skipped, if a query follows; otherwise the error is at what follows. Declared parsers refuse
 * an array in the array themselves.
 */
export function parseQueries(
  bodies: unknown,
  context: QueryContext,
  style: 'plain' | 'declared' = 'plain',
): ParsedQuery[] {
  if (!Array.isArray(bodies)) return [context.parseQuery(bodies)];
  checkQueryCount(bodies.length);
  const queries: ParsedQuery[] = [];
  for (let i = 0; i < bodies.length; i++) {
    const isQuery = typeof bodies[i] === 'object' && bodies[i] !== null;
    if (!isQuery) i++;
    if (Array.isArray(bodies[i]) && style === 'declared')
      return parsingAt({ container: bodies, key: i }, () => {
        throw errors.refusedState('expected value but got [START_ARRAY]');
      });
    if (Array.isArray(bodies[i])) throw malformedQuery({ container: bodies, key: i, at: 'next' });
    if (!isPlainObject(bodies[i]))
      throw malformedQuery(i < bodies.length ? { container: bodies, key: i } : { container: bodies, at: 'end' });
    queries.push(context.parseQuery(bodies[i]));
  }
  return queries;
}
