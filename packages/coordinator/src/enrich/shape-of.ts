import { isPlainObject, JsonText } from '@shoal/json';
import { geohashBox } from '@shoal/values';

const NUMBER = '[+-]?\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?';
const LAT_LON = new RegExp(`^\\s*(${NUMBER})\\s*,\\s*(${NUMBER})\\s*$`);
const GEOHASH = /^[0-9b-hjkmnp-z]{1,12}$/;

const point = (lon: unknown, lat: unknown): unknown => ({ type: 'point', coordinates: [lon, lat] });
const isNumber = (value: unknown): boolean => typeof value === 'number' || value instanceof JsonText;

/**
 * Returns the shape that a value of a document means, as `geo_shape` queries take it: GeoJSON and well-known text are
 * left as they are; points may also be `{lat, lon}`, `[lon, lat]`, `"lat,lon"` or a geohash, and a list of shapes is a
 * collection.
 */
export function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return shapeOfText(value);
  if (Array.isArray(value)) {
    if (value.length >= 2 && value.every(isNumber)) return point(value[0], value[1]);
    return { type: 'geometrycollection', geometries: value.map(shapeOf) };
  }
  if (isPlainObject(value) && 'lat' in value && 'lon' in value) return point(value['lon'], value['lat']);
  return value;
}

function shapeOfText(text: string): unknown {
  const [, lat, lon] = LAT_LON.exec(text) ?? [];
  if (lat !== undefined) return point(Number(lon), Number(lat));
  if (!GEOHASH.test(text)) return text;
  const { top, left, bottom, right } = geohashBox(text);
  return point((left + right) / 2, (top + bottom) / 2);
}
