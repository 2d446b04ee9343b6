import type { GeoArea } from '../../plan.js';

type Points = Extract<GeoArea, { kind: 'polygon' }>['points'];

/** A polygon, asked about points and cells. Edges are straight in latitude and longitude. */
export interface PolygonEdges {
  /** Whether a point is inside by the even-odd rule. */
  contains(lat: number, lon: number): boolean;
  /** Relation of a cell: `crosses` if an edge may meet it. */
  relate(minLat: number, maxLat: number, minLon: number, maxLon: number): 'outside' | 'inside' | 'crosses';
  /** The most edges that one call of `contains` looks at. */
  readonly edgesOfPointMax: number;
}

/** Bands hold at most this many times as many edges as the polygon has: one that is long stands in many. */
const COPIES_MAX = 16;
const BANDS_MAX = 65_536;
/** Cells are taken for as much wider in degrees, so that rounding puts no edge beside a cell that it meets. */
const SLACK = 1e-9;

interface Bounds {
  minLat: number;
  maxLat: number;
  minLon: number;
  maxLon: number;
}

/**
 * Puts the edges of a polygon into bands of equal height, so that a point is compared with the edges of its band
 * instead of with all of them: a few, where edges are short beside the polygon.
 */
export function polygonEdges(points: Points): PolygonEdges {
  const bounds = boundsOf(points);
  const bands = bandsOf(points, bounds);
  const { band, starts, edges } = bands;
  const contains = (lat: number, lon: number): boolean => {
    if (lat < bounds.minLat || lat > bounds.maxLat || lon < bounds.minLon || lon > bounds.maxLon) return false;
    let inside = false;
    const at = band(lat);
    for (let k = starts[at]!; k < starts[at + 1]!; k++) if (isLeftOf(points, edges[k]!, lat, lon)) inside = !inside;
    return inside;
  };
  return {
    contains,
    edgesOfPointMax: mostOf(starts),
    relate(minLat, maxLat, minLon, maxLon) {
      if (minLat > bounds.maxLat || maxLat < bounds.minLat || minLon > bounds.maxLon || maxLon < bounds.minLon)
        return 'outside';
      const cell = { minLat: minLat - SLACK, maxLat: maxLat + SLACK, minLon: minLon - SLACK, maxLon: maxLon + SLACK };
      for (let k = starts[band(cell.minLat)]!; k < starts[band(cell.maxLat) + 1]!; k++)
        if (mayMeet(points, edges[k]!, cell)) return 'crosses';
      return contains((minLat + maxLat) / 2, (minLon + maxLon) / 2) ? 'inside' : 'outside';
    },
  };
}

function boundsOf(points: Points): Bounds {
  const bounds = { minLat: Infinity, maxLat: -Infinity, minLon: Infinity, maxLon: -Infinity };
  for (const [lat, lon] of points) {
    bounds.minLat = Math.min(bounds.minLat, lat);
    bounds.maxLat = Math.max(bounds.maxLat, lat);
    bounds.minLon = Math.min(bounds.minLon, lon);
    bounds.maxLon = Math.max(bounds.maxLon, lon);
  }
  return bounds;
}

interface Bands {
  /** The band of a latitude; the first or last for one beyond the polygon. */
  band(lat: number): number;
  /** Where the edges of each band begin in `edges`, and the end of the last. */
  readonly starts: Int32Array;
  /** Numbers of edges, band by band. Edge i goes from point i - 1, or the last one, to point i. */
  readonly edges: Int32Array;
}

function bandsOf(points: Points, { minLat, maxLat }: Bounds): Bands {
  const height = maxLat - minLat;
  const count = height > 0 ? bandCount(points, height) : 1;
  const perDegree = height > 0 ? count / height : 0;
  const band = (lat: number): number => Math.max(0, Math.min(count - 1, Math.floor((lat - minLat) * perDegree)));
  const starts = new Int32Array(count + 1);
  // Level edges too: no ray to the east crosses one, but a cell may lie across it.
  const each = (take: (band: number, edge: number) => void): void => {
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [a, b] = [points[i]![0], points[j]![0]];
      for (let at = band(Math.min(a, b)), last = band(Math.max(a, b)); at <= last; at++) take(at, i);
    }
  };
  each((at) => void starts[at + 1]!++);
  for (let at = 0; at < count; at++) starts[at + 1]! += starts[at]!;
  const edges = new Int32Array(starts[count]!);
  const next = starts.slice();
  each((at, edge) => void (edges[next[at]!++] = edge));
  return { band, starts, edges };
}

/** As many bands as edges, fewer where edges are long. */
function bandCount(points: Points, height: number): number {
  let total = 0;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) total += Math.abs(points[i]![0] - points[j]![0]);
  const most = Math.min(BANDS_MAX, points.length);
  return Math.max(1, Math.min(most, Math.floor((COPIES_MAX * points.length * height) / total)));
}

/** Whether a ray from a point to the east crosses an edge. */
function isLeftOf(points: Points, edge: number, lat: number, lon: number): boolean {
  const [lat1, lon1] = points[edge]!;
  const [lat2, lon2] = points[edge === 0 ? points.length - 1 : edge - 1]!;
  return lat1 > lat !== lat2 > lat && lon < ((lon2 - lon1) * (lat - lat1)) / (lat2 - lat1) + lon1;
}

/** Whether the box around an edge meets a cell. */
function mayMeet(points: Points, edge: number, { minLat, maxLat, minLon, maxLon }: Bounds): boolean {
  const [lat1, lon1] = points[edge]!;
  const [lat2, lon2] = points[edge === 0 ? points.length - 1 : edge - 1]!;
  return (
    Math.min(lat1, lat2) <= maxLat &&
    Math.max(lat1, lat2) >= minLat &&
    Math.min(lon1, lon2) <= maxLon &&
    Math.max(lon1, lon2) >= minLon
  );
}

function mostOf(starts: Int32Array): number {
  let most = 0;
  for (let at = 0; at + 1 < starts.length; at++) most = Math.max(most, starts[at + 1]! - starts[at]!);
  return most;
}
