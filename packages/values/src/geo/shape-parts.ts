import { decodeLat, decodeLon, encodeLat, encodeLon } from './encoding.js';
import type { Geometry } from './geometry.js';

/**
 * A point, a line or a polygon. Each ring is a list of longitudes and latitudes in turn, quantised to 32 bits; the
 * first ring of a polygon is its outer one, and all are closed.
 */
export interface ShapePart {
  readonly kind: 'point' | 'line' | 'polygon';
  readonly rings: readonly Float64Array[];
}

/** Least and greatest coordinates. */
export interface ShapeBox {
  readonly minLon: number;
  readonly maxLon: number;
  readonly minLat: number;
  readonly maxLat: number;
}

type Positions = readonly (readonly [lon: number, lat: number])[];

/** Quantises positions as they are stored. */
function quantised(points: Positions): Float64Array {
  const ring = new Float64Array(points.length * 2);
  points.forEach(([lon, lat], i) => {
    ring[2 * i] = decodeLon(encodeLon(lon));
    ring[2 * i + 1] = decodeLat(encodeLat(lat));
  });
  return ring;
}

/** Twice the area that a ring encloses; positive if it runs counterclockwise. */
function signedArea(points: Positions): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) sum += points[i - 1]![0] * points[i]![1] - points[i]![0] * points[i - 1]![1];
  return sum;
}

/** Returns what of a ring lies on one side of a meridian (Sutherland and Hodgman 1974). */
function clipped(points: Positions, meridian: number, side: 1 | -1): Positions {
  const kept: [number, number][] = [];
  const isIn = (lon: number): boolean => (lon - meridian) * side <= 0;
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1]!, points[i]!];
    if (isIn(from[0])) kept.push([from[0], from[1]]);
    if (isIn(from[0]) === isIn(to[0])) continue;
    kept.push([meridian, from[1] + ((to[1] - from[1]) * (meridian - from[0])) / (to[0] - from[0])]);
  }
  if (kept.length > 0) kept.push(kept[0]!);
  return kept;
}

/**
 * Returns the parts of a polygon. One whose outer ring is wider than half of the earth and runs against the orientation
 * is taken to cross the date line, as 8.12 does, and is cut there.
 */
function polygonParts(rings: readonly Positions[], isRight: boolean): ShapePart[] {
  const outer = rings[0]!;
  let [min, max] = [Infinity, -Infinity];
  for (const [lon] of outer) [min, max] = [Math.min(min, lon), Math.max(max, lon)];
  const runsRight = signedArea(outer) > 0;
  if (max - min <= 180 || max - min === 360 || runsRight === isRight)
    return [{ kind: 'polygon', rings: rings.map(quantised) }];
  const moved = rings.map((ring) => ring.map(([lon, lat]) => [lon < 0 ? lon + 360 : lon, lat] as const));
  return ([1, -1] as const).flatMap((side): ShapePart[] => {
    const cut = moved
      .map((ring) => clipped(ring, 180, side))
      .map((ring) => (side === 1 ? ring : ring.map(([lon, lat]) => [lon - 360, lat] as const)));
    if (cut[0]!.length < 4) return [];
    return [{ kind: 'polygon', rings: cut.filter((ring) => ring.length >= 4).map(quantised) }];
  });
}

/** Returns the points, lines and polygons of a shape; `isRight` says that outer rings run counterclockwise. */
export function shapeParts(geometry: Geometry, isRight: boolean): ShapePart[] {
  switch (geometry.type) {
    case 'Point':
      return [{ kind: 'point', rings: [quantised([geometry.coordinates])] }];
    case 'MultiPoint':
      return geometry.coordinates.map((point) => ({ kind: 'point', rings: [quantised([point])] }));
    case 'LineString':
      return [{ kind: 'line', rings: [quantised(geometry.coordinates)] }];
    case 'MultiLineString':
      return geometry.coordinates.map((line) => ({ kind: 'line', rings: [quantised(line)] }));
    case 'Polygon':
      return polygonParts(geometry.coordinates, isRight);
    case 'MultiPolygon':
      return geometry.coordinates.flatMap((rings) => polygonParts(rings, isRight));
    case 'GeometryCollection':
      return geometry.geometries.flatMap((member) => shapeParts(member, isRight));
  }
}

/** Returns the box around a part. */
export function boxOfPart({ rings }: ShapePart): ShapeBox {
  const ring = rings[0]!;
  const box = { minLon: Infinity, maxLon: -Infinity, minLat: Infinity, maxLat: -Infinity };
  for (let i = 0; i < ring.length; i += 2) {
    box.minLon = Math.min(box.minLon, ring[i]!);
    box.maxLon = Math.max(box.maxLon, ring[i]!);
    box.minLat = Math.min(box.minLat, ring[i + 1]!);
    box.maxLat = Math.max(box.maxLat, ring[i + 1]!);
  }
  return box;
}

const KINDS = ['point', 'line', 'polygon'] as const;

/** Writes parts as bytes: for each its kind, the number of its rings, and each ring's length and quantised points. */
export function encodeParts(parts: readonly ShapePart[]): Uint8Array {
  let size = 0;
  for (const { rings } of parts) size += 5 + rings.reduce((sum, ring) => sum + 4 + ring.length * 4, 0);
  const view = new DataView(new ArrayBuffer(size));
  let at = 0;
  for (const { kind, rings } of parts) {
    view.setUint8(at, KINDS.indexOf(kind));
    view.setUint32(at + 1, rings.length);
    at += 5;
    for (const ring of rings) {
      view.setUint32(at, ring.length);
      at += 4;
      for (let i = 0; i < ring.length; i++, at += 4)
        view.setInt32(at, i % 2 === 0 ? encodeLon(ring[i]!) : encodeLat(ring[i]!));
    }
  }
  return new Uint8Array(view.buffer);
}

/** Reverse of `encodeParts`; also of several of its results one after the other. */
export function decodeParts(bytes: Uint8Array): ShapePart[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: ShapePart[] = [];
  for (let at = 0; at < bytes.length; ) {
    const kind = KINDS[view.getUint8(at)]!;
    const rings: Float64Array[] = [];
    let left = view.getUint32(at + 1);
    for (at += 5; left > 0; left--) {
      const ring = new Float64Array(view.getUint32(at));
      at += 4;
      for (let i = 0; i < ring.length; i++, at += 4)
        ring[i] = i % 2 === 0 ? decodeLon(view.getInt32(at)) : decodeLat(view.getInt32(at));
      rings.push(ring);
    }
    parts.push({ kind, rings });
  }
  return parts;
}
