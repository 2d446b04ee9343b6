import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedResults, assertResults, runScript } from '../../testing/recorded-scripts.js';

const RESULTS: RecordedResults = [
  [
    "new DecimalFormat('#,##0.00', DecimalFormatSymbols.getInstance(Locale.GERMANY)).format(1234567.891) + ' ' + " +
      "NumberFormat.getInstance(Locale.FRANCE).format(1234567.5) + ' ' + " +
      "new DecimalFormat('#,##0.0', new DecimalFormatSymbols(Locale.GERMANY)).parse('1.234,5')",
    '1.234.567,89 1\u00a0234\u00a0567,5 1234.5',
  ],
  [
    "DecimalFormatSymbols s = new DecimalFormatSymbols(); s.setDecimalSeparator((char)'_'); " +
      "s.setMinusSign((char)'~'); " +
      "new DecimalFormat('0.0', s).format(-1.5) + s.getGroupingSeparator() + s.getInfinity()",
    '~1_5,\u221e',
  ],
  [
    "Matcher m = /a+/.matcher('aabaa'); m.region(1, 4); String r = ''; " +
      "while (m.find()) { r += m.start() + '-' + m.end() + ' ' } " +
      'r + m.regionStart() + m.regionEnd() + m.reset().find() + m.start()',
    '1-2 3-4 14true0',
  ],
  ["Matcher m = /^b/.matcher('aba'); m.region(1, 3).lookingAt() + ' ' + m.find(0)", 'true false'],
  [
    "new SimpleDateFormat('d MMMM yyyy', Locale.GERMANY).format(new Date(0L)) + ' ' + " +
      "DateTimeFormatter.ofPattern('EEEE d MMMM', Locale.FRANCE).format(LocalDate.of(2024, 2, 1)) + ' ' + " +
      "LocalDate.parse('1 marzo 2024', DateTimeFormatter.ofPattern('d MMMM uuuu').withLocale(Locale.ITALY))",
    '1 Januar 1970 jeudi 1 février 2024-03-01',
  ],
];

test('numbers and names are written in a language, and a part of a text is searched, as Java has it', () => {
  assertResults(RESULTS);
});

test('a region outside of the text is refused', () => {
  assert.throws(() => runScript("/a/.matcher('a').region(2, 1)"), { type: 'script_exception' });
});
