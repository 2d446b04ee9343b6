import { type BinaryColumn, bitSet } from '@shoal/segments';
import { decodeParts, PreparedPart, shapeParts, shapeQueryTerms, shapesRelate } from '@shoal/values';
import type { Matcher, Weight } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';
import { searchableTerms } from '../dictionary/searchable-terms.js';
import { BitSetMatcher } from '../matchers/bit-set-matcher.js';
import { CheckedMatcher } from '../matchers/checked-matcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';
import { withConstantScore } from './constant.js';

/** Comparing two shapes costs as much as this many documents of another matcher. */
const PRICE = 20;

/**
 * Weight of documents whose shapes have a relation to a shape; constant score. Cells that cover the query's shape find
 * the candidates, whose shapes are then compared with it.
 */
export function shapeWeight(plan: PlanOf<'shape'>, context: WeightContext): Weight {
  const parts = shapeParts(plan.shape, plan.isRight);
  const query = parts.map((part) => new PreparedPart(part));
  const terms = shapeQueryTerms(parts);
  const matches = (bytes: Uint8Array): boolean =>
    query.length > 0 &&
    shapesRelate(
      decodeParts(bytes).map((part) => new PreparedPart(part)),
      query,
      plan.relation,
    );
  const unscored: Weight = {
    matcher(segment) {
      const column = segment.reader.binary(plan.field);
      const candidates = column === null ? null : candidatesOf(plan.cellsField, terms, column, segment);
      if (column === null || candidates === null) return null;
      return new CheckedMatcher(candidates, segment.live, PRICE, (doc) => {
        const bytes = column.get(doc);
        return bytes !== null && matches(bytes) ? 0 : null;
      });
    },
  };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}

/** Documents with one of the cells; without cells, all documents with a shape. */
function candidatesOf(
  cellsField: string | null,
  terms: readonly string[],
  column: BinaryColumn,
  { reader, maxDoc }: SegmentView,
): Matcher | null {
  if (cellsField !== null) return candidateMatcher(cellsField, terms, reader, maxDoc);
  const bits = bitSet(maxDoc);
  for (let doc = column.nextDocWithField(0); doc < maxDoc; doc = column.nextDocWithField(doc + 1)) bits.set(doc);
  return new BitSetMatcher(bits, 0);
}

function candidateMatcher(
  field: string,
  terms: readonly string[],
  reader: SegmentView['reader'],
  maxDoc: number,
): Matcher | null {
  const known = searchableTerms(reader, field);
  if (known === null) return null;
  const ordinals = terms.map((term) => known.dictionary.lookup(term)).filter((ordinal) => ordinal >= 0);
  return known.union(ordinals, maxDoc);
}
