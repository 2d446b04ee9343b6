import type { AggregationType, Aggregator, BuildSite } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';
import { readFields } from '../parse/body-fields.js';
import { pointSource } from '../source/point-source.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { addSums } from './sums.kernel.js';
import { PLACE_KINDS } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

type CentroidPartial = {
  readonly lat: number;
  readonly lon: number;
  readonly c: number;
};

function collector(build: BuildSite, request: SourceRequest): Aggregator<CentroidPartial> {
  const source = pointSource(build, request);
  let lats = new Float64Array(0);
  let lons = new Float64Array(0);
  let latDeltas = new Float64Array(0);
  let lonDeltas = new Float64Array(0);
  let counts = new Float64Array(0);
  let lonCounts = new Float64Array(0);
  return {
    segment: (view) => source.segment(view),
    reserve(buckets) {
      [lats, lons, latDeltas, lonDeltas, counts, lonCounts] = [
        growDoubles(lats, buckets),
        growDoubles(lons, buckets),
        growDoubles(latDeltas, buckets),
        growDoubles(lonDeltas, buckets),
        growDoubles(counts, buckets),
        growDoubles(lonCounts, buckets),
      ];
    },
    collect(docs, buckets, count) {
      if (source.isEmpty) return;
      source.readAll(docs, count);
      const { starts } = source.lats;
      const owners = new Int32Array(starts[count]!);
      for (let i = 0; i < count; i++) owners.fill(buckets ? buckets[i]! : 0, starts[i], starts[i + 1]);
      addSums(source.lats.values, owners, owners.length, lats, latDeltas, counts);
      addSums(source.lons.values, owners, owners.length, lons, lonDeltas, lonCounts);
    },
    partial: (bucket) =>
      counts[bucket]
        ? { lat: lats[bucket]! + latDeltas[bucket]!, lon: lons[bucket]! + lonDeltas[bucket]!, c: counts[bucket]! }
        : null,
  };
}

/** Mean latitude and longitude of the points of a field. */
export const geoCentroid: AggregationType<CentroidPartial> = {
  name: 'geo_centroid',
  valueKinds: PLACE_KINDS,
  prints: { wholeMembers: ['count'] },
  parse(site) {
    const source = sourceOf(readFields(site.body, site, sourceFields), site, null);
    return {
      acceptsSubs: false,
      shape: 'metric',
      reads: [{ source, kind: 'points' }],
      collector: (build) => collector(build, source),
      reduce(partials) {
        const own = present(partials);
        const count = own.reduce((sum, p) => sum + p.c, 0);
        const mean = (of: (p: CentroidPartial) => number): number => own.reduce((sum, p) => sum + of(p), 0) / count;
        const location = count === 0 ? null : { lat: mean((p) => p.lat), lon: mean((p) => p.lon) };
        return {
          typedName: 'geo_centroid',
          buckets: null,
          value: (property) => (property === 'count' ? count : undefined),
          render: (): Record<string, unknown> => (location ? { location, count } : { count }),
        };
      },
    };
  },
};
