import { type ApiError, errors, isApiError } from '@shoal/errors';
import { type GeoBox, geohashBox } from './geohash.js';

/** A point in degrees. */
export interface GeoPoint {
  readonly lat: number;
  readonly lon: number;
}

const parseError = (reason: string): ApiError => errors.parse(reason);

function coordinate(value: unknown, name: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (typeof value === 'string')
    throw errors.parse(`[${name}] must be a valid double value`, {
      cause: errors.numberFormat(value.trim() === '' ? 'empty String' : `For input string: "${value}"`),
    });
  throw parseError(`${name} must be a number`);
}

function cellOf(hash: string): GeoBox {
  try {
    return geohashBox(hash);
  } catch (error) {
    throw isApiError(error) ? errors.parse(error.reason, { cause: error }) : error;
  }
}

function fromText(text: string): GeoPoint {
  if (/point/i.test(text)) return fromWkt(text);
  if (!text.includes(',')) {
    // A geohash stands for the corner of its cell, as in Elasticsearch, not for the middle.
    const { bottom, left } = cellOf(text);
    return { lat: bottom, lon: left };
  }
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > 3)
    throw parseError(`failed to parse [${text}], expected 2 or 3 coordinates but found: [${parts.length}]`);
  const [lat, lon] = [Number(parts[0]), Number(parts[1])];
  if (parts[0] === '' || Number.isNaN(lat)) throw parseError('latitude must be a number');
  if (parts[1] === '' || Number.isNaN(lon)) throw parseError('longitude must be a number');
  return { lat, lon };
}

function fromWkt(text: string): GeoPoint {
  const match = /^\s*POINT\s*Z?\s*\(\s*(\S+)\s+(\S+?)(?:\s+(\S+?))?\s*\)\s*$/i.exec(text);
  const [lon, lat] = match ? [Number(match[1]), Number(match[2])] : [Number.NaN, Number.NaN];
  if (Number.isNaN(lon) || Number.isNaN(lat)) throw parseError(`Invalid WKT format`);
  return { lat, lon };
}

function fromCoordinates(values: readonly unknown[]): GeoPoint {
  if (values.length > 3) throw parseError('[geo_point] field type does not accept more than 3 values');
  if (values.length < 2) throw parseError('field must be either lat/lon or geohash');
  return { lon: coordinate(values[0], 'coordinates'), lat: coordinate(values[1], 'coordinates') };
}

const KEYS = ['lon', 'lat', 'z', 'type', 'coordinates', 'geohash'];
const NO_FORMAT = 'field must be either lat/lon, geohash string or type/coordinates';

/** Checks that an object has all keys of exactly one form of a point. */
function checkKeys(value: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key)) throw parseError(`field [${key}] not supported - must be one of: ${KEYS.join(', ')}`);
    if (key === 'coordinates' && !Array.isArray(value[key])) throw parseError('[coordinates] must be an array');
  }
  const has = (key: string): boolean => Object.hasOwn(value, key);
  const forms: readonly [name: string, isThere: boolean][] = [
    ['geohash', has('geohash')],
    ['lon/lat', has('lon') && has('lat')],
    ['type/coordinates', has('type') && has('coordinates')],
  ];
  const found = forms.filter(([, isThere]) => isThere).map(([name]) => name);
  if (found.length > 1) throw parseError(`fields matching more than one point format found: [${found.join(', ')}]`);
  const count = KEYS.filter((key) => key !== 'z' && has(key)).length;
  if (found.length === 1 && count === found[0]!.split('/').length) return;
  if (found.length === 1 || count === 0) throw parseError(NO_FORMAT);
  const missing = has('lat') ? 'lon' : has('lon') ? 'lat' : has('type') ? 'coordinates' : 'type';
  throw parseError(`Required [${missing}]`);
}

/** Reads an object as builds before this one did: they took more keys beside `coordinates`, and two forms. */
function fromEarlierObject(value: Readonly<Record<string, unknown>>): GeoPoint {
  if (Object.hasOwn(value, 'coordinates') || Object.hasOwn(value, 'type')) {
    const { type, coordinates } = value;
    if (String(type).toLowerCase() !== 'point' || !Array.isArray(coordinates)) return fromObject(value);
    return fromCoordinates(coordinates);
  }
  const isKnown = Object.keys(value).every((key) => KEYS.includes(key));
  if (!isKnown) return fromObject(value);
  if (Object.hasOwn(value, 'geohash')) return fromText(String(value['geohash']));
  return fromObject(value);
}

function fromObject(value: Readonly<Record<string, unknown>>): GeoPoint {
  checkKeys(value);
  if (Object.hasOwn(value, 'geohash')) return fromText(String(value['geohash']));
  if (Object.hasOwn(value, 'lat'))
    return { lat: coordinate(value['lat'], 'latitude'), lon: coordinate(value['lon'], 'longitude') };
  if (String(value['type']).toLowerCase() !== 'point') throw parseError("[type] for geo_point can only be 'Point'");
  const list = value['coordinates'] as readonly unknown[];
  if (list.length < 2) throw parseError('[coordinates] must contain at least two values');
  return fromCoordinates(list);
}

/**
 * Parses the points of a JSON value: `{lat, lon}`, `[lon, lat]`, `"lat,lon"`, `"POINT (lon lat)"`, a geohash, GeoJSON,
 * or an array of these forms. Does not check that latitudes and longitudes are in range. Throws parse_exception.
 * `isLogged`: the point was accepted before, so an object may have more keys than one form has.
 */
export function parseGeoPoint(json: unknown, isLogged = false): GeoPoint[] {
  if (typeof json === 'string') return [fromText(json)];
  if (Array.isArray(json)) {
    return json.length > 0 && typeof json[0] === 'number'
      ? [fromCoordinates(json)]
      : json.flatMap((item) => parseGeoPoint(item, isLogged));
  }
  if (typeof json === 'object' && json !== null)
    return [(isLogged ? fromEarlierObject : fromObject)(json as Record<string, unknown>)];
  throw parseError('geo_point expected');
}
