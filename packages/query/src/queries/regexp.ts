import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { regexpAutomaton } from '../automata/regexp.js';
import { regexpFlags } from '../automata/regexp-flags.js';
import { boolean, int, readFieldClause, text, textOrNull } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan } from '../plan-query.js';
import { patternField, rewriteMethod } from './pattern-field.js';

/** Terms that match a regular expression of Lucene's syntax as a whole. */
export const regexp: QueryType = { name: 'regexp', parse: (body) => parse(body as JsonObject) };

interface Options {
  readonly pattern: string;
  readonly flags: number;
  readonly maxDeterminizedStates: number;
  readonly caseInsensitive: boolean;
  readonly rewrite: string | null;
}

const MAX_DETERMINIZED_STATES = 10000;

function parse(body: JsonObject): ParsedQuery {
  const { field, options } = readFieldClause('regexp', body, 'value', {
    value: textOrNull,
    flags: (value, place) => regexpFlags(text(value, place)),
    flags_value: int,
    max_determinized_states: int,
    rewrite: textOrNull,
    case_insensitive: boolean,
  });
  if (options.value === undefined || options.value === null) throw errors.illegalArgument('value cannot be null');
  const given: Options = {
    pattern: options.value,
    flags: options.flags ?? options.flags_value ?? regexpFlags('ALL'),
    maxDeterminizedStates: options.max_determinized_states ?? MAX_DETERMINIZED_STATES,
    caseInsensitive: options.case_insensitive ?? false,
    rewrite: options.rewrite ?? null,
  };
  return {
    type: 'regexp',
    boost: options.boost,
    queryName: options.queryName,
    plan: (context) => plan(field, given, context),
  };
}

function plan(field: string, { rewrite, ...given }: Options, context: PlanContext): Plan {
  checkRegexpLength(given.pattern, context);
  const type = patternField('regexp', field, context);
  if (type === null) return nonePlan(`unmapped field [${field}]`);
  // Compiled here only to throw syntax errors when the query is planned. The automaton that runs is compiled at
  // execution.
  regexpAutomaton(given.pattern, given.flags, given.caseInsensitive, given.maxDeterminizedStates);
  return {
    kind: 'multiTerm',
    field: type.name,
    match: { kind: 'regexp', ...given },
    rewrite: rewriteMethod(rewrite, 'constant_score_blended'),
    boost: 1,
  };
}

/** Throws illegal_argument_exception for patterns longer than `index.max_regex_length`. */
export function checkRegexpLength(pattern: string, { searcher }: PlanContext): void {
  const max = searcher.settings.maxRegexLength;
  if (pattern.length <= max) return;
  throw errors.illegalArgument(
    `The length of regex [${pattern.length}] used in the Regexp Query request has exceeded the allowed maximum of ` +
      `[${max}]. ` +
      'This maximum can be set by changing the [index.max_regex_length] index level setting.',
  );
}

/** Returns the plan of the terms of a mapped field that match a pattern as a whole, with all operators allowed. */
export function regexpPlan(field: string, pattern: string, maxDeterminizedStates: number, rewrite: string): Plan {
  const match = {
    kind: 'regexp',
    pattern,
    flags: regexpFlags('ALL'),
    caseInsensitive: false,
    maxDeterminizedStates,
  } as const;
  return { kind: 'multiTerm', field, match, rewrite, boost: 1 };
}
