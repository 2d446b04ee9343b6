import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

const index = await searchFixture({
  mapping: { s: { type: 'geo_shape' }, plain: { type: 'geo_shape', index: false } },
  documents: [
    { s: 'POINT (5 5)' },
    {
      s: {
        type: 'LineString',
        coordinates: [
          [-20, 0],
          [20, 1],
        ],
      },
    },
    { s: 'POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (4 4, 6 4, 6 6, 4 6, 4 4))' },
    {
      s: {
        type: 'envelope',
        coordinates: [
          [170, 10],
          [-170, -10],
        ],
      },
    },
    { s: ['POINT (50 50)', 'POINT (60 60)'] },
    { s: 'POLYGON ((178 20, -178 20, -178 30, 178 30, 178 20))' },
    { plain: 'GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (2 2, 3 3))' },
  ],
});

const asked = (shape: unknown, relation = 'intersects', field = 's'): object => ({
  geo_shape: { [field]: { shape, relation } },
});

test('geo_shape fields are found by each relation', () =>
  index.finds([
    [asked('BBOX (4.5, 5.5, 5.5, 4.5)'), ['1']],
    [asked('BBOX (3, 7, 7, 3)'), ['1', '3']],
    [asked('BBOX (-1, 11, 11, -1)', 'within'), ['1', '3']],
    [asked('POLYGON ((1 1, 3 1, 3 3, 1 3, 1 1))', 'contains'), ['3']],
    [asked('POLYGON ((3 3, 7 3, 7 7, 3 7, 3 3))', 'contains'), []],
    [asked('BBOX (-30, 30, 30, -30)', 'disjoint'), ['4', '5', '6']],
    [asked('LINESTRING (0 -5, 0 5)'), ['2', '3']],
    [asked('MULTIPOINT (50 50, 1 1)'), ['3', '5']],
    [asked('BBOX (45, 55, 55, 45)', 'within'), []],
    [asked('BBOX (45, 65, 65, 45)', 'within'), ['5']],
  ]));

test('geo_shape fields across the date line are cut there', () =>
  index.finds([
    [asked('POINT (179 0)'), ['4']],
    [asked('POINT (-179 0)'), ['4']],
    [asked('BBOX (160, -160, 15, -15)', 'within'), ['4']],
    [asked('POINT (179 25)'), ['6']],
    [asked('POINT (-179 25)'), ['6']],
    [asked('POINT (100 25)'), []],
  ]));

test('geo_shape refuses lines that shapes are to lie within', () =>
  index.refuses([
    [
      asked('LINESTRING (0 0, 1 1)', 'within'),
      'query_shard_exception: failed to create query: LatLonShapeQuery does not support WITHIN queries with line ' +
        'geometries',
    ],
  ]));

test('geo_bounding_box finds the shapes that a box meets', () => {
  const box = (left: number, top: number, right: number, bottom: number): object => ({
    geo_bounding_box: { s: { top_left: [left, top], bottom_right: [right, bottom] } },
  });
  index.finds([
    [box(4.5, 5.5, 5.5, 4.5), ['1']],
    [box(3, 7, 7, 3), ['1', '3']],
    [box(175, 5, -175, -5), ['4']],
  ]);
});

test('a geo_shape field that is not indexed is searched by its column', () =>
  index.finds([
    [asked('POINT (1 1)', 'intersects', 'plain'), ['7']],
    [asked('BBOX (2, 4, 4, 2)', 'intersects', 'plain'), ['7']],
    [asked('BBOX (2, 4, 4, 2)', 'within', 'plain'), []],
    [{ exists: { field: 's' } }, ['1', '2', '3', '4', '5', '6']],
  ]));

test('random boxes are found as arithmetic says', async () => {
  let state = 7;
  const next = (below: number): number => (state = (state * 48271) % 2147483647) % below;
  const boxes = Array.from({ length: 300 }, () => {
    const [left, bottom] = [next(340) - 180 + 0.25, next(160) - 90 + 0.25];
    return { left, bottom, right: left + 1 + next(19), top: bottom + 1 + next(9) };
  });
  type Box = (typeof boxes)[number];
  const wkt = ({ left, right, top, bottom }: Box): string => `BBOX (${left}, ${right}, ${top}, ${bottom})`;
  const many = await searchFixture({
    mapping: { s: { type: 'geo_shape' } },
    documents: boxes.map((box) => ({ s: wkt(box) })),
  });
  const tests: Record<string, (a: Box, b: Box) => boolean> = {
    intersects: (a, b) => a.left <= b.right && a.right >= b.left && a.bottom <= b.top && a.top >= b.bottom,
    disjoint: (a, b) => a.left > b.right || a.right < b.left || a.bottom > b.top || a.top < b.bottom,
    within: (a, b) => a.left >= b.left && a.right <= b.right && a.bottom >= b.bottom && a.top <= b.top,
    contains: (a, b) => a.left <= b.left && a.right >= b.right && a.bottom <= b.bottom && a.top >= b.top,
  };
  let found = 0;
  for (let i = 0; i < 60; i++) {
    const [left, bottom] = [next(300) - 180 + 0.5, next(140) - 90 + 0.5];
    const query = { left, bottom, right: left + 0.2 + next(60), top: bottom + 0.2 + next(40) };
    for (const relation of Object.keys(tests)) {
      const expected = boxes.flatMap((box, at) => (tests[relation]!(box, query) ? [String(at + 1)] : []));
      found += relation === 'disjoint' ? 0 : expected.length;
      many.finds([[asked(wkt(query), relation), expected]]);
    }
  }
  assert.ok(found > 100);
});
