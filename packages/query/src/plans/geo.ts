import type { PlanOf } from '../execute/plan-of.js';
import { decodeLat, decodeLon, encodeLat, encodeLon, formatDouble } from '@shoal/values';
import { geoWeight } from '../execute/weights/geo.js';
import type { GeoArea } from '../plan.js';
import type { DescribeContext } from './plan-kind.js';
import type { PlanKind } from './plan-kind.js';

function describeGeo(field: string, area: GeoArea, options: DescribeContext): string {
  const lat = (value: number): string => formatDouble(decodeLat(encodeLat(value)));
  const lon = (value: number): string => formatDouble(decodeLon(encodeLon(value)));
  if (area.kind === 'distance')
    return `${field}:${lat(area.lat)},${lon(area.lon)} +/- ${formatDouble(area.meters)} meters`;
  if (area.kind === 'box') {
    const text =
      `${field}:box(minLat=${lat(area.bottom)}, maxLat=${lat(area.top)}, minLon=${lon(area.left)}, ` +
      `maxLon=${lon(area.right)})`;
    const points = `${field}:[${lat(area.bottom)} TO ${lat(area.top)}],[${lon(area.left)} TO ${lon(area.right)}]`;
    return options.bothWays === true ? `IndexOrDocValuesQuery(indexQuery=${points}, dvQuery=${text})` : text;
  }
  return `${field}:INTERSECTS:geometries([Polygon${area.points.map(([y, x]) => `[${x}, ${y}]`).join('')}])`;
}

/** Documents with a point in an area. */
export const geoKind: PlanKind<PlanOf<'geo'>> = {
  weight: geoWeight,
  describe: ({ field, area }, context) => describeGeo(field, area, context),
  scoresConstant: true,
  mayMatchNested: ({ field, area }, mapping) => area.kind !== 'box' || mapping.nestedParent(field) !== null,
};
