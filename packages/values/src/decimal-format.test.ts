import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalFormat } from './decimal-format.js';

/** Pattern, number, text of java.text.DecimalFormat. */
const ROWS: readonly (readonly [string, number, string])[] = [
  ['0.00', 1059670557753049.9, '1059670557753049.90'],
  ['0.000000000000000000000', 0.1234567, '0.123456700000000000000'],
  ['#,##0.0000', 2119341115506099, '2,119,341,115,506,099.0000'],
  ['0', 1e22, '10000000000000000000000'],
  ['0.00', 0.125, '0.12'],
  ['0.00', 0.375, '0.38'],
  ['0.0', 0.15, '0.1'],
  ['0', 0.5, '0'],
  ['0', 1.5, '2'],
  ['0', 2.5, '2'],
  ['#.##', 0.25, '0.25'],
  ['#.0', 0.25, '.2'],
  ['.##', 0.25, '.25'],
  ['#,###', 0, '0'],
  ['0.00', 1e-10, '0.00'],
  ['0.0', -0.04, '-0.0'],
  ['0%', 0.256, '26%'],
  ["'n:'#,##0.#", -1234.56, '-n:1,234.6'],
];

test('numbers are printed by patterns of DecimalFormat', () => {
  const shown = ROWS.map(([pattern, value]) => [pattern, value, decimalFormat(pattern)(value)]);
  assert.deepEqual(shown, ROWS);
});
