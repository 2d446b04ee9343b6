import { type BitSet, bitSet, multiNumbers, NO_MORE_DOCS, type GeoColumn } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';
import { BitSetMatcher } from '../matchers/bit-set-matcher.js';
import { withConstantScore } from './constant.js';
import { type AreaTest, areaTest } from './geo-area.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

/** Weight of documents with a point in an area; constant score. */
export function geoWeight(plan: PlanOf<'geo'>, context: WeightContext): Weight {
  let test: AreaTest | null = null;
  const unscored: Weight = {
    matcher: (segment) => geoMatcher(plan.field, (test ??= areaTest(plan.area)), segment),
  };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}

/** Areas of more edges for a point are compared with documents in windows, between which the thread is given back. */
const EDGES_MANY = 256;

function geoMatcher(field: string, test: AreaTest, { reader, maxDoc }: SegmentView): Matcher | null {
  const bits = bitSet(maxDoc);
  const points = reader.geoPoints(field);
  const column = reader.geo(field);
  if (column !== null && (test.edgesOfPointMax ?? 0) > EDGES_MANY) {
    if (points === null) eachWithPoint(column, maxDoc, (doc) => bits.set(doc));
    else points.collect(test.relate, () => true, bits);
    return new AreaMatcher(bits, column, test.contains);
  }
  if (points !== null) points.collect(test.relate, test.contains, bits);
  else if (column !== null) scan(column, maxDoc, test.contains, (doc) => bits.set(doc));
  const cost = bits.cardinality();
  return cost === 0 ? null : new BitSetMatcher(bits, 0, cost);
}

function scan(
  column: GeoColumn,
  maxDoc: number,
  contains: (lat: number, lon: number) => boolean,
  take: (doc: number) => void,
): void {
  const lats = multiNumbers();
  const lons = multiNumbers();
  const one = new Int32Array(1);
  eachWithPoint(column, maxDoc, (doc) => {
    one[0] = doc;
    column.readAll(one, 1, lats, lons);
    for (let i = 0; i < lats.starts[1]!; i++) if (contains(lats.values[i]!, lons.values[i]!)) take(doc);
  });
}

function eachWithPoint(column: GeoColumn, maxDoc: number, take: (doc: number) => void): void {
  for (let doc = column.nextDocWithField(0); doc < maxDoc; doc = column.nextDocWithField(doc + 1)) take(doc);
}

/** A document whose point is compared with an area costs as much as this many documents of another matcher. */
const COST = 20;

/** Documents of a set of candidates with a point in an area that takes long to ask. */
class AreaMatcher implements Matcher {
  readonly cost: number;
  readonly #candidates: BitSet;
  readonly #column: GeoColumn;
  readonly #contains: AreaTest['contains'];
  readonly #lats = multiNumbers();
  readonly #lons = multiNumbers();
  readonly #one = new Int32Array(1);

  constructor(candidates: BitSet, column: GeoColumn, contains: AreaTest['contains']) {
    this.#candidates = candidates;
    this.#column = column;
    this.#contains = contains;
    this.cost = Math.min(NO_MORE_DOCS - 1, candidates.cardinality() * COST);
  }

  #matches(doc: number): boolean {
    this.#one[0] = doc;
    this.#column.readAll(this.#one, 1, this.#lats, this.#lons);
    for (let i = 0; i < this.#lats.starts[1]!; i++)
      if (this.#contains(this.#lats.values[i]!, this.#lons.values[i]!)) return true;
    return false;
  }

  window(from: number, to: number, docs: Int32Array, _scores: Float64Array | null): number {
    let count = 0;
    for (let doc = this.next(from); doc < to; doc = this.next(doc + 1)) if (this.#matches(doc)) docs[count++] = doc;
    return count;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (!this.#candidates.get(doc) || !this.#matches(doc)) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[i]!;
      kept++;
    }
    return kept;
  }

  next(target: number): number {
    return target >= this.#candidates.size ? NO_MORE_DOCS : this.#candidates.next(target);
  }

  maxScore(): number {
    return 0;
  }
}
