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
  if (type === null) return null;
  if (isPatternSearched(type)) {
    type.requireSearchable();
    return type;
  }
  if (query === 'fuzzy') {
    throw errors.illegalArgument(
      `Can only use fuzzy queries on keyword and text fields - not on [${type.name}] which is of type ` +
        `[${type.typeName}]`,
    );
  }
  const kinds = query === 'regexp' ? 'keyword and text' : 'keyword, text and wildcard';
  throw shardError(
    context.searcher,
    `Can only use ${query} queries on ${kinds} fields - not on [${type.name}] which is of type [${type.typeName}]`,
  );
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

/** Checks the name of a rewrite method; returns `fallback` when none was given. */
export function rewriteMethod(name: string | null | undefined, fallback: string): string {
  if (name === undefined || name === null) return fallback;
  if (REWRITES.test(name)) return name;
  throw errors.illegalArgument(`Failed to parse rewrite_method [${name}]`);
}
