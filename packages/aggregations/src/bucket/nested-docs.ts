import type { BitSet } from '@shoal/segments';
import { bitSet } from '@shoal/segments';
import type { SegmentView } from '@shoal/query';

/** Documents of one nested path in a segment; null when there are none. */
export function nestedDocs(view: SegmentView, path: string): BitSet | null {
  const terms = view.reader.terms('_nested_path');
  const ordinal = terms?.lookup(path) ?? -1;
  if (!terms || ordinal < 0) return null;
  const docs = bitSet(view.maxDoc);
  const cursor = terms.postings(ordinal);
  for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
    for (let i = 0; i < size; i++) if (cursor.docs[i]! < view.maxDoc) docs.set(cursor.docs[i]!);
  }
  return docs;
}

/**
 * Documents at `path` (null: root documents), to which nested documents below belong. Null if all documents of the
 * segment are roots.
 */
export function parentDocs(view: SegmentView, path: string | null): BitSet | null {
  return path === null ? view.reader.roots : nestedDocs(view, path);
}
