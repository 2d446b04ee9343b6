import { withCapabilities } from '../field-capabilities.js';
import { errors, isApiError } from '@shoal/errors';
import type { FieldLayout } from '@shoal/segments';
import { formatDouble, type GeoPoint, normalizePoint, parseGeoPoint } from '@shoal/values';
import { faultAt } from '../document-fault.js';
import type { DocumentSink, FieldType, ValueFormat } from '../field-type.js';
import {
  booleanParameter,
  docValues,
  ignoreMalformed,
  index,
  meta,
  nullValueParameter,
  onScriptError,
  script,
  store,
  timeSeriesDimension,
  timeSeriesMetric,
} from '../parameter.js';
import { type FieldConfig, fieldType, type FieldTypeDefinition, refuseFormat, refuseRange } from './definition.js';
import { readOrIgnore } from './whole-numbers.js';

function checkPoint({ lat, lon }: GeoPoint, name: string): void {
  if (!(lat >= -90 && lat <= 90))
    throw errors.illegalArgument(`illegal latitude value [${formatDouble(lat)}] for ${name}`);
  if (!(lon >= -180 && lon <= 180))
    throw errors.illegalArgument(`illegal longitude value [${formatDouble(lon)}] for ${name}`);
}

/** Where malformed values are ignored, points beyond the bounds of the globe are moved into them. */
function lenientPoint(point: GeoPoint): GeoPoint {
  if (Number.isFinite(point.lat) && Number.isFinite(point.lon)) return normalizePoint(point);
  throw errors.illegalArgument('cannot normalize the point - not a number');
}

/** Fast path for the common forms, an object or an array of two numbers; false for other forms. */
function addSimple(value: unknown, name: string, layout: FieldLayout | null, sink: DocumentSink): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { lat, lon } = value as { readonly lat?: unknown; readonly lon?: unknown };
  if (typeof lat !== 'number' || typeof lon !== 'number' || Object.keys(value).length !== 2) return false;
  checkPoint({ lat, lon }, name);
  if (layout !== null) sink.addPoint(layout, lat, lon);
  return true;
}

const FORMAT: ValueFormat = { toJson: (value) => value, toText: String, parse: (value) => String(value) };

function refuseExact(config: FieldConfig): never {
  throw errors.illegalArgument(
    `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${config.name}]`,
  );
}

/** Renders `null_value` for the mapping API. */
function showNullValue(value: unknown): unknown {
  const point = value === null ? undefined : parseGeoPoint(value)[0];
  return point === undefined ? null : { lat: point.lat, lon: point.lon };
}

function layoutOf(config: FieldConfig): FieldLayout | null {
  const isIndexed = config.boolean('index');
  const hasColumn = config.boolean('doc_values');
  return isIndexed || hasColumn
    ? { name: config.name, terms: null, column: hasColumn ? 'geo' : null, points: isIndexed }
    : null;
}

/** Whether an array holds points and not the two coordinates of one; `null` and malformed points may be among them. */
const isListOfPoints = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && typeof value[0] !== 'number' && typeof value[0] !== 'bigint';

/** Reads a point of a list; an error has the position at which 8.12 stopped in that point. */
function atItem(container: readonly unknown[], key: number, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!isApiError(error)) throw error;
    const isContainer = typeof container[key] === 'object';
    throw faultAt({ container, key, at: isContainer ? 'end' : 'value' }, error);
  }
}

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const layout = layoutOf(config);
  const ignores = config.boolean('ignore_malformed');
  const nullValue = config.value('null_value');
  const add = (value: unknown, sink: DocumentSink): void => {
    if (!ignores && addSimple(value, name, layout, sink)) return;
    // Where malformed values are ignored, a copy ignores what the primary ignored, and reads no earlier form.
    const given = parseGeoPoint(value, sink.isLogged && !ignores);
    const points = ignores ? given.map(lenientPoint) : given;
    if (!ignores) for (const point of points) checkPoint(point, name);
    if (layout !== null) for (const { lat, lon } of points) sink.addPoint(layout, lat, lon);
  };
  const pointsOf = (value: unknown): readonly GeoPoint[] =>
    ignores ? parseGeoPoint(value).map(lenientPoint) : parseGeoPoint(value, true);
  const parsePoint = (value: unknown, sink: DocumentSink): void => {
    const given = value ?? nullValue;
    if (given !== null) readOrIgnore(ignores, name, sink, () => add(given, sink));
  };
  return fieldType(config, {
    layout,
    valueKind: 'geo',
    parse(value, sink) {
      if (!isListOfPoints(value)) return parsePoint(value, sink);
      sink.mayRepeat = true;
      for (let i = 0; i < value.length; i++) atItem(value, i, () => parsePoint(value[i], sink));
    },
    termQuery: () => refuseExact(config),
    rangeQuery: () => refuseRange(config),
    format(format, timeZone) {
      refuseFormat(config, format, timeZone);
      return FORMAT;
    },
    fetchValue: (value) => fetchPoint(value, ignores),
    storedValue: (value) => pointsOf(value).map(({ lat, lon }) => `${formatDouble(lat)}, ${formatDouble(lon)}`),
  });
}

function fetchPoint(value: unknown, isLenient: boolean): unknown {
  try {
    const given = parseGeoPoint(value);
    const points = (isLenient ? given.map(lenientPoint) : given).map(({ lat, lon }) => ({
      type: 'Point',
      coordinates: [lon, lat],
    }));
    return points.length === 1 ? points[0] : points;
  } catch {
    return undefined;
  }
}

/** `geo_point`: a latitude and a longitude in degrees, in any of Elasticsearch's forms. */
export const geoPoint: FieldTypeDefinition = {
  name: 'geo_point',
  capabilities: withCapabilities({ refusesMatch: true }),
  parameters: [
    docValues,
    index,
    store,
    ignoreMalformed,
    booleanParameter('ignore_z_value', true, { updates: true }),
    nullValueParameter((value) => showNullValue(value)),
    script,
    onScriptError,
    meta,
    timeSeriesDimension,
    timeSeriesMetric,
  ],
  create,
  takesArrays: true,
  faultStyle: 'field',
};
