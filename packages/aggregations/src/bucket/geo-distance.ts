import { distanceUnitMeters, formatDouble, haversineMeters, parseGeoPoint, planeMeters } from '@shoal/values';
import { errors } from '@shoal/errors';
import type { MultiNumbers } from '@shoal/segments';
import type { AggregationType, BuildSite } from '../aggregation-type.js';
import {
  anyField,
  booleanField,
  type FieldReader,
  nameOf,
  numberField,
  objectOf,
  readFields,
  stringField,
} from '../parse/body-fields.js';
import { RAW_FORMAT } from '../source/format.js';
import { pointSource } from '../source/point-source.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import {
  type RangesPartial,
  checkRanges,
  type NumberRange,
  rangeBuckets,
  reduceRanges,
  sortRanges,
  type ValueReader,
} from './ranges.js';

const rangesField: FieldReader<readonly NumberRange[]> = (value, site) => {
  const one = objectOf({ key: stringField, from: anyField, to: anyField });
  const list = Array.isArray(value) ? value : [value];
  return list.map((item, i) => {
    const { key, from, to } = one(item, { ...site, container: list, key: i });
    const bound = (given: unknown, open: number): number =>
      given === undefined || given === null ? open : numberField(given, site);
    const range = { from: bound(from, 0), to: bound(to, Number.POSITIVE_INFINITY) };
    const isOpen = from === undefined || from === null;
    return { ...range, key: key ?? (isOpen ? `*-${Number.isFinite(range.to) ? formatDouble(range.to) : '*'}` : null) };
  });
};

interface DistanceRequest {
  readonly source: SourceRequest;
  readonly lat: number;
  readonly lon: number;
  readonly unitMeters: number;
  readonly plane: boolean;
}

/** Reads the distances of documents from the origin, in the unit of the request. */
function distances(build: BuildSite, request: DistanceRequest): ValueReader {
  const points = pointSource(build, request.source);
  const measure = request.plane ? planeMeters : haversineMeters;
  const out: MultiNumbers = { starts: new Int32Array(1), values: new Float64Array(0) };
  const readAll = (docs: Int32Array, count: number): MultiNumbers => {
    points.readAll(docs, count);
    const { starts, values } = points.lats;
    const total = starts[count]!;
    if (out.values.length < total) out.values = new Float64Array(total * 2);
    for (let i = 0; i < total; i++)
      out.values[i] = measure(request.lat, request.lon, values[i]!, points.lons.values[i]!) / request.unitMeters;
    out.starts = starts;
    return out;
  };
  return {
    segment: (view) => points.segment(view),
    isSingle: false,
    peek: (docs, count) => readAll(docs, count).values,
    readAll,
  };
}

/** `geo_distance`: rings of distance around a point. */
export const geoDistance: AggregationType<RangesPartial> = {
  name: 'geo_distance',
  valueKinds: ['geopoint'],
  parse(site) {
    const fields = readFields(site.body, site, {
      ...sourceFields,
      origin: anyField,
      ranges: rangesField,
      unit: stringField,
      keyed: booleanField,
      distance_type: nameOf(['arc', 'plane'], (text) => errors.illegalArgument(`No geo distance for [${text}]`)),
    });
    const origin = parseGeoPoint(fields.origin)[0];
    if (!origin) throw errors.illegalArgument(`[origin] must not be null: [${site.name}]`);
    const request: DistanceRequest = {
      source: sourceOf(fields),
      ...origin,
      unitMeters: distanceUnitMeters(fields.unit ?? 'm'),
      plane: fields.distance_type === 'plane',
    };
    const ranges = sortRanges(fields.ranges ?? []);
    return {
      acceptsSubs: true,
      shape: 'multi',
      collector(build) {
        checkRanges(ranges, build.node.name);
        return rangeBuckets(build, distances(build, request), ranges, RAW_FORMAT);
      },
      reduce: (partials, reduceSite) =>
        reduceRanges(
          { typedName: 'geo_distance', keyed: fields.keyed ?? false, fallback: ranges },
          partials,
          reduceSite,
        ),
    };
  },
};
