import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { isTextField } from '../full-text/text-field.js';
import type { PlanContext } from '../parsed-query.js';
import { allowsExpensive, shardError } from '../plan-query.js';

/**
 * Returns the field whose terms a prefix, wildcard, regexp or fuzzy query searches; null when it is not mapped. Throws
 * for other types of fields, and for expensive queries if the cluster does not allow them.
 */
export function patternField(query: string, field: string, context: PlanContext): FieldType | null {
  refuseExpensive(query, context);
  const type = context.searcher.mapping.field(field);
  if (type === null) {
    if (WITHOUT_PATTERNS.has(field)) throw withoutPatterns(query, field, `of type [${field}]`, context);
    return null;
  }
  if (type.keyOf !== undefined && query !== 'prefix')
    throw errors.unsupportedOperation(`[${query}] queries are not currently supported on keyed [flattened] fields.`);
  if (isPatternSearched(type)) {
    type.requireSearchable();
    return type;
  }
  throw withoutPatterns(query, type.name, kindText(type), context, type.runtime !== undefined && !isLookup(type));
}

const isLookup = ({ runtime }: FieldType): boolean => runtime?.lookup !== undefined;

/** Metadata fields that mappings do not list and whose terms, if there are any, patterns do not describe. */
const WITHOUT_PATTERNS: ReadonlySet<string> = new Set([
  '_id',
  '_index',
  '_seq_no',
  '_version',
  '_source',
  '_field_names',
  '_doc_count',
]);

function withoutPatterns(query: string, field: string, kind: string, context: PlanContext, isRuntime = false): Error {
  const kinds = query === 'regexp' || query === 'fuzzy' ? 'keyword and text' : 'keyword, text and wildcard';
  const reason = `Can only use ${query} queries on ${kinds} fields - not on [${field}] which is ${kind}`;
  return query === 'fuzzy' || isRuntime ? errors.illegalArgument(reason) : shardError(context.searcher, reason);
}

/** Returns the type of a field as errors of queries name it. */
export function kindText(type: FieldType): string {
  const kind = `of type [${type.typeName}]`;
  return type.runtime === undefined || isLookup(type) ? kind : `a runtime field ${kind}`;
}

/** Returns whether the terms of a field are texts that patterns describe. */
export function isPatternSearched(type: FieldType): boolean {
  return type.capabilities.hasPatterns || type.valueKind === 'keyword';
}

/**
 * Returns the text of a pattern in the form of the field's terms. Keywords are normalised. Texts stay as they are: the
 * syntax of query_string has normalised them before.
 */
export function termOfPattern(type: FieldType, text: string): string {
  return isTextField(type) ? text : type.normalize(text);
}

function refuseExpensive(query: string, context: PlanContext): void {
  if (allowsExpensive(context)) return;
  const hint = query === 'prefix' ? ' For optimised prefix queries on text fields please enable [index_prefixes].' : '';
  throw errors.exception(
    `[${query}] queries cannot be executed when 'search.allow_expensive_queries' is set to false.${hint}`,
    { status: 400 },
  );
}

const REWRITES = /^(constant_score(_blended|_boolean)?|scoring_boolean|top_terms(_boost|_blended_freqs)?_\d+)$/;

const isInt = (text: string): boolean => /^\d+$/.test(text) && Number(text) < 2 ** 31;

/** Checks the name of a rewrite method; returns `fallback` when none was given. */
export function rewriteMethod(name: string | null | undefined, fallback: string): string {
  if (name === undefined || name === null) return fallback;
  // What follows the first digit has to be a number, whatever comes before it.
  const size = /\d.*$/s.exec(name)?.[0];
  if (size !== undefined && !isInt(size)) throw errors.numberFormat(`For input string: "${size}"`);
  if (REWRITES.test(name)) return name;
  throw errors.illegalArgument(`Failed to parse rewrite_method [${name}]`);
}
