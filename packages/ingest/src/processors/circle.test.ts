import assert from 'node:assert/strict';
import { test } from 'node:test';
import { haversineMeters } from '@shoal/values';
import { sphereRing } from '../geo/circle.js';
import { processorTable } from '../testing/pipeline-table.js';

const plane = { field: 'a', error_distance: 100, shape_type: 'shape' };

test('circle makes polygons of circles', () =>
  processorTable('circle', [
    [
      plane,
      '{"a":"CIRCLE (30 10 40)"}',
      '{"a":"POLYGON ((70.0 10.0, 30.000000000000004 50.0, -10.0 10.000000000000005, ' +
        '29.999999999999993 -30.0, 70.0 10.0))"}',
    ],
    [
      { ...plane, target_field: 'b' },
      '{"a":{"type":"circle","coordinates":[0,0],"radius":"1m"}}',
      '{"a":{"type":"circle","coordinates":[0,0],"radius":"1m"},"b":{"type":"Polygon","coordinates":[[[1.0,0.0],' +
        '[6.123233995736766e-17,1.0],[-1.0,1.2246467991473532e-16],[-1.8369701987210297e-16,-1.0],[1.0,0.0]]]}}',
    ],
    [{ ...plane, ignore_missing: true }, '{}', '{}'],
    [plane, '{"a":null}', 'illegal_argument_exception: field [a] is null, cannot process it.'],
    [
      plane,
      '{"a":"POINT (30 10)"}',
      'illegal_argument_exception: invalid circle definition <- illegal_argument_exception: ' +
        'found [POINT] instead of circle',
    ],
    [plane, '{"a":3}', 'illegal_argument_exception: field [a] must be a WKT Circle or a GeoJSON Circle value'],
    [
      { ...plane, shape_type: 'round' },
      '{}',
      'exception: java.lang.IllegalArgumentException: illegal [shape_type] value [round]. valid values are ' +
        '[SHAPE, GEO_SHAPE] <- illegal_argument_exception: illegal [shape_type] value [round]. valid values are ' +
        '[SHAPE, GEO_SHAPE]',
    ],
    [{ field: 'a', shape_type: 'shape' }, '{}', 'parse_exception: [error_distance] required property is missing'],
    [
      { ...plane, shape_type: 'geo_shape' },
      '{"a":"CIRCLE (0 89 200000)"}',
      'illegal_argument_exception: invalid circle definition <- illegal_argument_exception: ' +
        'circle [CIRCLE (0.0 89.0 200000.0)] contains the north pole. It cannot be translated to a polygon',
    ],
  ]));

test('corners on the sphere are as far from the centre as the radius, within 10 cm', () => {
  const circle = { center: [-122.4, 37.8], radius: 5000, format: 'wkt' } as const;
  const ring = sphereRing(circle, 12);
  assert.equal(ring.length, 13);
  assert.deepEqual(ring[0], ring[12]);
  for (const [lon, lat] of ring) assert.ok(Math.abs(haversineMeters(37.8, -122.4, lat, lon) - 5000) < 0.1);
});
