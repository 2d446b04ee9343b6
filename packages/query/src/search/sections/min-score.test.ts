import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('a score to reach is a 32-bit float, also as text', () =>
  sectionTable(
    'minScore',
    [
      [{}, null],
      [{ min_score: 2 }, 2],
      [{ min_score: 0.1 }, Math.fround(0.1)],
      [{ min_score: '1.5' }, 1.5],
    ],
    [[{ min_score: 'low' }, 'number_format_exception: For input string: "low"']],
  ));
