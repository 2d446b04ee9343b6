import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { any, multipleFields, readOptions, text, unsupportedOption } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan, shardError } from '../plan-query.js';
import { requireColumn } from '../require-column.js';
import type { CoveringMinimum } from '../execute/covering-minimum.js';
import { parseSearchScript, plannedScript } from '../scripts/segment-script.js';
import { termPlan } from './term.js';

/** Documents that have at least as many of the terms as a numeric field of the document or a script says. */
export const termsSet: QueryType = { name: 'terms_set', parse: (body) => parse(body as JsonObject) };

function parse(body: JsonObject): ParsedQuery {
  const [field, second] = Object.keys(body);
  if (field === undefined)
    throw errors.parsing('[terms_set] unknown token [END_OBJECT]', { location: { container: body, at: 'end' } });
  if (second !== undefined) throw multipleFields('terms_set', field, second, body);
  const clause = body[field];
  if (!isPlainObject(clause))
    throw errors.parsing(`[terms_set] unknown token [${tokenOf(clause)}]`, {
      location: { container: body, key: field },
    });
  const options = readOptions('terms_set', clause, {
    terms: (value) => termsOf(value, clause),
    minimum_should_match_field: text,
    minimum_should_match_script: any,
  });
  const { terms = [], boost, queryName } = options;
  const minimum = minimumOf(options.minimum_should_match_field, options.minimum_should_match_script, terms.length);
  return { type: 'terms_set', boost, queryName, plan: (context) => plan(field, terms, minimum, context) };
}

function termsOf(value: unknown, clause: JsonObject): readonly unknown[] {
  if (!Array.isArray(value)) throw unsupportedOption('terms_set', 'terms', clause);
  const inner = value.findIndex((item) => Array.isArray(item));
  const empty = value.findIndex((item) => item === null);
  if (empty >= 0 && (inner < 0 || empty < inner))
    throw errors.parsing('No value specified for terms query', { location: { container: value, key: empty } });
  if (inner < 0) return value;
  throw errors.parsing('[terms_set] unknown token [END_ARRAY] after [terms]', {
    location: { container: value, at: 'end' },
  });
}

function minimumOf(field: string | undefined, script: unknown, terms: number): CoveringMinimum | null {
  if (field !== undefined && script !== undefined)
    throw errors.illegalArgument('A script has already been specified. Cannot specify both a field and script');
  if (script === undefined) return field === undefined ? null : { kind: 'field', field };
  const given = parseSearchScript(script, 'terms_set');
  return { kind: 'script', script: { ...given, params: Object.freeze({ ...given.params, num_terms: terms }) } };
}

function plan(field: string, terms: readonly unknown[], minimum: CoveringMinimum | null, context: PlanContext): Plan {
  if (terms.length === 0) return nonePlan('No terms supplied for "terms_set" query.');
  if (minimum === null) throw errors.refusedState('No minimum should match has been specified');
  const bound = bindMinimum(minimum, context);
  const should = terms.map((value) => termPlan(field, value, context));
  return { kind: 'covering', plans: should, minimum: bound, boost: 1 };
}

function bindMinimum(minimum: CoveringMinimum, context: PlanContext): CoveringMinimum {
  const { searcher } = context;
  if (minimum.kind === 'script') {
    plannedScript(minimum.script, context);
    return minimum;
  }
  const count = searcher.mapping.field(minimum.field);
  if (count === null) throw shardError(searcher, `failed to find minimum_should_match field [${minimum.field}]`);
  requireColumn(count, searcher);
  return { kind: 'field', field: count.name };
}
