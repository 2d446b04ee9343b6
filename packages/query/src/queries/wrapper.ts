import { errors } from '@shoal/errors';
import { parseJson, type JsonObject } from '@shoal/json';
import { text } from '../parse/options.js';
import type { ParsedQuery, QueryContext, QueryType } from '../parsed-query.js';
import { planQuery } from '../plan-query.js';

/** A query given as base64 of its JSON. */
export const wrapper: QueryType = {
  name: 'wrapper',
  parse: (body, container, context) => parse(body as JsonObject, container, context),
};

function parse(body: JsonObject, container: object, context: QueryContext): ParsedQuery {
  const key = Object.keys(body)[0];
  if (key === undefined) throw malformed('[wrapper] query malformed', container);
  if (key !== 'query') throw malformed(`[wrapper] query malformed, expected \`query\` but was ${key}`, container);
  const base64 = text(body[key], { type: 'wrapper', container: body, key });
  if (Object.keys(body).length > 1)
    throw malformed('[wrapper] malformed query, expected [END_OBJECT] but found [FIELD_NAME]', container);
  if (base64 === '') throw errors.illegalArgument('query source text cannot be null or empty');
  const inner = context.parseQuery(parseJson(Buffer.from(base64, 'base64')));
  return { type: 'wrapper', boost: 1, queryName: null, plan: (planContext) => planQuery(inner, planContext) };
}

function malformed(reason: string, container: object): Error {
  return errors.parsing(reason, { location: { container, key: 'wrapper' } });
}
