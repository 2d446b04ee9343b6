import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { type OptionPlace, readOptions, text } from '../parse/options.js';
import type { ParsedQuery, QueryType } from '../parsed-query.js';
import { nonePlan } from '../plan-query.js';

/** Documents by `_id`. */
export const ids: QueryType = { name: 'ids', parse: (body) => parse(body as JsonObject) };

function parse(body: JsonObject): ParsedQuery {
  const { values = [], boost, queryName } = readOptions('ids', body, { values: idList }, 'declared');
  return {
    type: 'ids',
    boost,
    queryName,
    plan: () =>
      values.length === 0 ? nonePlan('Missing ids in "ids" query.') : { kind: 'ids', ids: values, boost: 1 },
  };
}

function idList(value: unknown, place: OptionPlace): string[] {
  return (Array.isArray(value) ? value : [value]).map((id) => oneId(id, place));
}

function oneId(id: unknown, place: OptionPlace): string {
  if (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint') return text(id, place);
  throw errors.illegalArgument(
    'Illegal value for id, expecting a string or number, got: ' + (id === null ? 'VALUE_NULL' : typeof id),
  );
}
