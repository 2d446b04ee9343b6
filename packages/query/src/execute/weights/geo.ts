import { bitSet, multiNumbers, type GeoColumn } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import type { GeoArea } from '../../plan.js';
import type { SegmentView } from '../../searcher.js';
import { BitSetMatcher } from '../matchers/bit-set-matcher.js';
import { withConstantScore } from './constant.js';
import { areaTest } from './geo-area.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

/** Weight of documents with a point in an area; constant score. */
export function geoWeight(plan: PlanOf<'geo'>, context: WeightContext): Weight {
  const unscored: Weight = { matcher: (segment) => geoMatcher(plan.field, plan.area, segment) };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}

function geoMatcher(field: string, area: GeoArea, { reader, maxDoc }: SegmentView): Matcher | null {
  const test = areaTest(area);
  const bits = bitSet(maxDoc);
  const points = reader.geoPoints(field);
  const column = reader.geo(field);
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
  for (let doc = column.nextDocWithField(0); doc < maxDoc; doc = column.nextDocWithField(doc + 1)) {
    one[0] = doc;
    column.readAll(one, 1, lats, lons);
    for (let i = 0; i < lats.starts[1]!; i++) if (contains(lats.values[i]!, lons.values[i]!)) take(doc);
  }
}
