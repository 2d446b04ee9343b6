import { type ApiError, errors } from '@shoal/errors';
import { matchesWildcard } from '@shoal/values';

const ID_MAX = 64;
const ID = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;

/** Throws illegal_argument_exception for an id that 8.12 refuses; `kind` is `job_id`, `datafeed_id` … */
export function checkId(kind: string, id: string): void {
  if (!ID.test(id))
    throw errors.illegalArgument(
      `Invalid ${kind}; '${id}' can contain lowercase alphanumeric (a-z and 0-9), hyphens or underscores; must start ` +
        'and end with alphanumeric',
    );
  if (id.length > ID_MAX)
    throw errors.illegalArgument(`Invalid ${kind}; '${id}' cannot contain more than ${ID_MAX} characters.`);
}

export const missingJob = (id: string): ApiError => errors.resourceNotFound(`No known job with id '${id}'`);

/** Whether an expression names all. */
export const isAll = (expression: string): boolean => ['', '_all', '*'].includes(expression);

/**
 * Returns the items of an expression of ids and patterns, sorted by id. `aliases` are further names of an item. Throws
 * `missing` for a name that matches nothing, and for a pattern unless `allowNoMatch`.
 */
export function selectByExpression<T extends { readonly id: string }>(
  all: readonly T[],
  expression: string,
  allowNoMatch: boolean,
  missing: (name: string) => ApiError,
  aliases: (item: T) => readonly string[] = () => [],
): T[] {
  const patterns = isAll(expression) ? ['*'] : expression.split(',');
  const matches = (item: T, pattern: string): boolean =>
    [item.id, ...aliases(item)].some((name) => matchesWildcard(pattern, name));
  for (const pattern of patterns) {
    if (all.some((item) => matches(item, pattern))) continue;
    if (pattern.includes('*') && allowNoMatch) continue;
    throw missing(pattern);
  }
  const found = all.filter((item) => patterns.some((pattern) => matches(item, pattern)));
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}
