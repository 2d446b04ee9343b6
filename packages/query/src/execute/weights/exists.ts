import { bitSet, NO_MORE_DOCS, type SegmentReader } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';
import { AllMatcher, BitSetMatcher } from '../matchers/bit-set-matcher.js';
import { collectBits } from '../matchers/gather.js';
import { unionMatcher } from '../matchers/union-matcher.js';
import { withConstantScore } from './constant.js';
import type { PlanOf } from '../plan-of.js';
import { termMatcher } from './term.js';
import type { WeightContext } from '../weight-context.js';

/** Weight of documents with a value of a field; constant score. */
export function existsWeight(plan: PlanOf<'exists'>, context: WeightContext): Weight {
  const unscored: Weight = {
    matcher: (segment) => existsMatcher(plan.field, segment),
    count: ({ reader }) => countOf(plan.field, reader),
  };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}

interface ColumnLike {
  readonly docsWithField: number;
  nextDocWithField(target: number): number;
}

function columnOf(reader: SegmentReader, field: string): ColumnLike | null {
  return (
    reader.numbers(field) ??
    reader.ordinals(field) ??
    reader.geo(field) ??
    reader.binary(field) ??
    reader.vectors(field)
  );
}

/** The number of documents with a value where the field is indexed, or named; -1 if it takes a search, as in Lucene. */
function countOf(field: string, reader: SegmentReader): number {
  const named = namedCount(field, reader);
  const layout = reader.layout(field);
  if (layout === null) return named;
  const column = columnOf(reader, field);
  const isIndexed = layout.terms !== null || layout.points;
  if (column !== null) return named > 0 || !isIndexed ? -1 : column.docsWithField;
  if (reader.norms(field) === null) return named > 0 ? named : -1;
  return named > 0 ? -1 : (reader.terms(field)?.docCount ?? 0);
}

function namedCount(field: string, reader: SegmentReader): number {
  const terms = reader.terms('_field_names');
  const ordinal = terms === null ? -1 : terms.lookup(field);
  return ordinal < 0 ? 0 : terms!.docFreq(ordinal);
}

function existsMatcher(field: string, { reader, maxDoc }: SegmentView): Matcher | null {
  const column = columnOf(reader, field);
  const named = termMatcher(reader, '_field_names', field, null, 0);
  if (column !== null) return eitherMatcher(columnMatcher(column, maxDoc), named, maxDoc);
  const norms = reader.norms(field);
  if (norms !== null) return eitherMatcher(normsMatcher(norms.bytes, maxDoc), named, maxDoc);
  return named ?? anyTerm(reader, field, maxDoc);
}

/** A field with a column or norms is named too where a document has neither: empty inputs, texts without tokens. */
function eitherMatcher(column: Matcher | null, named: Matcher | null, maxDoc: number): Matcher | null {
  if (column === null || named === null) return column ?? named;
  const bits = collectBits(column, maxDoc);
  const others = collectBits(named, maxDoc);
  for (let i = 0; i < bits.words.length; i++) bits.words[i]! |= others.words[i]!;
  return new BitSetMatcher(bits, 0);
}

function columnMatcher(column: ColumnLike, maxDoc: number): Matcher | null {
  if (column.docsWithField === 0) return null;
  if (column.docsWithField === maxDoc) return new AllMatcher(maxDoc, 0);
  return new PresenceMatcher(column, maxDoc);
}

function normsMatcher(norms: Uint8Array, maxDoc: number): Matcher {
  const bits = bitSet(maxDoc);
  for (let doc = 0; doc < maxDoc; doc++) if (norms[doc] !== 0) bits.set(doc);
  return new BitSetMatcher(bits, 0);
}

/**
 * Returns documents with any term of a field: the last resort for a field without a column, norms and entries in
 * `_field_names`.
 */
function anyTerm(reader: SegmentReader, field: string, maxDoc: number): Matcher | null {
  const terms = reader.terms(field);
  if (terms === null) return null;
  reader.notePostings?.(field, 'documents');
  return unionMatcher(
    terms,
    Int32Array.from({ length: terms.termCount }, (_, i) => i),
    maxDoc,
  );
}

/** Documents with a value in a column. */
class PresenceMatcher implements Matcher {
  readonly cost: number;
  readonly #column: ColumnLike;
  readonly #maxDoc: number;

  constructor(column: ColumnLike, maxDoc: number) {
    this.#column = column;
    this.#maxDoc = maxDoc;
    this.cost = column.docsWithField;
  }

  window(from: number, to: number, docs: Int32Array, _scores: Float64Array | null): number {
    let count = 0;
    for (let doc = this.next(from); doc < to; doc = this.next(doc + 1)) docs[count++] = doc;
    return count;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (this.#column.nextDocWithField(doc) !== doc) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[i]!;
      kept++;
    }
    return kept;
  }

  next(target: number): number {
    return target < this.#maxDoc ? this.#column.nextDocWithField(target) : NO_MORE_DOCS;
  }

  maxScore(): number {
    return 0;
  }
}
