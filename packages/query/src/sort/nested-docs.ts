import { errors } from '@shoal/errors';
import type { BitSet } from '@shoal/segments';
import { collectBits } from '../execute/matchers/gather.js';
import { nestedDocs } from '../execute/weights/nested.js';
import type { Weight } from '../matcher.js';
import type { SegmentView } from '../searcher.js';
import type { SortMode } from './sort-spec.js';

/** Nested documents whose values a sort takes. */
export interface NestedDocs {
  readonly path: string;
  /** How their values become one; null for the default. */
  readonly mode: SortMode | null;
  readonly maxChildren: number;
  /** Filters of this nesting level and of those around it. */
  readonly filters: readonly Weight[];
  /** Cache of the matching documents as bits, by segment. */
  readonly bits: Map<string, BitSet | null>;
}

/**
 * Returns the nested documents of a root document that a sort looks at, ascending. `hasValue`: only such documents
 * count towards `max_children`, the others are left out. Throws for a median, which 8.12 refuses at the first document
 * that a shard sorts.
 */
export function childrenOf(
  nested: NestedDocs,
  view: SegmentView,
  root: number,
  hasValue?: (doc: number) => boolean,
): Int32Array {
  const bits = bitsOf(nested, view);
  if (bits === null || root === 0) return new Int32Array(0);
  if (nested.mode === 'median') throw errors.illegalArgument('Unsupported sort mode: MEDIAN');
  const first = view.reader.roots === null ? root : view.reader.roots.previous(root - 1) + 1;
  const isAll = hasValue === undefined || nested.maxChildren === Number.MAX_SAFE_INTEGER;
  const found: number[] = [];
  for (let doc = bits.next(first); doc < root && found.length < nested.maxChildren; doc = bits.next(doc + 1))
    if (isAll || hasValue(doc)) found.push(doc);
  return Int32Array.from(found);
}

function bitsOf(nested: NestedDocs, view: SegmentView): BitSet | null {
  let bits = nested.bits.get(view.version);
  if (bits === undefined) {
    bits = applyFilters(nested, view);
    nested.bits.set(view.version, bits);
  }
  return bits;
}

function applyFilters(nested: NestedDocs, view: SegmentView): BitSet | null {
  const bits = nestedDocs(view, nested.path);
  if (bits === null) return null;
  for (const filter of nested.filters) {
    const matcher = filter.matcher(view, false);
    if (matcher === null) return null;
    const kept = collectBits(matcher, view.maxDoc).words;
    for (let w = 0; w < kept.length; w++) bits.words[w]! &= kept[w]!;
  }
  return bits;
}
