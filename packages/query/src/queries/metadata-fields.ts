import type { PlanContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan, shardError } from '../plan-query.js';
import { idsPlan } from './ids.js';

/**
 * Returns the plan of exact values of fields that mappings do not list, such as `_id`, `_index` and `_tier`; null for
 * other fields. Throws for metadata fields that cannot be searched.
 */
export function metadataTerm(field: string, values: readonly unknown[], context: PlanContext): Plan | null {
  if (!field.startsWith('_')) return null;
  switch (field) {
    case '_id':
      return idsPlan(values.map(String));
    case '_index':
      return indexPlan(values.map(String).includes(context.searcher.index), field, context);
    case '_tier':
      return indexPlan(values.map(String).includes('data_content'), field, context);
    case '_source':
      throw shardError(context.searcher, 'The _source field is not searchable');
    case '_seq_no':
    case '_version':
    case '_primary_term':
      return { kind: 'numbers', field, values: values.map(Number), boost: 1 };
    case '_routing':
    case '_ignored':
      return { kind: 'terms', field, terms: values.map(String), boost: 1 };
    // A field name that the caller must not know of matches nothing.
    case '_field_names':
      return {
        kind: 'terms',
        field,
        terms: values.map(String).filter((name) => context.searcher.mapping.field(name) !== null),
        boost: 1,
      };
    default:
      return null;
  }
}

/** Returns the plan of one exact value of such a field; null for other fields. A routing value is scored as a term. */
export function metadataValue(field: string, value: unknown, context: PlanContext): Plan | null {
  return field === '_routing'
    ? { kind: 'term', field, term: String(value), boost: 1 }
    : metadataTerm(field, [value], context);
}

/**
 * Returns whether an exact value or a pattern on a field is rewritten to `match_none`: the field is unmapped, or it has
 * one value for the whole index that `matches` refuses.
 */
export function isNoneOnField(field: string, context: PlanContext, matches: (value: string) => boolean): boolean {
  if (isIndexField(field)) return !matches(indexFieldValue(field, context));
  return !field.startsWith('_') && context.searcher.mapping.field(field) === null;
}

/** Returns whether a metadata field has one value for the whole index. */
export function isIndexField(field: string): boolean {
  return field === '_index' || field === '_tier';
}

/** Returns the value of a field for which `isIndexField` is true. */
export function indexFieldValue(field: string, context: PlanContext): string {
  return field === '_index' ? context.searcher.index : 'data_content';
}

/** Returns a plan of all documents or of none, for a field with one value for the whole index. */
export function indexPlan(matches: boolean, field: string, context: PlanContext): Plan {
  return matches
    ? { kind: 'all', boost: 1 }
    : nonePlan(`The index [${context.searcher.index}] doesn't match the ${field} query.`);
}
