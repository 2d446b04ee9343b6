import { type BitSet, NO_MORE_DOCS } from '@shoal/segments';

/**
 * Returns a function for the first document from one on that `matches` has. With `roots` it is the first nested object
 * around which a document matches.
 */
export function matchingDocs(matches: BitSet, roots: BitSet | null): (from: number) => number {
  if (roots === null) return (from) => (from < matches.size ? matches.next(from) : NO_MORE_DOCS);
  return (from) => {
    for (let root = from; root < matches.size; root++) {
      root = matches.next(root);
      if (root === NO_MORE_DOCS) break;
      if (!roots.get(root)) continue;
      const object = Math.max(from, roots.previous(root - 1) + 1);
      if (object < root) return object;
    }
    return NO_MORE_DOCS;
  };
}
