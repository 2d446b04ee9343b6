import type { PlanOf } from '../execute/plan-of.js';
import type { Plan } from '../plan.js';
import { innerPlans } from '../plan-clauses.js';
import type { SegmentView } from '../searcher.js';

type Percolate = PlanOf<'percolate'>;

/** Returns the percolate queries of a plan. */
export function percolatesIn(plan: Plan): readonly Percolate[] {
  if (plan.kind === 'percolate') return [plan];
  return (innerPlans(plan) ?? []).flatMap(percolatesIn);
}

/** Field of a hit with the positions of the documents that its stored query matches, by the name of the query. */
const SLOT_FIELD = '_percolator_document_slot';

/** Returns the stored query of a document of a segment; null if it has none. */
export const storedIn = ({ field }: Percolate, { reader }: SegmentView, doc: number): Uint8Array | null =>
  reader.binary(field)?.get(doc) ?? null;

/** Adds the positions of the documents that a hit's stored query matches to the `fields` of the hit. */
export function addSlots(
  percolates: readonly Percolate[],
  segment: SegmentView,
  doc: number,
  fields: Record<string, unknown>,
): void {
  const isAlone = percolates.length === 1;
  for (const percolate of percolates) {
    const query = storedIn(percolate, segment, doc);
    const slots = query === null ? [] : percolate.percolation.slots(query);
    if (slots.length > 0) fields[isAlone ? SLOT_FIELD : `${SLOT_FIELD}_${percolate.name}`] = slots;
  }
}
