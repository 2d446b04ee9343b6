import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('geo_grid makes shapes of cells', () =>
  processorTable('geo_grid', [
    [
      {
        field: 'a',
        tile_type: 'geotile',
        parent_field: 'p',
        children_field: 'c',
        non_children_field: 'n',
        precision_field: 'z',
      },
      '{"a":"4/8/5"}',
      '{"a":{"type":"Envelope","coordinates":[[0.0,55.77657301866768],[22.5,40.979898069620134]]},"p":"3/4/2",' +
        '"c":["5/16/10","5/16/11","5/17/10","5/17/11"],"n":[],"z":4}',
    ],
    [
      { field: 'a', tile_type: 'GEOHASH', target_field: 's', target_format: 'wkt', parent_field: 'p' },
      '{"a":"u"}',
      '{"a":"u","s":"BBOX (0.0, 45.0, 90.0, 45.0)"}',
    ],
    [
      { field: 'a', tile_type: 'geotile' },
      '{"a":"zz"}',
      'illegal_argument_exception: invalid tile definition <- illegal_argument_exception: Invalid geotile_grid hash ' +
        'string of zz. Must be three integers in a form "zoom/x/y".',
    ],
    [
      { field: 'a', tile_type: 'geotile' },
      '{"a":1}',
      'illegal_argument_exception: invalid tile definition <- illegal_argument_exception: ' +
        'field [a] must be a String tile address',
    ],
    [
      { field: 'a', tile_type: 'geohex' },
      '{}',
      'exception: java.lang.IllegalArgumentException: [tile_type] value [geohex] is not supported <- ' +
        'illegal_argument_exception: [tile_type] value [geohex] is not supported',
    ],
    [{ field: 'a', tile_type: 'geotile', ignore_missing: true }, '{}', '{}'],
  ]));
