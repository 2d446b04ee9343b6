import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { any, multipleFields, readOptions, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan, shardError } from '../plan-query.js';
import { termPlan } from './term.js';

/** Documents that have at least as many of the terms as a numeric field of the document says. */
export const termsSet: QueryType = { name: 'terms_set', parse: (body) => parse(body as JsonObject) };

function parse(body: JsonObject): ParsedQuery {
  const [field, second] = Object.keys(body);
  if (field === undefined)
    throw errors.parsing('[terms_set] unknown token [END_OBJECT]', { location: { container: body } as never });
  if (second !== undefined) throw multipleFields('terms_set', field, second, body);
  const clause = body[field];
  if (!isPlainObject(clause))
    throw errors.parsing(`[terms_set] unknown token [${typeof clause}] after [${field}]`, {
      location: { container: body, key: field },
    });
  const options = readOptions('terms_set', clause, {
    terms: (value) => (Array.isArray(value) ? value : [value]),
    minimum_should_match_field: text,
    minimum_should_match_script: any,
  });
  if (options.minimum_should_match_script !== undefined) {
    throw errors.parsing('[terms_set] query does not support [minimum_should_match_script]', {
      location: { container: clause, key: 'minimum_should_match_script' },
    });
  }
  const { terms = [], minimum_should_match_field: countField, boost, queryName } = options;
  return { type: 'terms_set', boost, queryName, plan: (context) => plan(field, terms, countField ?? null, context) };
}

function plan(field: string, terms: readonly unknown[], countField: string | null, context: PlanContext): Plan {
  if (terms.length === 0) return nonePlan('No terms supplied for "terms_set" query.');
  if (countField === null) throw errors.refusedState('No minimum should match has been specified');
  const count = context.searcher.mapping.field(countField);
  if (count === null) throw shardError(context.searcher, `failed to find minimum_should_match field [${countField}]`);
  const should = terms.map((value) => termPlan(field, value, context));
  return { kind: 'covering', plans: should, minimumField: count.name, boost: 1 };
}
