import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { keepCells, shortGeohashCells } from './geo-cells.kernel.js';

/** A geohash by halving: longitude first, a bit of each in turn, 1 for the upper half. */
function plainCell(lat: number, lon: number, length: number): number {
  const box = { lat: [-90, 90], lon: [-180, 180] };
  let cell = 0;
  for (let bit = 0; bit < 5 * length; bit++) {
    const [side, value] = bit % 2 === 0 ? ([box.lon, lon] as const) : ([box.lat, lat] as const);
    const middle = (side[0]! + side[1]!) / 2;
    const isUpper = value >= middle;
    side[isUpper ? 0 : 1] = middle;
    cell = cell * 2 + Number(isUpper);
  }
  return cell;
}

/** Degrees in steps of 2^-16, finer than cells of six characters. */
const degrees = (max: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: -max * 65_536, max: max * 65_536 }).map((steps) => steps / 65_536),
    fc.constantFrom(-max, 0, max),
  );
const point = fc.tuple(degrees(90), degrees(180));

kernelContract(
  'shortGeohashCells halves the globe',
  ({ points, length }) => {
    const out = new Float64Array(points.length);
    const [lats, lons] = [Float64Array.from(points, ([lat]) => lat), Float64Array.from(points, ([, lon]) => lon)];
    shortGeohashCells(lats, lons, points.length, length, out);
    return [...out];
  },
  ({ points, length }) => points.map(([lat, lon]) => plainCell(lat, lon, length)),
  fc.record({ points: fc.array(point), length: fc.integer({ min: 1, max: 6 }) }),
  500,
);

kernelContract(
  'keepCells leaves out documents without a point',
  ({ lats, withBuckets }) => {
    const count = lats.length;
    const docs = Int32Array.from(lats, (_, i) => i);
    const buckets = withBuckets ? docs.map((doc) => doc % 3) : null;
    const cells = Float64Array.from(lats, (_, i) => 100 + i);
    const [outDocs, outOwners] = [new Int32Array(count), new Int32Array(count)];
    const size = keepCells(docs, buckets, Float64Array.from(lats), cells, count, outDocs, outOwners);
    return Array.from({ length: size }, (_, i) => [outDocs[i], outOwners[i], cells[i]]);
  },
  ({ lats, withBuckets }) =>
    lats
      .map((lat, i) => ({ lat, row: [i, withBuckets ? i % 3 : 0, 100 + i] }))
      .filter(({ lat }) => !Number.isNaN(lat))
      .map(({ row }) => row),
  fc.record({ lats: fc.array(fc.constantFrom(Number.NaN, 0, 1)), withBuckets: fc.boolean() }),
);
