import type { Mapping } from '@shoal/mapping';
import { formatIp } from '@shoal/values';
import type { Plan } from '../plan.js';
import type { Searcher } from '../searcher.js';

/** Returns whether nested documents may have a field. */
export function isNestedField(field: string, mapping: Mapping): boolean {
  return field.startsWith('_') || mapping.nestedParent(field) !== null;
}

/** Returns whether any segment has a term; reads no postings. */
export function hasTerm(searcher: Searcher, field: string, term: string): boolean {
  return searcher.segments.some(({ reader }) => (reader.terms(field)?.lookup(term) ?? -1) >= 0);
}

/** Returns the range of one address as which a term of an ip field prints; null for other plans. */
export function addressText(plan: Plan, mapping: Mapping | undefined): string | null {
  if (plan.kind !== 'term' || mapping?.field(plan.field)?.valueKind !== 'ip') return null;
  return `${plan.field}:[${formatIp(plan.term)} TO ${formatIp(plan.term)}]`;
}

/** Whether the documents around nested objects have their fields too. */
function isCopiedAround(path: string, mapping: Mapping): boolean {
  const object = mapping.object(path);
  return object !== null && (object.includeInParent || object.includeInRoot);
}

/**
 * Whether a plan inside of a nested query might match documents that are not of its path (Elasticsearch's
 * NestedHelper.mightMatchNonNestedDocs, which knows terms, ranges of points and booleans of them).
 */
export function mayMatchRoots(plan: Plan, path: string, mapping: Mapping): boolean {
  const inner = (one: Plan): boolean => mayMatchRoots(one, path, mapping);
  switch (plan.kind) {
    case 'none':
      return false;
    case 'named':
    case 'constant':
      return inner(plan.plan);
    case 'term':
    case 'terms':
    case 'value':
    case 'numbers':
      return !plan.field.startsWith(`${path}.`) || isCopiedAround(path, mapping);
    case 'bool': {
      const required = [...plan.must, ...plan.filter];
      return required.length > 0 ? required.every(inner) : plan.should.some(inner);
    }
    default:
      return true;
  }
}
