import { errors, toApiError } from '@shoal/errors';
import { parseContext, parseQuery } from '@shoal/query';
import { withPositions } from '../error-position.js';
import { encodeJson } from '../json-bytes.js';

/** Throws if the filter of an alias is not a query. Positions in the error count from the start of the filter. */
export function checkAliasFilter(alias: string, filter: Readonly<Record<string, unknown>>): void {
  try {
    withPositions(encodeJson(filter), filter, () => parseQuery(filter, parseContext()));
  } catch (error) {
    throw errors.illegalArgument(`failed to parse filter for alias [${alias}]`, { cause: toApiError(error) });
  }
}
