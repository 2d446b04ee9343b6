import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { AUTO_FUZZINESS, type Fuzziness, fuzziness } from '../parse/fuzziness.js';
import { any, boolean, int, readFieldClause, textOrNull } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { rewrittenToNone } from '../plan-query.js';
import { isNoneOnField } from './metadata-fields.js';
import { patternField, rewriteMethod } from './pattern-field.js';
import { termPlan } from './term.js';

/** Terms within a few edits of a text. */
export const fuzzy: QueryType = { name: 'fuzzy', parse: (body) => parse(body as JsonObject) };

interface Options {
  readonly value: string;
  readonly fuzziness: Fuzziness;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly transpositions: boolean;
  readonly rewrite: string | null;
}

function parse(body: JsonObject): ParsedQuery {
  if (Object.keys(body).length === 0) throw errors.illegalArgument('field name cannot be null or empty');
  refuseArray(body);
  refuseNestedOptions(body);
  const { field, options } = readFieldClause('fuzzy', body, 'value', {
    value: any,
    term: any,
    fuzziness,
    prefix_length: int,
    max_expansions: int,
    transpositions: boolean,
    rewrite: textOrNull,
  });
  const value = options.value ?? options.term;
  if (value === undefined || value === null) throw errors.illegalArgument('query value cannot be null');
  const given: Options = {
    value: String(value),
    fuzziness: options.fuzziness ?? AUTO_FUZZINESS,
    prefixLength: options.prefix_length ?? 0,
    maxExpansions: options.max_expansions ?? 50,
    transpositions: options.transpositions ?? true,
    rewrite: options.rewrite ?? null,
  };
  return {
    type: 'fuzzy',
    boost: options.boost,
    queryName: options.queryName,
    isNone: (context) => isNoneOnField(field, context, () => true),
    plan: (context) => plan(field, given, context),
  };
}

function refuseArray(body: JsonObject): void {
  const field = Object.keys(body)[0];
  if (field === undefined || !Array.isArray(body[field])) return;
  throw errors.parsing(`[fuzzy] query doesn't support multiple fields, found [${field}] and [null]`, {
    location: { container: body[field], key: 0 },
  });
}

function refuseNestedOptions(body: JsonObject): void {
  const [clause] = Object.values(body);
  if (!isPlainObject(clause)) return;
  for (const key of Object.keys(clause)) {
    if (typeof clause[key] !== 'object' || clause[key] === null) continue;
    throw errors.parsing(`[fuzzy] unexpected token [${tokenOf(clause[key])}] after [${key}]`, {
      location: { container: clause, key },
    });
  }
}

function plan(field: string, options: Options, context: PlanContext): Plan {
  const type = patternField('fuzzy', field, context);
  if (type === null) return rewrittenToNone('fuzzy');
  const maxEdits = options.fuzziness(options.value);
  checkFuzzy(options);
  if (maxEdits === 0) return termPlan(field, options.value, context);
  return fuzzyPlan(type.name, options.value, {
    ...options,
    maxEdits,
    rewrite: rewriteMethod(options.rewrite, `top_terms_blended_freqs_${options.maxExpansions}`),
  });
}

/** Options by which a fuzzy plan selects terms. */
export interface FuzzyOptions {
  readonly maxEdits: number;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly transpositions: boolean;
  readonly rewrite?: string;
}

function checkFuzzy({ prefixLength, maxExpansions }: Pick<FuzzyOptions, 'prefixLength' | 'maxExpansions'>): void {
  if (prefixLength < 0) throw errors.illegalArgument('prefixLength cannot be negative.');
  if (maxExpansions <= 0) throw errors.illegalArgument('maxExpansions must be positive.');
}

/** Longest term of the index in bytes, as in Lucene; longer ones cannot be near any term. */
const TERM_LENGTH_MAX = 32_766;
const TERM_START_LENGTH = 10;

/**
 * Returns the plan of the terms of a mapped field within `maxEdits` of an analysed term: the `maxExpansions` nearest,
 * scored by blended frequencies.
 */
export function fuzzyPlan(field: string, term: string, options: FuzzyOptions): Plan {
  const { maxEdits, prefixLength, maxExpansions, transpositions } = options;
  checkFuzzy(options);
  if (term.length > TERM_LENGTH_MAX)
    throw errors.illegalArgument(
      `Term is longer than maximum indexable length, term starting with [${term.slice(0, TERM_START_LENGTH)}`,
    );
  const match = { kind: 'fuzzy', term, maxEdits, prefixLength, transpositions, maxExpansions } as const;
  return {
    kind: 'multiTerm',
    field,
    match,
    rewrite: options.rewrite ?? `top_terms_blended_freqs_${maxExpansions}`,
    boost: 1,
  };
}
