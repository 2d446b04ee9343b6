import { type GeoColumn, multiNumbers, NO_MORE_DOCS, type NumberColumn, WINDOW_DOCS } from '@shoal/segments';
import { haversineMeters } from '@shoal/values';
import type { Matcher, Weight } from '../../matcher.js';
import { nanosOf } from '../../nanoseconds.js';
import type { SegmentView } from '../../searcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

/**
 * Weight of documents with the field; the score is boost · pivot / (pivot + distance). Of several values the nearest
 * counts.
 */
export function distanceFeatureWeight(plan: PlanOf<'distanceFeature'>, context: WeightContext): Weight {
  const boost = Math.fround(context.boost * plan.boost);
  return {
    matcher: (segment) => {
      const column = segment.reader.numbers(plan.field) ?? segment.reader.geo(plan.field);
      return column === null ? null : new DistanceMatcher(plan, boost, segment, column);
    },
  };
}

interface Presence {
  readonly docsWithField: number;
  nextDocWithField(target: number): number;
}

class DistanceMatcher implements Matcher {
  readonly cost: number;
  readonly #plan: PlanOf<'distanceFeature'>;
  readonly #boost: number;
  readonly #segment: SegmentView;
  readonly #column: Presence;
  readonly #values = new Float64Array(WINDOW_DOCS);
  readonly #others = new Float64Array(WINDOW_DOCS);

  constructor(plan: PlanOf<'distanceFeature'>, boost: number, segment: SegmentView, column: Presence) {
    this.#plan = plan;
    this.#boost = boost;
    this.#segment = segment;
    this.#column = column;
    this.cost = column.docsWithField;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    let count = 0;
    for (let doc = this.next(from); doc < to; doc = this.next(doc + 1)) docs[count++] = doc;
    if (scores !== null) {
      scores.fill(0, 0, count);
      this.#addScores(docs, count, scores);
    }
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
    if (scores !== null) this.#addScores(docs, kept, scores);
    return kept;
  }

  #addScores(docs: Int32Array, count: number, scores: Float64Array): void {
    const { origin, pivot } = this.#plan;
    this.#distances(docs, count, origin);
    for (let i = 0; i < count; i++) scores[i]! += Math.fround(this.#boost * (pivot / (pivot + this.#values[i]!)));
  }

  #distances(docs: Int32Array, count: number, origin: PlanOf<'distanceFeature'>['origin']): void {
    const { reader } = this.#segment;
    if (typeof origin === 'bigint') return this.#nanoDistances(docs, count, origin);
    if (typeof origin === 'number') {
      const column = reader.numbers(this.#plan.field)!;
      if (!column.isSingleValued) return nearestNumbers(column, docs, count, origin, this.#values);
      column.read(docs, count, this.#values);
      for (let i = 0; i < count; i++) this.#values[i] = Math.abs(this.#values[i]! - origin);
      return;
    }
    const column = reader.geo(this.#plan.field)!;
    if (!column.isSingleValued) return nearestPoints(column, docs, count, origin, this.#values);
    column.read(docs, count, this.#values, this.#others);
    for (let i = 0; i < count; i++)
      this.#values[i] = haversineMeters(origin[0], origin[1], this.#values[i]!, this.#others[i]!);
  }

  #nanoDistances(docs: Int32Array, count: number, origin: bigint): void {
    const { field, nanosField } = this.#plan;
    const { reader } = this.#segment;
    const [millis, exact] = [reader.numbers(field), reader.numbers(nanosField!)];
    for (let i = 0; i < count; i++) {
      const distances = nanosOf(millis, exact, docs[i]!).map((value) => Math.abs(Number(value - origin)));
      this.#values[i] = Math.min(...distances);
    }
  }

  next(target: number): number {
    return target < this.#segment.maxDoc ? this.#column.nextDocWithField(target) : NO_MORE_DOCS;
  }

  maxScore(): number {
    return this.#boost;
  }
}

/** Writes the distance of each document's nearest value to `distances`, Infinity for none. */
function nearestNumbers(
  column: NumberColumn,
  docs: Int32Array,
  count: number,
  origin: number,
  distances: Float64Array,
): void {
  const all = multiNumbers();
  column.readAll(docs, count, all);
  for (let i = 0; i < count; i++) {
    let least = Infinity;
    for (let v = all.starts[i]!; v < all.starts[i + 1]!; v++)
      least = Math.min(least, Math.abs(all.values[v]! - origin));
    distances[i] = least;
  }
}

/** Writes the distance of each document's nearest point to `distances`, in metres, Infinity for none. */
function nearestPoints(
  column: GeoColumn,
  docs: Int32Array,
  count: number,
  [lat, lon]: readonly [number, number],
  distances: Float64Array,
): void {
  const lats = multiNumbers();
  const lons = multiNumbers();
  column.readAll(docs, count, lats, lons);
  for (let i = 0; i < count; i++) {
    let least = Infinity;
    for (let v = lats.starts[i]!; v < lats.starts[i + 1]!; v++)
      least = Math.min(least, haversineMeters(lat, lon, lats.values[v]!, lons.values[v]!));
    distances[i] = least;
  }
}
