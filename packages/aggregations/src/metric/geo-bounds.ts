import type { AggregationType, Aggregator, BuildSite } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';
import { booleanField, readFields } from '../parse/body-fields.js';
import { pointSource } from '../source/point-source.js';
import { fieldSourceFields, fieldSourceOf, type SourceRequest } from '../source/values-source.js';
import { PLACE_KINDS } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

/** Partial result: extremes of latitude, and extremes of longitude for the western and eastern hemisphere apart. */
type BoundsPartial = {
  readonly top: number;
  readonly bottom: number;
  readonly posLeft: number;
  readonly posRight: number;
  readonly negLeft: number;
  readonly negRight: number;
};

const [LOW, HIGH] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

function collector(build: BuildSite, request: SourceRequest): Aggregator<BoundsPartial> {
  const source = pointSource(build, request);
  let top = new Float64Array(0);
  let bottom = new Float64Array(0);
  let posLeft = new Float64Array(0);
  let posRight = new Float64Array(0);
  let negLeft = new Float64Array(0);
  let negRight = new Float64Array(0);
  const add = (bucket: number, lat: number, lon: number): void => {
    top[bucket] = Math.max(top[bucket]!, lat);
    bottom[bucket] = Math.min(bottom[bucket]!, lat);
    if (lon >= 0) {
      posLeft[bucket] = Math.min(posLeft[bucket]!, lon);
      posRight[bucket] = Math.max(posRight[bucket]!, lon);
    } else {
      negLeft[bucket] = Math.min(negLeft[bucket]!, lon);
      negRight[bucket] = Math.max(negRight[bucket]!, lon);
    }
  };
  return {
    segment: (view) => source.segment(view),
    reserve(buckets) {
      top = growDoubles(top, buckets, LOW);
      bottom = growDoubles(bottom, buckets, HIGH);
      posLeft = growDoubles(posLeft, buckets, HIGH);
      posRight = growDoubles(posRight, buckets, LOW);
      negLeft = growDoubles(negLeft, buckets, HIGH);
      negRight = growDoubles(negRight, buckets, LOW);
    },
    collect(docs, buckets, count) {
      if (source.isEmpty) return;
      source.readAll(docs, count);
      const { starts } = source.lats;
      for (let i = 0; i < count; i++)
        for (let j = starts[i]!; j < starts[i + 1]!; j++)
          add(buckets ? buckets[i]! : 0, source.lats.values[j]!, source.lons.values[j]!);
    },
    partial(bucket) {
      if (!(bucket < top.length) || top[bucket] === LOW) return null;
      return {
        top: top[bucket]!,
        bottom: bottom[bucket]!,
        posLeft: posLeft[bucket]!,
        posRight: posRight[bucket]!,
        negLeft: negLeft[bucket]!,
        negRight: negRight[bucket]!,
      };
    },
  };
}

function merge(partials: readonly (BoundsPartial | null)[]): BoundsPartial | null {
  const own = present(partials);
  if (own.length === 0) return null;
  return own.reduce((a, b) => ({
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
    posLeft: Math.min(a.posLeft, b.posLeft),
    posRight: Math.max(a.posRight, b.posRight),
    negLeft: Math.min(a.negLeft, b.negLeft),
    negRight: Math.max(a.negRight, b.negRight),
  }));
}

/** Returns the west and east edge of the narrower of two boxes: one over longitude 0, one over the date line. */
function edges(b: BoundsPartial, wrap: boolean): { left: number; right: number } {
  if (b.posLeft === HIGH) return { left: b.negLeft, right: b.negRight };
  if (b.negLeft === HIGH) return { left: b.posLeft, right: b.posRight };
  const plain = b.posRight - b.negLeft;
  const wrapped = 180 - b.posLeft + (b.negRight + 180);
  return wrap && plain > wrapped ? { left: b.posLeft, right: b.negRight } : { left: b.negLeft, right: b.posRight };
}

/** The smallest box around the points of a field. */
export const geoBounds: AggregationType<BoundsPartial> = {
  name: 'geo_bounds',
  valueKinds: PLACE_KINDS,
  parse(site) {
    const fields = readFields(site.body, site, { ...fieldSourceFields, wrap_longitude: booleanField });
    const source = fieldSourceOf(fields, site);
    return {
      acceptsSubs: false,
      shape: 'metric',
      reads: [{ source, kind: 'points' }],
      collector: (build) => collector(build, source),
      reduce(partials) {
        const bounds = merge(partials);
        if (!bounds) return { typedName: 'geo_bounds', buckets: null, render: () => ({}) };
        const { left, right } = edges(bounds, fields.wrap_longitude ?? true);
        return {
          typedName: 'geo_bounds',
          buckets: null,
          render: () => ({
            bounds: { top_left: { lat: bounds.top, lon: left }, bottom_right: { lat: bounds.bottom, lon: right } },
          }),
        };
      },
    };
  },
};
