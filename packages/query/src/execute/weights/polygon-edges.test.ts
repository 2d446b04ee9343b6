import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { polygonEdges } from './polygon-edges.js';

type Points = Parameters<typeof polygonEdges>[0];

/** The even-odd rule over all edges. */
function isInside(points: Points, lat: number, lon: number): boolean {
  let inside = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [[lat1, lon1], [lat2, lon2]] = [points[i]!, points[j]!];
    if (lat1 > lat !== lat2 > lat && lon < ((lon2 - lon1) * (lat - lat1)) / (lat2 - lat1) + lon1) inside = !inside;
  }
  return inside;
}

const latitude = fc.integer({ min: -18, max: 18 }).map((n) => n * 5);
const longitude = fc.integer({ min: -18, max: 18 }).map((n) => n * 10);
const polygons = fc.array(fc.tuple(latitude, longitude), { minLength: 3, maxLength: 60 });

test('bands of edges tell of points what all edges tell', () => {
  fc.assert(
    fc.property(polygons, fc.array(fc.tuple(latitude, longitude), { minLength: 20 }), (points, asked) => {
      const edges = polygonEdges(points);
      for (const [lat, lon] of asked)
        for (const shift of [0, 1.25])
          assert.equal(edges.contains(lat + shift, lon + shift), isInside(points, lat + shift, lon + shift));
    }),
    { numRuns: 300 },
  );
});

test('cells beside which no edge is are inside or outside with all of their points', () => {
  fc.assert(
    fc.property(polygons, latitude, longitude, fc.integer({ min: 1, max: 30 }), (points, lat, lon, size) => {
      const edges = polygonEdges(points);
      const relation = edges.relate(lat + 0.5, lat + 0.5 + size / 4, lon + 0.5, lon + 0.5 + size / 4);
      if (relation === 'crosses') return;
      for (let i = 0; i <= 4; i++)
        for (let j = 0; j <= 4; j++)
          assert.equal(edges.contains(lat + 0.5 + (size * i) / 16, lon + 0.5 + (size * j) / 16), relation === 'inside');
    }),
    { numRuns: 300 },
  );
});

test('a cell across a level edge is neither inside nor outside', () => {
  const edges = polygonEdges([
    [20, 0],
    [20, 10],
    [0, 10],
    [0, 0],
  ]);
  assert.equal(edges.relate(18, 22, 2, 8), 'crosses');
  assert.equal(edges.relate(15, 20, 2, 8), 'crosses', 'points on the edge itself are outside');
  assert.equal(edges.relate(2, 8, 2, 8), 'inside');
});

test('a point is compared with few edges of a large ring, and cells far from its edges with none', () => {
  const ring = Array.from({ length: 200_000 }, (_, i) => {
    const angle = (i * 2 * Math.PI) / 200_000;
    return [60 * Math.sin(angle), 60 * Math.cos(angle)] as const;
  });
  const edges = polygonEdges(ring);
  assert.ok(edges.edgesOfPointMax < 2_000, `${edges.edgesOfPointMax}`);
  assert.equal(edges.relate(-10, 10, -10, 10), 'inside');
  assert.equal(edges.relate(55, 59, 55, 59), 'outside');
  assert.equal(edges.relate(-10, 10, 50, 70), 'crosses');
});
