import { distanceUnitMeters, formatDouble, type GeoPoint, haversineMeters, planeMeters } from '@shoal/values';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { parsingAt } from '@shoal/query';
import type { MultiNumbers } from '@shoal/segments';
import type { AggregationType, BuildSite } from '../aggregation-type.js';
import {
  atMost,
  booleanField,
  type FieldReader,
  type FieldSite,
  itemsOf,
  nameOf,
  numberField,
  numberOf,
  readFields,
  stringField,
  tokenAfter,
  tokenName,
  unsupported,
} from '../parse/body-fields.js';
import { RAW_FORMAT } from '../source/format.js';
import { pointOf } from '../source/missing-point.js';
import { pointSource } from '../source/point-source.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import {
  RANGES_MAX,
  type RangesPartial,
  checkRanges,
  type NumberRange,
  rangeBuckets,
  reduceRanges,
  sortRanges,
  type ValueReader,
} from './ranges.js';

/** Refuses a key or a value that no range has, in the words of 8.12's own parser of these ranges. */
function checkRange(range: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(range)) {
    const location = { container: range, key };
    const token = tokenName(value);
    const known = KEYS_OF_RANGES[token];
    if (known === undefined)
      throw errors.parsing(`Failed to parse object: unexpected token [${token}] found`, { location });
    if (!known.includes(key))
      throw errors.parsing(`Failed to parse object: unknown field [${key}] found`, { location });
  }
}

/** Keys of a range by the token of their value. */
const KEYS_OF_RANGES: Readonly<Record<string, readonly string[]>> = {
  VALUE_NUMBER: ['from', 'to'],
  VALUE_STRING: ['from', 'to', 'key'],
  VALUE_NULL: ['from', 'to', 'key'],
};

function rangeOf(given: Readonly<Record<string, unknown>>): NumberRange {
  checkRange(given);
  const { key, from, to } = given as { key?: string | null; from?: unknown; to?: unknown };
  const bound = (value: unknown, open: number): number =>
    value === undefined || value === null ? open : typeof value === 'string' ? numberOf(value) : Number(value);
  const range = { from: bound(from, 0), to: bound(to, Number.POSITIVE_INFINITY) };
  const isOpen = from === undefined || from === null;
  return { ...range, key: key ?? (isOpen ? `*-${Number.isFinite(range.to) ? formatDouble(range.to) : '*'}` : null) };
}

const rangesField: FieldReader<readonly NumberRange[]> = (value, site) => {
  if (typeof value !== 'object' || value === null) throw unsupported(value, site);
  return itemsOf(value, site).map(({ value: item }, i) => {
    if (isPlainObject(item)) return parsingAt({ container: item, at: 'end' }, () => rangeOf(item));
    const list = value as readonly unknown[];
    throw errors.parsing(`Failed to parse object: unexpected token [${tokenAfter(list, i)}] found`, {
      location: { container: list, key: i, at: 'next' },
    });
  });
};

/** Reads the point that distances are measured from: a text, `[lon, lat]`, or an object with `lat` and `lon`. */
const originField: FieldReader<GeoPoint> = (value, site) => {
  if (typeof value === 'string') return pointOf(value);
  if (Array.isArray(value)) return pointOfList(value, site);
  if (!isPlainObject(value)) throw unsupported(value, site);
  const { lat, lon } = value;
  if (typeof lat === 'number' && typeof lon === 'number') return { lat, lon };
  const last = Object.keys(value).at(-1) ?? null;
  throw errors.parsing(`malformed [${last}] geo point object. either [lat] or [lon] (or both) are missing`, {
    location: { container: value, at: 'end' },
  });
};

function pointOfList(list: readonly unknown[], { type, name }: FieldSite): GeoPoint {
  if (list.length > 2)
    throw errors.parsing('malformed [origin]: a geo point array must be of the form [lon, lat]', {
      location: { container: list, key: 2 },
    });
  const [lon, lat] = list.map((item, key) => {
    const site: FieldSite = { container: list, key, type, name };
    return parsingAt({ container: list, key }, () => numberField(item, site));
  });
  if (lon === undefined || lat === undefined)
    throw errors.illegalArgument(`Aggregation [${name}] must define an [origin].`);
  return { lat, lon };
}

const unitField: FieldReader<number> = (value, site) => distanceUnitMeters(stringField(value, site));

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
      origin: originField,
      ranges: atMost(RANGES_MAX, rangesField),
      unit: unitField,
      keyed: booleanField,
      distance_type: nameOf(['arc', 'plane'], (text) => errors.illegalArgument(`No geo distance for [${text}]`)),
    });
    const { origin } = fields;
    if (!origin) throw errors.illegalArgument(`Aggregation [${site.name}] must define an [origin].`);
    const request: DistanceRequest = {
      source: sourceOf(fields, site, null),
      ...origin,
      unitMeters: fields.unit ?? 1,
      plane: fields.distance_type === 'plane',
    };
    const ranges = sortRanges(fields.ranges ?? []);
    return {
      acceptsSubs: true,
      shape: 'multi',
      overlapping: ranges.length,
      reads: [{ source: request.source, kind: 'points' }],
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
