import type { PlanOf } from '../execute/plan-of.js';
import { distanceFeatureWeight } from '../execute/weights/distance-feature.js';
import { multiNumbers } from '@shoal/segments';
import { formatDouble, haversineMeters } from '@shoal/values';
import type { WeightContext } from '../execute/weight-context.js';
import { explainAsWhole, type ExplainPlace } from './explanation.js';
import { nanosOf } from '../nanoseconds.js';
import { exactLine, explanation, type Explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

function explainDistance(plan: PlanOf<'distanceFeature'>, context: WeightContext, place: ExplainPlace): Explanation {
  const whole = explainAsWhole(plan, context, place);
  if (!whole.match) return noMatch(`Document ${place.doc} doesn't have a value for field ${plan.field}`);
  const isPoint = typeof plan.origin === 'object';
  const distance = isPoint ? 'distance' : 'value - origin';
  return explanation(
    whole.value,
    `Distance score, computed as weight * pivotDistance / (pivotDistance + abs(${distance})) from:`,
    [
      explanation(Math.fround(context.boost * plan.boost), 'weight'),
      exactLine(plan.pivot, 'pivotDistance'),
      ...(isPoint ? pointLines(plan, place) : valueLines(plan, place)),
    ],
  );
}

/** The value that is nearest to the origin. */
function valueLines(plan: PlanOf<'distanceFeature'>, place: ExplainPlace): Explanation[] {
  if (typeof plan.origin === 'bigint') return nanosLines(plan, plan.origin, place);
  const at = Number(plan.origin);
  const near = millisOf(plan, place).sort((a, b) => Math.abs(a - at) - Math.abs(b - at));
  return [exactLine(at, 'origin'), exactLine(near[0] ?? 0, 'current value')];
}

function nanosLines({ field, nanosField }: PlanOf<'distanceFeature'>, at: bigint, place: ExplainPlace): Explanation[] {
  const { reader } = place.segment;
  const exact = nanosField === undefined ? null : reader.numbers(nanosField);
  const distance = (nanos: bigint): bigint => (nanos < at ? at - nanos : nanos - at);
  const near = [...nanosOf(reader.numbers(field), exact, place.doc)].sort((a, b) => Number(distance(a) - distance(b)));
  return [exactLine(at, 'origin'), exactLine(near[0] ?? 0, 'current value')];
}

/** Returns the dates of the document in milliseconds. */
function millisOf({ field }: PlanOf<'distanceFeature'>, { segment, doc }: ExplainPlace): number[] {
  const values = multiNumbers();
  segment.reader.numbers(field)?.readAll(Int32Array.of(doc), 1, values);
  return [...values.values.subarray(0, values.starts[1])];
}

function pointLines({ field, origin }: PlanOf<'distanceFeature'>, { segment, doc }: ExplainPlace): Explanation[] {
  const [lat, lon] = origin as readonly [number, number];
  const lats = multiNumbers();
  const lons = multiNumbers();
  segment.reader.geo(field)?.readAll(Int32Array.of(doc), 1, lats, lons);
  const points = [...lats.values.subarray(0, lats.starts[1])].map((value, i) => [value, lons.values[i]!] as const);
  const near = points
    .map(([a, o]) => ({ a, o, meters: haversineMeters(lat, lon, a, o) }))
    .sort((x, y) => x.meters - y.meters)[0];
  return [
    exactLine(lat, 'originLat'),
    exactLine(lon, 'originLon'),
    exactLine(near?.a ?? 0, 'current lat'),
    exactLine(near?.o ?? 0, 'current lon'),
    exactLine(near?.meters ?? 0, 'distance'),
  ];
}

/** Scores documents higher the nearer their date or point is. */
export const distanceFeatureKind: PlanKind<PlanOf<'distanceFeature'>> = {
  weight: distanceFeatureWeight,
  explain: explainDistance,
  // Lucene prints the field that its caller names, which is none, and not that of the query.
  describe: ({ origin, pivot }) =>
    typeof origin === 'object'
      ? `LatLonPointDistanceFeatureQuery(field=,originLat=${formatDouble(origin[0])},` +
        `originLon=${formatDouble(origin[1])},pivotDistance=${formatDouble(pivot)})`
      : `LongDistanceFeatureQuery(field=,origin=${String(origin)},pivotDistance=${pivot})`,
};
