import { type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { type Reader, readOptions, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { constantPlan, rewrittenToNone, shardError } from '../plan-query.js';
import { boolPlan } from './bool.js';

/** Documents with a value of a field, or of a field below an object. */
export const exists: QueryType = { name: 'exists', parse: (body, container) => parse(body as JsonObject, container) };

function parse(body: JsonObject, container: object): ParsedQuery {
  const { field, boost, queryName } = readOptions('exists', body, { field: fieldName });
  if (field === undefined) {
    throw errors.parsing('[exists] must be provided with a [field]', {
      location: { container, key: 'exists', at: 'end' },
    });
  }
  return {
    type: 'exists',
    boost,
    queryName,
    isNone: (context) => !field.startsWith('_') && fieldsOf(field, context).length === 0,
    plan: (context) => constantPlan(existsPlan(field, context)),
  };
}

const fieldName: Reader<string> = (value, place) => {
  if (typeof value !== 'object') return text(value, place);
  throw errors.parsing(`[exists] unknown token [${tokenOf(value)}] after [${place.key}]`, {
    location: { container: place.container, key: place.key },
  });
};

const ON_EVERY_DOCUMENT = ['_id', '_index', '_seq_no', '_version', '_primary_term'];

/** Returns the plan of `exists` on a field, a pattern or an object; it matches nothing when no such field is mapped. */
export function existsPlan(field: string, context: PlanContext): Plan {
  if (ON_EVERY_DOCUMENT.includes(field)) return { kind: 'all', boost: 1 };
  if (field === '_source') throw shardError(context.searcher, 'The _source field is not searchable');
  if (field === '_routing' || field === '_ignored') return { kind: 'exists', field, boost: 1 };
  const fields = fieldsOf(field, context);
  const plans = fields.map((name): Plan => ({ kind: 'exists', field: name, boost: 1 }));
  if (plans.length === 0) return rewrittenToNone('exists');
  return plans.length === 1 ? plans[0]! : boolPlan({ should: plans });
}

function fieldsOf(field: string, { searcher }: PlanContext): string[] {
  const { mapping } = searcher;
  const direct = mapping.field(field);
  if (direct !== null) return [direct.name];
  const pattern = field.includes('*') ? field : `${field}.*`;
  return mapping.matching(pattern).map((type) => type.name);
}
