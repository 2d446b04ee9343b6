import { EARTH_RADIUS_METERS, decodeLat, decodeLon, encodeLat, encodeLon, haversineMeters } from '@shoal/values';
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

const RADIANS = Math.PI / 180;

/** Metres added to a bound, so that rounding excludes no point on the rim. */
const SLACK_METERS = 1;

function circleTest({ lat, lon, meters }: Extract<GeoArea, { kind: 'distance' }>): AreaTest {
  const box = boundingBox(lat, lon, meters + SLACK_METERS);
  return {
    contains: circleContains(lat, lon, meters, box),
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

/** Rows of equal height into which a circle is cut. */
const ROWS = 64;

/**
 * Returns the test of points. A circle is cut into rows by latitude, whose ends are worked out once: of most points the
 * longitude alone then says on which side they are, and distances, which take five times as long, are left for the few
 * between a row's inner and outer end.
 */
function circleContains(lat: number, lon: number, meters: number, box: CircleBounds): AreaTest['contains'] {
  const isNear = (pointLat: number, pointLon: number): boolean =>
    haversineMeters(lat, lon, pointLat, pointLon) <= meters;
  if (!box.isBounded) return isNear;
  const rows = circleRows(lat, meters, box);
  const centre = lon - 360 * Math.round(lon / 360);
  const perDegree = ROWS / (box.top - box.bottom);
  return (pointLat, pointLon) => {
    if (pointLat < box.bottom || pointLat > box.top) return false;
    const row = 2 * Math.min(ROWS - 1, Math.floor((pointLat - box.bottom) * perDegree));
    const apart = Math.abs(pointLon - centre);
    const east = apart > 180 ? 360 - apart : apart;
    if (east <= rows[row]!) return true;
    return east <= rows[row + 1]! && isNear(pointLat, pointLon);
  };
}

/**
 * Returns pairs of degrees for each row, beginning in the south: up to the first of them east or west of the centre
 * each point of the row is in the circle, beyond the second none. Half the width of a circle grows up to one latitude
 * and shrinks from there on, so that it is least at an edge of a row, and greatest at the other or at that latitude.
 */
function circleRows(lat: number, meters: number, { bottom, top, half }: CircleBounds): Float64Array {
  const [inner, outer] = [halfWidth(lat, meters - SLACK_METERS), halfWidth(lat, meters + SLACK_METERS)];
  const widest = Math.asin(Math.sin(lat * RADIANS) / Math.cos((meters + SLACK_METERS) / EARTH_RADIUS_METERS)) / RADIANS;
  const edge = (row: number): number => bottom + ((top - bottom) * row) / ROWS;
  const rows = new Float64Array(2 * ROWS);
  for (let row = 0; row < ROWS; row++) {
    const [south, north] = [edge(row), edge(row + 1)];
    rows[2 * row] = Math.min(inner(south), inner(north));
    const isWidest = widest >= edge(row - 1) && widest <= edge(row + 2);
    rows[2 * row + 1] = isWidest ? half : Math.max(outer(south), outer(north));
  }
  return rows;
}

/** Returns the degrees between the centre of a circle and its rim at a latitude; -1 where it has no points. */
function halfWidth(lat: number, meters: number): (at: number) => number {
  const reach = 1 - Math.cos(Math.max(0, meters) / EARTH_RADIUS_METERS);
  return (at) => {
    const left = reach - (1 - Math.cos((at - lat) * RADIANS));
    if (meters <= 0 || left < 0) return -1;
    const sine = left / (2 * Math.cos(at * RADIANS) * Math.cos(lat * RADIANS));
    return (2 * Math.asin(Math.min(1, Math.sqrt(sine)))) / RADIANS;
  };
}

interface CircleBounds {
  readonly top: number;
  readonly bottom: number;
  /** Degrees from the centre to the eastern end. */
  readonly half: number;
  /** False if a pole is inside, or more than half of the sphere: `half` says nothing then. */
  readonly isBounded: boolean;
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
    return {
      top: Math.min(top, 90),
      bottom: Math.max(bottom, -90),
      half: 180,
      isBounded: false,
      isPlain: false,
      meets: () => true,
    };
  const half = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(lat * RADIANS))) / RADIANS;
  const west = lon - half;
  const east = lon + half;
  const isPlain = west >= -180 && east <= 180;
  const overlaps = (shift: number, minLon: number, maxLon: number): boolean =>
    minLon <= east + shift && maxLon >= west + shift;
  return {
    top,
    bottom,
    half,
    isBounded: true,
    isPlain,
    meets: (minLon, maxLon) =>
      overlaps(0, minLon, maxLon) || overlaps(360, minLon, maxLon) || overlaps(-360, minLon, maxLon),
  };
}
