import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { boolean, readFieldClause, text, textOrNull } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { noFieldPlan } from '../plan-query.js';
import { indexFieldValue, indexPlan, isIndexField, isNoneOnField } from './metadata-fields.js';
import { patternField, rewriteMethod, termOfPattern } from './pattern-field.js';

/** Terms that begin with a text. */
export const prefix: QueryType = { name: 'prefix', parse: (body) => parse(body as JsonObject) };

interface Options {
  readonly value: string;
  readonly caseInsensitive: boolean;
  readonly rewrite: string | null;
}

function parse(body: JsonObject): ParsedQuery {
  const { field, options } = readFieldClause('prefix', body, 'value', {
    value: textOrNull,
    prefix: textOrNull,
    rewrite: textOrNull,
    case_insensitive: boolean,
  });
  const value = options.value ?? options.prefix;
  if (value === undefined || value === null) throw errors.illegalArgument('value cannot be null');
  const given: Options = {
    value,
    caseInsensitive: options.case_insensitive ?? false,
    rewrite: options.rewrite ?? null,
  };
  return {
    type: 'prefix',
    boost: options.boost,
    queryName: options.queryName,
    isNone: (context) => isNoneOnField(field, context, (name) => name.startsWith(value)),
    plan: (context) => plan(field, given, context),
  };
}

function plan(field: string, { value, caseInsensitive, rewrite }: Options, context: PlanContext): Plan {
  if (isIndexField(field)) return indexPlan(indexFieldValue(field, context).startsWith(value), field, context);
  const type = patternField('prefix', field, context);
  if (type === null) return noFieldPlan('prefix');
  return prefixPlan(
    type.name,
    termOfPattern(type, text(value, { type: 'prefix', container: {}, key: field })),
    caseInsensitive,
    rewriteMethod(rewrite, 'constant_score_blended'),
  );
}

/** Returns the plan of the terms of a mapped field that begin with a normalised text. */
export function prefixPlan(
  field: string,
  value: string,
  caseInsensitive = false,
  rewrite = 'constant_score_blended',
): Plan {
  return { kind: 'multiTerm', field, match: { kind: 'prefix', prefix: value, caseInsensitive }, rewrite, boost: 1 };
}
