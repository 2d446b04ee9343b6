import type { BitSet } from '@shoal/segments';
import type { Part, SealedPart } from './part.js';

/**
 * Applies to a new segment the deletes that reached its inputs while it was written. `liveBefore` has the live
 * documents that the writer saw, null for all. `docMap` maps old to new document numbers, -1 for documents that were
 * left out.
 */
export function carryDeletes(from: Part, liveBefore: BitSet | null, docMap: Int32Array, into: SealedPart): void {
  if (from.deletedDocs === 0) return;
  const { roots } = from.reader;
  for (let doc = 0; doc < docMap.length; doc++) {
    if (from.isLive(doc) || (liveBefore !== null && !liveBefore.get(doc))) continue;
    if (roots !== null && !roots.get(doc)) continue;
    const target = docMap[doc]!;
    if (target >= 0) into.delete(target, from.late.by(doc));
  }
}
