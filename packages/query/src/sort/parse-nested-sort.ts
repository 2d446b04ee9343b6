import { errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { int, type OptionPlace, text } from '../parse/options.js';
import { parseQuery } from '../parse/parse-query.js';
import type { ParsedQuery, ParseContext } from '../parsed-query.js';
import type { NestedSort } from './sort-spec.js';

/** Parses `nested` of a sort: the path of nested objects, a filter for them, and nested objects below. */
export function parseNestedSort(value: unknown, context: ParseContext): NestedSort | null {
  if (!isPlainObject(value)) throw malformed('must start with an object');
  let nested: NestedSort = { path: '', filter: null, maxChildren: null, nested: null };
  for (const key of Object.keys(value)) {
    const inner = { type: 'nested', container: value, key };
    if (key === 'path') nested = { ...nested, path: text(value[key], inner) };
    else if (key === 'filter') nested = { ...nested, filter: parseFilter(value[key], inner, context) };
    else if (key === 'max_children') nested = { ...nested, maxChildren: int(value[key], inner) };
    else if (key === 'nested') nested = { ...nested, nested: parseNestedSort(value[key], context) };
    else throw malformed(`unknown field name [${key}]`, inner);
  }
  // Without a path 8.12 leaves the sort as it is.
  return nested.path === '' ? null : nested;
}

function malformed(why: string, place?: OptionPlace): Error {
  const error = errors.illegalArgument(`malformed nested sort format, ${why}`);
  if (place) error.parserAt = { container: place.container, key: place.key };
  return error;
}

function parseFilter(value: unknown, { container, key }: OptionPlace, context: ParseContext): ParsedQuery {
  try {
    return parseQuery(value, context);
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw errors.parsing('Expected filter element.', { cause: error, location: error.location ?? { container, key } });
  }
}
