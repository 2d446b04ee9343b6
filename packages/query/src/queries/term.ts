import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { FieldType, Mapping, ValueQuery } from '@shoal/mapping';
import { completionTermPlan } from '../full-text/completion-plan.js';
import { any, boolean, multipleFields, readOptions } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { constantPlan, noFieldPlan, nonePlan, shardError } from '../plan-query.js';
import { isNoneOnField, metadataValue } from './metadata-fields.js';
import { isPatternSearched } from './pattern-field.js';
import { tokenPlan } from './token-plan.js';

/** An exact value of a field. */
export const term: QueryType = { name: 'term', parse: (body, container) => parse(body as JsonObject, container) };

function parse(body: JsonObject, _container: object): ParsedQuery {
  const [field, second] = Object.keys(body);
  if (field === undefined) throw errors.illegalArgument('field name is null or empty');
  const clause = body[field];
  if (Array.isArray(clause)) throw arrayOfValues(body, field);
  if (second !== undefined) throw multipleFields('term', field, second, body);
  if (clause === null) throw errors.illegalArgument('field name is null or empty');
  const options = isPlainObject(clause) ? readOptions('term', clause, { value: any, case_insensitive: boolean }) : null;
  const value = options === null ? clause : options.value;
  if (value === undefined || value === null) throw errors.illegalArgument('value cannot be null');
  if (Array.isArray(value)) throw arrayForValue(clause as JsonObject);
  const caseInsensitive = options?.case_insensitive ?? false;
  return {
    type: 'term',
    boost: options?.boost ?? 1,
    queryName: options?.queryName ?? null,
    isNone: (context) => isNoneOnField(field, context, (name) => name === String(value)),
    plan: (context) => (caseInsensitive ? insensitiveTerm(field, value, context) : termPlan(field, value, context)),
  };
}

function arrayOfValues(container: object, key: string): Error {
  return errors.parsing('[term] query does not support array of values', { location: { container, key } });
}

function arrayForValue(clause: JsonObject): Error {
  const reason =
    '[term] query does not support arrays for value - use a bool query with multiple term clauses in the should ' +
    'section or use a Terms query if scoring is not required';
  return errors.parsing(reason, { location: { container: clause, key: 'value' } });
}

/** Returns the plan of one exact value; it matches nothing for an unmapped field. */
export function termPlan(field: string, value: unknown, context: PlanContext): Plan {
  const metadata = metadataValue(field, value, context);
  if (metadata !== null) return metadata;
  const type = context.searcher.mapping.field(field);
  if (type === null) return noFieldPlan('term');
  const query = type.termQuery(value, context);
  if (type.capabilities.completes && query.kind === 'term')
    return completionTermPlan(type, query.term, context.searcher);
  const plan = valuePlan(type, query, context.searcher.mapping);
  return type.valueKind === 'boolean' && plan.kind === 'value' && type.layout?.points
    ? { ...plan, isTerm: true }
    : plan;
}

/**
 * Returns the plan of a query that a field type made of a value or of bounds. Only terms of texts, keywords and
 * booleans are scored, and tokens by their weights.
 */
export function valuePlan(type: FieldType, query: ValueQuery, _mapping: Mapping): Plan {
  if (query.kind === 'none') return nonePlan(query.reason ?? `no value of [${type.name}] matches`);
  if (query.kind !== 'term') return { kind: 'value', field: type.name, query, boost: 1 };
  const { layout, name } = type;
  if (layout !== null && layout.terms === null)
    return constantPlan({ kind: 'terms', field: name, terms: [query.term], boost: 1 });
  if (type.typeName === 'sparse_vector') return tokenPlan(name, query.term, 1);
  const plan: Plan = { kind: 'term', field: name, term: query.term, boost: 1 };
  return isScored(type) ? plan : constantPlan(plan);
}

/** Returns whether terms of the field are scored by BM25. */
export function isScored(type: FieldType): boolean {
  return type.valueKind === 'keyword' || type.valueKind === 'boolean' || type.indexAnalyzer !== null;
}

/** Booleans are compared by the terms of their index, so a column does not do. */
function insensitiveBoolean(type: FieldType, value: unknown, context: PlanContext): Plan {
  if (!type.layout?.points)
    throw errors.illegalArgument(`Cannot search on field [${type.name}] since it is not indexed.`);
  return constantPlan(valuePlan(type, type.termQuery(value, context), context.searcher.mapping));
}

function insensitiveTerm(field: string, value: unknown, context: PlanContext): Plan {
  const type = context.searcher.mapping.field(field);
  if (type === null) return termPlan(field, value, context);
  if (type.valueKind === 'boolean') return insensitiveBoolean(type, value, context);
  if (!isPatternSearched(type)) {
    throw shardError(
      context.searcher,
      `[${type.name}] field which is of type [${type.typeName}], does not support case insensitive term queries`,
    );
  }
  type.requireSearchable();
  const pattern = type.normalize(String(value)).replace(/[\\*?]/g, '\\$&');
  const match = { kind: 'wildcard', pattern, caseInsensitive: true } as const;
  return { kind: 'multiTerm', field: type.name, match, rewrite: 'constant_score', boost: 1 };
}
