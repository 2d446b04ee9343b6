import type { PlanContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nothing, shardError } from '../plan-query.js';

/**
 * Exact values of fields that the mapping does not list: `_id`, `_index`, `_tier` and refusals of those that cannot be
 * searched. Null for all other fields.
 */
export function metadataTerm(field: string, values: readonly unknown[], context: PlanContext): Plan | null {
  if (!field.startsWith('_')) return null;
  switch (field) {
    case '_id':
      return { kind: 'ids', ids: values.map(String), boost: 1 };
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
    // Names of fields that the caller must not know of match nothing.
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

/** Whether a metadata field with one value for the whole index is meant. */
export function isIndexField(field: string): boolean {
  return field === '_index' || field === '_tier';
}

/** The value of such a field. */
export function indexFieldValue(field: string, context: PlanContext): string {
  return field === '_index' ? context.searcher.index : 'data_content';
}

/** All documents or none. */
export function indexPlan(matches: boolean, field: string, context: PlanContext): Plan {
  return matches
    ? { kind: 'all', boost: 1 }
    : nothing(`The index [${context.searcher.index}] doesn't match the ${field} query.`);
}
