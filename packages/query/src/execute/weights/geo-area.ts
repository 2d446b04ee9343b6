import { decodeLat, decodeLon, encodeLat, encodeLon, haversineMeters } from '@shoal/values';
import type { GeoArea } from '../../plan.js';
import { polygonEdges } from './polygon-edges.js';

type Relation = 'outside' | 'inside' | 'crosses';

/** Relation of cells and points to an area. */
export interface AreaTest {
  relate(minLat: number, maxLat: number, minLon: number, maxLon: number): Relation;
  contains(lat: number, lon: number): boolean;
  /** Edges that `contains` looks at at most; absent where it takes the same time for each area. */
  readonly edgesOfPointMax?: number;
}

/** Returns the test of an area. */
export function areaTest(area: GeoArea): AreaTest {
  if (area.kind === 'box') return boxTest(area);
  return area.kind === 'distance' ? circleTest(area) : polygonEdges(area.points);
}

/** Returns the test of a box. Its sides are quantised like the indexed points, so that a point on a side is inside. */
function boxTest(box: Extract<GeoArea, { kind: 'box' }>): AreaTest {
  const top = decodeLat(encodeLat(box.top));
  const bottom = decodeLat(encodeLat(box.bottom));
  const left = decodeLon(encodeLon(box.left));
  const right = decodeLon(encodeLon(box.right));
  const crossesDateLine = box.left > box.right;
  const inLon = (lon: number): boolean => (crossesDateLine ? lon >= left || lon <= right : lon >= left && lon <= right);
  return {
    contains: (lat, lon) => lat >= bottom && lat <= top && inLon(lon),
    relate: (minLat, maxLat, minLon, maxLon) => {
      if (minLat > top || maxLat < bottom) return 'outside';
      const lon = relateLon(left, right, crossesDateLine, minLon, maxLon);
      return lon === 'inside' && (minLat < bottom || maxLat > top) ? 'crosses' : lon;
    },
  };
}

function relateLon(left: number, right: number, crossesDateLine: boolean, minLon: number, maxLon: number): Relation {
  if (!crossesDateLine) {
    if (minLon > right || maxLon < left) return 'outside';
    return minLon >= left && maxLon <= right ? 'inside' : 'crosses';
  }
  if (minLon > right && maxLon < left) return 'outside';
  return minLon >= left || maxLon <= right ? 'inside' : 'crosses';
}

const EARTH_RADIUS_METERS = 6371008.7714;
const RADIANS = Math.PI / 180;

/** Metres added to a bound, so that rounding excludes no point on the rim. */
const SLACK_METERS = 1;

function circleTest({ lat, lon, meters }: Extract<GeoArea, { kind: 'distance' }>): AreaTest {
  const box = boundingBox(lat, lon, meters + SLACK_METERS);
  return {
    contains: (pointLat, pointLon) => haversineMeters(lat, lon, pointLat, pointLon) <= meters,
    relate: (minLat, maxLat, minLon, maxLon) => {
      if (minLat > box.top || maxLat < box.bottom || !box.meets(minLon, maxLon)) return 'outside';
      const isInside =
        maxLon - minLon < 90 && farthest(lat, lon, minLat, maxLat, minLon, maxLon) <= meters - SLACK_METERS;
      return isInside && box.isPlain ? 'inside' : 'crosses';
    },
  };
}

function farthest(lat: number, lon: number, minLat: number, maxLat: number, minLon: number, maxLon: number): number {
  return Math.max(
    haversineMeters(lat, lon, minLat, minLon),
    haversineMeters(lat, lon, minLat, maxLon),
    haversineMeters(lat, lon, maxLat, minLon),
    haversineMeters(lat, lon, maxLat, maxLon),
  );
}

interface CircleBounds {
  readonly top: number;
  readonly bottom: number;
  /** True if neither a pole nor the date line is inside. Then a cell whose corners are inside is inside. */
  readonly isPlain: boolean;
  meets(minLon: number, maxLon: number): boolean;
}

/**
 * Returns the rectangle around a circle on the sphere (Jan Matuschek, "Finding points within a distance of a
 * latitude/longitude").
 */
function boundingBox(lat: number, lon: number, meters: number): CircleBounds {
  const angle = meters / EARTH_RADIUS_METERS;
  const bottom = lat - angle / RADIANS;
  const top = lat + angle / RADIANS;
  if (bottom <= -90 || top >= 90 || angle >= Math.PI / 2)
    return { top: Math.min(top, 90), bottom: Math.max(bottom, -90), isPlain: false, meets: () => true };
  const half = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(lat * RADIANS))) / RADIANS;
  const west = lon - half;
  const east = lon + half;
  const isPlain = west >= -180 && east <= 180;
  const overlaps = (shift: number, minLon: number, maxLon: number): boolean =>
    minLon <= east + shift && maxLon >= west + shift;
  return {
    top,
    bottom,
    isPlain,
    meets: (minLon, maxLon) =>
      overlaps(0, minLon, maxLon) || overlaps(360, minLon, maxLon) || overlaps(-360, minLon, maxLon),
  };
}
