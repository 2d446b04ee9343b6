import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('a point in time has an id', () =>
  sectionTable(
    'pointInTime',
    [
      [{}, null],
      [{ pit: { id: 'x' } }, { id: 'x', keepAliveMs: null }],
      [{ pit: { id: 'x', keep_alive: '1m' } }, { id: 'x', keepAliveMs: 60_000 }],
    ],
    [
      [{ pit: {} }, 'illegal_argument_exception: point in time id is not provided'],
      [{ pit: { id: 'x', until: 1 } }, 'x_content_parse_exception: [pit] unknown field [until]'],
    ],
  ));
