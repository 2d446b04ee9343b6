import { isPlainObject, type JsonObject, readFields, textField } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { FieldType, ValueQuery } from '@shoal/mapping';
import { completionTermsPlan } from '../full-text/completion-plan.js';
import { checkBoost, float, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { constantPlan, noFieldPlan, nonePlan } from '../plan-query.js';
import { isNoneOnField, metadataTerm } from './metadata-fields.js';
import { valuePlan } from './term.js';

/** Any of many exact values, constant score. */
export const terms: QueryType = { name: 'terms', parse: (body, container) => parse(body as JsonObject, container) };

interface TermsParts {
  boost: number;
  queryName: string | null;
  field: string | null;
  /** Null until they are looked up. */
  values: readonly unknown[] | null;
}

function parse(body: JsonObject, container: object): ParsedQuery {
  const parts: TermsParts = { boost: 1, queryName: null, field: null, values: [] };
  for (const key of Object.keys(body)) readKey(body, key, parts);
  const { field, values, boost, queryName } = parts;
  if (field === null) throw missingField(container);
  const given = (): readonly unknown[] => {
    if (values === null) throw errors.unsupportedOperation('query must be rewritten first');
    return values;
  };
  const isValue = (name: string): boolean => given().map(String).includes(name);
  return {
    type: 'terms',
    boost,
    queryName,
    isNone: (context) => given().length === 0 || isNoneOnField(field, context, isValue),
    plan: (context) => plan(field, given(), context),
  };
}

function missingField(container: object): Error {
  return errors.parsing(
    '[terms] query requires a field name, followed by array of terms or a document lookup specification',
    {
      location: { container, key: 'terms', at: 'end' },
    },
  );
}

function readKey(body: JsonObject, key: string, parts: TermsParts): void {
  const value = body[key];
  const place = { type: 'terms', container: body, key };
  if (key === 'boost') parts.boost = checkBoost(float(value, place), 'terms', body);
  else if (key === '_name') parts.queryName = text(value, place);
  else if (Array.isArray(value) || isPlainObject(value)) readValues(body, key, parts);
  else if (value === null)
    throw errors.parsing(`[terms] unknown token [VALUE_NULL] after [${key}]`, { location: { container: body, key } });
  else throw errors.parsing(`[terms] query does not support [${key}]`, { location: { container: body, key } });
}

function readValues(body: JsonObject, key: string, parts: TermsParts): void {
  const value = body[key];
  if (parts.field !== null) {
    const reason = Array.isArray(value)
      ? '[terms] query does not support multiple fields'
      : `[terms] query does not support more than one field. Already got: [${parts.field}] but also found [${key}]`;
    throw errors.parsing(reason, { location: { container: body, key } });
  }
  if (!Array.isArray(value)) {
    checkLookup(value as JsonObject);
    parts.field = key;
    parts.values = null;
    return;
  }
  parts.field = key;
  parts.values = value.every((item) => typeof item !== 'object') ? value : readTokens(value, key);
}

/** One token of JSON with its place. */
interface Token {
  readonly kind: 'value' | 'START_ARRAY' | 'END_ARRAY' | 'START_OBJECT' | 'END_OBJECT';
  readonly value: unknown;
  readonly location: { readonly container: object; readonly key: string | number } | EndOf;
}

interface EndOf {
  readonly container: object;
  readonly at: 'end';
}

/** The tokens of the elements of an array, and that of its end. */
function* contentOf(array: readonly unknown[]): Generator<Token> {
  for (const [i, item] of array.entries()) yield* tokensOf(item, array, i);
  yield { kind: 'END_ARRAY', value: ']', location: { container: array, at: 'end' } };
}

function* tokensOf(value: unknown, container: object, key: string | number): Generator<Token> {
  const location = { container, key };
  if (Array.isArray(value)) {
    yield { kind: 'START_ARRAY', value: '[', location };
    yield* contentOf(value);
  } else if (isPlainObject(value)) {
    yield { kind: 'START_OBJECT', value: '{', location };
    for (const [name, item] of Object.entries(value)) {
      yield { kind: 'value', value: name, location: { container: value, key: name } };
      yield* tokensOf(item, value, name);
    }
    yield { kind: 'END_OBJECT', value: '}', location: { container: value, at: 'end' } };
  } else yield { kind: 'value', value, location };
}

/**
 * Reads an array with arrays or objects in it as 8.12 does: every token is a value, up to the first end of an array;
 * what follows is read as if it came after the array of values.
 */
function readTokens(array: readonly unknown[], key: string): readonly unknown[] {
  const values: unknown[] = [];
  let hasEnded = false;
  for (const token of contentOf(array)) {
    if (hasEnded) throw errors.parsing(afterValues(token, key), { location: token.location });
    if (token.kind === 'END_ARRAY') hasEnded = true;
    else if (token.value === null)
      throw errors.parsing('No value specified for terms query', { location: token.location });
    else values.push(token.value);
  }
  return values;
}

function afterValues({ kind, value }: Token, key: string): string {
  if (kind === 'START_ARRAY') return '[terms] query does not support multiple fields';
  if (kind === 'START_OBJECT')
    return `[terms] query does not support more than one field. Already got: [${key}] but also found [${key}]`;
  if (kind === 'value' && value !== null) return `[terms] query does not support [${key}]`;
  return `[terms] unknown token [${value === null ? 'VALUE_NULL' : kind}] after [${key}]`;
}

const LOOKUP = { index: textField(), id: textField(), path: textField(), routing: textField() };

/**
 * Throws for an incomplete look-up. The coordinator replaces look-ups by their values before a shard plans the query.
 */
function checkLookup(lookup: JsonObject): void {
  const parts = readFields('terms_lookup', lookup, LOOKUP);
  const missing = (['index', 'id', 'path'] as const).filter((key) => parts[key] === undefined);
  if (missing.length === 0) return;
  const error = errors.illegalArgument(`Required [${missing.join(', ')}]`);
  error.parserAt = { container: lookup, at: 'end' };
  throw error;
}

function plan(field: string, values: readonly unknown[], context: PlanContext): Plan {
  checkCount(values.length, context);
  if (values.length === 0) return nonePlan('The "terms" query was rewritten to a "match_none" query.');
  return termsPlan(field, values, context);
}

function checkCount(count: number, { searcher }: PlanContext): void {
  const max = searcher.settings.maxTermsCount;
  if (count <= max) return;
  throw errors.illegalArgument(
    `The number of terms [${count}] used in the Terms Query request has exceeded the allowed maximum of [${max}]. ` +
      'This maximum can be set by changing the [index.max_terms_count] index level setting.',
  );
}

/** Returns the plan of any of several exact values, constant score; it matches nothing for an unmapped field. */
export function termsPlan(field: string, values: readonly unknown[], context: PlanContext): Plan {
  const metadata = metadataTerm(field, values, context);
  if (metadata !== null) return metadata;
  const type = context.searcher.mapping.field(field);
  if (type === null) return noFieldPlan('terms');
  const queries = values.map((value) => type.termQuery(value, context)).filter((query) => query.kind !== 'none');
  if (queries.length === 0) return nonePlan(`no value of [${field}] matches`);
  return anyOf(type, queries, context);
}

function anyOf(type: FieldType, queries: readonly ValueQuery[], context: PlanContext): Plan {
  if (type.capabilities.completes)
    return completionTermsPlan(
      type,
      queries.map((query) => (query as { term: string }).term),
    );
  if (queries.every((query) => query.kind === 'term')) {
    return {
      kind: 'terms',
      field: type.name,
      terms: queries.map((query) => (query as { term: string }).term),
      boost: 1,
    };
  }
  if (queries.every((query) => query.kind === 'number' && query.low === query.high)) {
    return {
      kind: 'numbers',
      field: type.name,
      values: queries.map((query) => (query as { low: number }).low),
      boost: 1,
    };
  }
  const should = queries.map((query) => valuePlan(type, query, context.searcher.mapping));
  return constantPlan({ kind: 'bool', must: [], filter: [], should, mustNot: [], minimumShouldMatch: 1, boost: 1 });
}
