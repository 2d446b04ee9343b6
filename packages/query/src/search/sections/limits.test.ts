import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('a shard stops after a number of matches', () =>
  sectionTable(
    'terminateAfter',
    [
      [{}, 0],
      [{ terminate_after: '5' }, 5],
    ],
    [[{ terminate_after: -1 }, 'illegal_argument_exception: terminateAfter must be > 0']],
  ));

test('a shard stops after a time', () =>
  sectionTable(
    'timeoutMs',
    [
      [{}, null],
      [{ timeout: '2s' }, 2000],
      [{ timeout: -1 }, null],
      [{ timeout: '-1' }, null],
    ],
    [
      [
        { timeout: '2 weeks' },
        'illegal_argument_exception: failed to parse [2 weeks] <- number_format_exception: For input string: "2 week"',
      ],
    ],
  ));
