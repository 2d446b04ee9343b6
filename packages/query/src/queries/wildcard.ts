import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { wildcardMatches } from '../automata/wildcard.js';
import { boolean, readFieldClause, textOrNull } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { noFieldPlan } from '../plan-query.js';
import { indexFieldValue, indexPlan, isIndexField, isNoneOnField } from './metadata-fields.js';
import { patternField, rewriteMethod, termOfPattern } from './pattern-field.js';

/** Terms that match a pattern of `*` and `?`. */
export const wildcard: QueryType = { name: 'wildcard', parse: (body) => parse(body as JsonObject) };

function parse(body: JsonObject): ParsedQuery {
  const { field, options } = readFieldClause('wildcard', body, 'value', {
    value: textOrNull,
    wildcard: textOrNull,
    rewrite: textOrNull,
    case_insensitive: boolean,
  });
  const value = options.value ?? options.wildcard;
  if (value === undefined || value === null) throw errors.illegalArgument('value cannot be null');
  const { boost, queryName, rewrite, case_insensitive: caseInsensitive = false } = options;
  return {
    type: 'wildcard',
    boost,
    queryName,
    isNone: (context) => isNoneOnField(field, context, (name) => wildcardMatches(value, name)),
    plan: (context) => plan(field, value, caseInsensitive, rewrite ?? null, context),
  };
}

function plan(
  field: string,
  value: string,
  caseInsensitive: boolean,
  rewrite: string | null,
  context: PlanContext,
): Plan {
  if (isIndexField(field)) return indexPlan(wildcardMatches(value, indexFieldValue(field, context)), field, context);
  const type = patternField('wildcard', field, context);
  if (type === null) return noFieldPlan('wildcard');
  return patternPlan(
    type,
    normalizePattern(value, (part) => termOfPattern(type, part)),
    caseInsensitive,
    rewriteMethod(rewrite, 'constant_score_blended'),
  );
}

/**
 * Returns the plan of the terms of a mapped field that match a pattern. Literal parts are normalised like the field's
 * terms.
 */
export function wildcardPlan(
  type: FieldType,
  value: string,
  caseInsensitive = false,
  rewrite = 'constant_score_blended',
): Plan {
  return patternPlan(
    type,
    normalizePattern(value, (part) => type.normalize(part)),
    caseInsensitive,
    rewrite,
  );
}

function patternPlan(type: FieldType, pattern: string, caseInsensitive: boolean, rewrite: string): Plan {
  return {
    kind: 'multiTerm',
    field: type.name,
    match: { kind: 'wildcard', pattern, caseInsensitive },
    rewrite,
    boost: 1,
  };
}

/** Normalises the literal parts of a pattern; keeps wildcards and escapes. */
function normalizePattern(pattern: string, normalize: (part: string) => string): string {
  return pattern
    .split(/(\\.|[*?]+)/su)
    .map((part) => (/^(\\.|[*?]+)$/su.test(part) ? part : part === '' ? '' : normalize(part)))
    .join('');
}
