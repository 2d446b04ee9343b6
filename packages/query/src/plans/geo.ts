import type { PlanOf } from '../execute/plan-of.js';
import { decodeLat, decodeLon, encodeLat, encodeLon, formatDouble } from '@shoal/values';
import { geoWeight } from '../execute/weights/geo.js';
import type { GeoArea } from '../plan.js';
import type { DescribeContext } from './plan-kind.js';
import type { PlanKind } from './plan-kind.js';

type Points = Extract<GeoArea, { kind: 'polygon' }>['points'];

/** The points of a polygon, of which the last is the first again. */
function closedRing(points: Points): Points {
  const [first, last] = [points[0]!, points.at(-1)!];
  return first[0] === last[0] && first[1] === last[1] ? points : [...points, first];
}

/** Returns an area in Lucene's notation. */
export function describeGeo(field: string, area: GeoArea, options: DescribeContext): string {
  const lat = (value: number): string => formatDouble(decodeLat(encodeLat(value)));
  const lon = (value: number): string => formatDouble(decodeLon(encodeLon(value)));
  if (area.kind === 'distance') {
    const [center, radius] = [`${lat(area.lat)},${lon(area.lon)}`, formatDouble(area.meters)];
    const circle = `${field}:INTERSECTS:geometries([CIRCLE([${center}] radius = ${radius} meters)])`;
    if (options.bothWays !== true) return circle;
    return `IndexOrDocValuesQuery(indexQuery=${field}:${center} +/- ${radius} meters, dvQuery=${circle})`;
  }
  if (area.kind === 'box') {
    const text =
      `${field}:box(minLat=${lat(area.bottom)}, maxLat=${lat(area.top)}, minLon=${lon(area.left)}, ` +
      `maxLon=${lon(area.right)})`;
    const points = `${field}:[${lat(area.bottom)} TO ${lat(area.top)}],[${lon(area.left)} TO ${lon(area.right)}]`;
    return options.bothWays === true ? `IndexOrDocValuesQuery(indexQuery=${points}, dvQuery=${text})` : text;
  }
  const ring = `${closedRing(area.points)
    .map(([y, x]) => `[${formatDouble(y)}, ${formatDouble(x)}]`)
    .join(' ')} `;
  const polygon = `${field}:INTERSECTS:geometries([${ring}])`;
  if (options.bothWays !== true) return polygon;
  return `IndexOrDocValuesQuery(indexQuery=LatLonPointQuery: field=${field}:[${ring},], dvQuery=${polygon})`;
}

/** Documents with a point in an area. */
export const geoKind: PlanKind<PlanOf<'geo'>> = {
  weight: geoWeight,
  describe: ({ field, area }, context) => describeGeo(field, area, context),
  scoresConstant: true,
  mayMatchNested: ({ field, area }, mapping) => area.kind !== 'box' || mapping.nestedParent(field) !== null,
};
