import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('a page begins at a hit that is not negative', () =>
  sectionTable(
    'from',
    [
      [{}, 0],
      [{ from: 20 }, 20],
      [{ from: '20' }, 20],
      [{ from: 2.9 }, 2],
    ],
    [
      [{ from: -1 }, 'illegal_argument_exception: [from] parameter cannot be negative but was [-1]'],
      [{ from: -7 }, 'illegal_argument_exception: [from] parameter cannot be negative but was [-7]'],
      [{ from: '' }, 'number_format_exception: empty String'],
    ],
  ));

test('a page has ten hits unless it says otherwise', () =>
  sectionTable(
    'size',
    [
      [{}, 10],
      [{ size: 0 }, 0],
      [{ size: '3' }, 3],
    ],
    [
      [{ size: -1 }, 'illegal_argument_exception: [size] parameter cannot be negative, found [-1]'],
      [{ size: { a: 1 } }, 'parsing_exception: Unknown key for a START_OBJECT in [size].'],
    ],
  ));
