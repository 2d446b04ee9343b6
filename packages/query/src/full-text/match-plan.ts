import { isTextField } from './text-field.js';
import type { Analyzer } from '@shoal/analysis';
import { type ApiError, errors, isApiError } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { minimumShouldMatch } from '../parse/minimum-should-match.js';
import type { PlanContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan } from '../plan-query.js';
import { boolPlan } from '../queries/bool.js';
import { fuzzyPlan } from '../queries/fuzzy.js';
import { metadataValue } from '../queries/metadata-fields.js';
import { kindText, patternField, rewriteMethod } from '../queries/pattern-field.js';
import { prefixPlan } from '../queries/prefix.js';
import { termPlan } from '../queries/term.js';
import { analyzerFor, type MatchOptions } from './match-options.js';
import { completionPlan, isCompletion } from './completion-plan.js';
import { type TextPosition, textPositions } from './text-positions.js';

/**
 * Returns the plan of a text on one field; null when the text has no tokens and `zeroTerms` is `skip`. Fields that are
 * not analysed take the text as one value. With `lenient`, a value that the field cannot parse matches nothing instead
 * of failing.
 */
export function matchPlan(field: string, text: string, options: MatchOptions, context: PlanContext): Plan | null {
  const metadata = metadataValue(field, text, context);
  if (metadata) return metadata;
  const type = context.searcher.mapping.field(field);
  if (!type) return nonePlan(`unmapped fields [${field}]`);
  try {
    return fieldPlan(type, text, options, context);
  } catch (error) {
    if (!options.lenient || !isApiError(error)) throw error;
    return lenientFailure(field, error);
  }
}

/** Returns a plan that matches nothing, for a lenient query whose value the field could not parse. */
export function lenientFailure(field: string, error: ApiError): Plan {
  return nonePlan(`failed [${field}] query, caused by ${error.type}:[${error.reason}]`);
}

function fieldPlan(type: FieldType, text: string, options: MatchOptions, context: PlanContext): Plan | null {
  if (type.capabilities.refusesMatch) {
    throw errors.illegalArgument(`Field [${type.name}] of type [${type.typeName}] does not support match queries`);
  }
  if (options.fuzzyRewrite !== null) rewriteMethod(options.fuzzyRewrite, '');
  const analyzer = analyzerFor(type, options, context);
  if (analyzer && (type.searchAnalyzer || options.analyzer !== null))
    return analysedPlan(type, analyzer, text, options, context);
  if (options.kind === 'phrase_prefix') requirePhrasePrefix(type);
  if (options.kind === 'bool_prefix' && hasTerms(type)) return prefixPlan(type.name, type.normalize(text));
  return singleTerm(type, text, options, context);
}

function requirePhrasePrefix(type: FieldType): void {
  if (isTextField(type) && !isCompletion(type)) return;
  throw errors.illegalArgument(
    `Can only use phrase prefix queries on text fields - not on [${type.name}] which is ${kindText(type)}`,
  );
}

const hasTerms = (type: FieldType): boolean => isTextField(type) || type.valueKind === 'keyword';

function analysedPlan(
  type: FieldType,
  analyzer: Analyzer,
  text: string,
  options: MatchOptions,
  context: PlanContext,
): Plan | null {
  const positions = textPositions(analyzer, text, context.searcher.settings.maxClauseCount);
  if (positions.length === 0) return noTerms(options);
  if (options.kind === 'phrase_prefix') requirePhrasePrefix(type);
  if (isCompletion(type)) {
    if (options.kind === 'bool_prefix') patternField('prefix', type.name, context);
    else if (options.fuzziness !== null) patternField('fuzzy', type.name, context);
    return completionPlan(type, positions, context.searcher);
  }
  if (options.kind === 'phrase') return phrasePlan(type, positions, options, context);
  if (options.kind === 'phrase_prefix') return phrasePrefixPlan(type, positions, options);
  return clausesPlan(positions, options, (position, isLast) => positionPlan(type, position, isLast, options, context));
}

/** Returns the plan of a text without tokens, by option `zero_terms_query`; null to leave the clause out. */
export function noTerms(options: MatchOptions): Plan | null {
  if (options.zeroTerms === 'skip') return null;
  return options.zeroTerms === 'all'
    ? { kind: 'all', boost: 1 }
    : nonePlan('Matching no documents because no terms present');
}

/**
 * Joins the clauses of a text's positions by the operator. `minimum_should_match` counts optional clauses: with
 * `operator: and` there is none, so that any minimum above 0 matches nothing (Elasticsearch's
 * Queries.applyMinimumShouldMatch).
 */
export function clausesPlan(
  positions: readonly TextPosition[],
  options: MatchOptions,
  clause: (position: TextPosition, isLast: boolean) => Plan,
): Plan {
  const plans = positions.map((position, i) => clause(position, i === positions.length - 1));
  if (plans.length === 1) return plans[0]!;
  const isAnd = options.operator === 'AND';
  const spec = options.minimumShouldMatch;
  const minimum = spec === null ? 0 : minimumShouldMatch(spec, isAnd ? 0 : plans.length);
  return boolPlan({ [isAnd ? 'must' : 'should']: plans, minimumShouldMatch: minimum });
}

function positionPlan(
  type: FieldType,
  { terms }: TextPosition,
  isLast: boolean,
  options: MatchOptions,
  context: PlanContext,
): Plan {
  if (isTextField(type)) type.requireSearchable();
  if (isLast && options.kind === 'bool_prefix') {
    patternField('prefix', type.name, context);
    return anyOf(terms.map((term) => prefixPlan(type.name, term)));
  }
  if (terms.length > 1 && isTextField(type)) return { kind: 'synonym', field: type.name, terms, boost: 1 };
  return anyOf(terms.map((term) => singleTerm(type, term, options, context)));
}

const anyOf = (plans: readonly Plan[]): Plan => (plans.length === 1 ? plans[0]! : boolPlan({ should: plans }));

/** Returns the plan of one analysed term; with fuzziness, of similar terms. */
function singleTerm(type: FieldType, term: string, options: MatchOptions, context: PlanContext): Plan {
  if (options.fuzziness === null) return exactTerm(type, term, context);
  patternField('fuzzy', type.name, context);
  const maxEdits = options.fuzziness(term);
  if (maxEdits === 0) return exactTerm(type, term, context);
  const { prefixLength, maxExpansions, transpositions } = options;
  const rewrite = rewriteMethod(options.fuzzyRewrite, `top_terms_blended_freqs_${maxExpansions}`);
  return fuzzyPlan(type.name, term, { maxEdits, prefixLength, maxExpansions, transpositions, rewrite });
}

/**
 * Returns the plan of one exact term. Terms of analysed fields are terms of the index; other fields parse the value as
 * a `term` query does.
 */
export function exactTerm(type: FieldType, term: string, context: PlanContext): Plan {
  return isTextField(type) ? { kind: 'term', field: type.name, term, boost: 1 } : termPlan(type.name, term, context);
}

function requirePositions(type: FieldType): void {
  if (!isTextField(type))
    throw errors.illegalArgument(
      `Can only use phrase queries on text fields - not on [${type.name}] which is ${kindText(type)}`,
    );
  if (type.layout?.terms?.positions) return;
  throw errors.refusedState(`field:[${type.name}] was indexed without position data; cannot run PhraseQuery`);
}

function phrasePlan(
  type: FieldType,
  positions: readonly TextPosition[],
  options: MatchOptions,
  context: PlanContext,
): Plan {
  if (positions.length === 1) return positionPlan(type, positions[0]!, false, { ...options, fuzziness: null }, context);
  requirePositions(type);
  return phrase(type.name, positions, options.slop, false, options.maxExpansions);
}

function phrasePrefixPlan(type: FieldType, positions: readonly TextPosition[], options: MatchOptions): Plan {
  if (positions.length > 1) requirePositions(type);
  return phrase(type.name, positions, options.slop, true, options.maxExpansions);
}

function phrase(
  field: string,
  positions: readonly TextPosition[],
  slop: number,
  prefixLast: boolean,
  maxExpansions: number,
): Plan {
  const first = positions[0]!.position;
  const terms = positions.map(({ terms: alternatives, position }) => ({
    terms: alternatives,
    position: position - first,
  }));
  return { kind: 'phrase', field, terms, slop, boost: 1, prefixLast, maxExpansions };
}
