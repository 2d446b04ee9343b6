import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { type OptionPlace, parseWrapped, readOptions, text, unsupportedValue } from '../parse/options.js';
import { parseField, parsingAt } from '../parse/parse-field.js';
import type { ParsedQuery, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { rewrittenToNone } from '../plan-query.js';

/** Documents by `_id`. */
export const ids: QueryType = { name: 'ids', parse: (body) => parse(body as JsonObject) };

function parse(body: JsonObject): ParsedQuery {
  const {
    values = [],
    boost,
    queryName,
  } = parseWrapped(() => readOptions('ids', body, { values: idList }, 'declared'));
  return {
    type: 'ids',
    boost,
    queryName,
    isNone: () => values.length === 0,
    plan: () => (values.length === 0 ? rewrittenToNone('ids') : idsPlan(values)),
  };
}

/** Returns the plan of documents by `_id`. */
export function idsPlan(values: readonly string[]): Plan {
  if (values.includes('')) throw errors.illegalArgument("Ids can't be empty");
  return { kind: 'ids', ids: values, boost: 1 };
}

function idList(value: unknown, { container, key }: OptionPlace): string[] {
  const name = String(key);
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) throw unsupportedValue('ids', name, container as JsonObject);
  return parseField('ids', container, name, () =>
    value.map((id, i) => parsingAt({ container: value, key: i }, () => oneId(id, value, i))),
  );
}

function oneId(id: unknown, container: object, key: number): string {
  if (Array.isArray(id)) throw errors.refusedState('expected value but got [START_ARRAY]');
  return text(id, { type: 'ids', container, key });
}
