import type { GeoPoint } from './geo-point.js';

/** The remainder of a division by 360 in (-180, 180]. */
function around(degrees: number): number {
  const rest = degrees % 360;
  const positive = rest <= 0 ? rest + 360 : rest;
  return positive > 180 ? positive - 360 : positive;
}

/**
 * Returns the point of the globe that coordinates beyond its bounds lead to: past a pole on the other side, past the
 * antimeridian from the other end. Coordinates within the bounds stay as they are.
 */
export function normalizePoint({ lat, lon }: GeoPoint): GeoPoint {
  const isLonBeyond = Math.abs(lon) > 180;
  if (Math.abs(lat) <= 90) return { lat, lon: isLonBeyond ? around(lon) : lon };
  const turned = around(lat);
  if (Math.abs(turned) <= 90) return { lat: turned, lon: isLonBeyond ? around(lon) : lon };
  const across = isLonBeyond ? around(lon + 180) : lon + (lon > 0 ? -180 : 180);
  return { lat: (turned < 0 ? -180 : 180) - turned, lon: across };
}
