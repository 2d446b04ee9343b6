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
