import { test } from 'node:test';
import {
  type RecordedErrors,
  type RecordedResults,
  assertErrors,
  assertResults,
} from '../../testing/recorded-scripts.js';

const RESULTS: RecordedResults = [
  [
    "StringTokenizer t = new StringTokenizer('a,b;c,d', ','); t.nextToken() + ' ' + " +
      "t.nextToken(';') + ' ' + t.nextToken() + ' ' + t.countTokens()",
    'a ,b c,d 0',
  ],
  [
    "StringJoiner j = new StringJoiner(',', '[', ']'); j.add('a'); StringJoiner k = new " +
      "StringJoiner(';'); k.add('x').add('y'); j.merge(k).toString() + j.merge(new " +
      "StringJoiner('-'))",
    '[a,x;y][a,x;y]',
  ],
  ['[1, 2, 3].stream().collect(Collectors.reducing((a, b) -> a + b)).get()', '6'],
  ['[].stream().collect(Collectors.reducing((a, b) -> a + b)).isPresent()', 'false'],
  ["['a', 'bb'].stream().collect(Collectors.reducing(0, s -> s.length(), (a, b) -> a + b))", '3'],
  [
    "UUID u = UUID.fromString('2c1b6a00-7a0b-11ee-8c99-0242ac120002'); u.timestamp() + ' ' + " +
      "u.clockSequence() + ' ' + u.node() + ' ' + u.version()",
    '139182826898287104 3225 2485377957890 1',
  ],
  [
    "DecimalFormat f = new DecimalFormat('#,##0.00'); f.getMultiplier() + ' ' + " +
      "f.getPositivePrefix() + '|' + f.getNegativePrefix() + '|' + f.getNegativeSuffix() + '|' " +
      '+ f.getMaximumIntegerDigits()',
    '1 |-||2147483647',
  ],
  [
    "DecimalFormat f = new DecimalFormat('0.0'); f.applyPattern('#,##0.###'); " + 'f.format(1234567.891)',
    '1,234,567.891',
  ],
  [
    "DecimalFormat f = new DecimalFormat('0.0'); f.setNegativePrefix('minus '); " +
      "f.setNegativeSuffix('!'); f.format(-2.5) + f.format(2.5)",
    'minus 2.5!2.5',
  ],
  [
    "DecimalFormat f = new DecimalFormat('0.##'); f.setDecimalSeparatorAlwaysShown(true); " +
      'f.format(5) + f.isDecimalSeparatorAlwaysShown()',
    '5.true',
  ],
  ["DecimalFormat f = new DecimalFormat('0'); f.setMaximumIntegerDigits(2); f.format(12345)", '45'],
  [
    "DecimalFormat f = new DecimalFormat('0.00'); f.setParseIntegerOnly(true); " +
      "f.parse('12.75').toString() + f.isParseIntegerOnly()",
    '12true',
  ],
  ["new DecimalFormat('0.00').parseObject('12.75').toString()", '12.75'],
  [
    "SimpleDateFormat f = new SimpleDateFormat('yyyy'); f.applyPattern('yyyy-MM-dd'); " +
      "f.setTimeZone(TimeZone.getTimeZone('UTC')); f.format(new Date(0L)) + f.toPattern()",
    '1970-01-01yyyy-MM-dd',
  ],
  [
    "StringTokenizer t = new StringTokenizer('a,b,,c', ',', true); String s = ''; while " +
      "(t.hasMoreTokens()) { s += t.nextToken() + '|' } s",
    'a|,|b|,|,|c|',
  ],
  [
    "StringTokenizer t = new StringTokenizer('a b  c'); t.countTokens() + t.nextToken() + " +
      't.nextToken() + t.nextToken() + t.hasMoreTokens()',
    '3abcfalse',
  ],
  [
    "DecimalFormat f = new DecimalFormat('0.0%'); f.applyPattern('0.00'); f.format(0.5) + ' " + "' + f.getMultiplier()",
    '0.50 1',
  ],
  ["DecimalFormat f = new DecimalFormat('0.00;(0.00)'); f.applyPattern('0.0'); " + 'f.format(-1.25)', '-1.2'],
  [
    "DecimalFormat f = new DecimalFormat('#,##0.00'); f.setMaximumIntegerDigits(3); " +
      "f.format(1234567.5) + ' ' + f.format(1000.25) + ' ' + f.getMaximumIntegerDigits()",
    '567.50 000.25 3',
  ],
  [
    "DecimalFormat f = new DecimalFormat('000.0'); f.setMaximumIntegerDigits(2); " +
      "f.format(7.5) + ' ' + f.format(12345) + ' ' + f.getMinimumIntegerDigits()",
    '07.5 45.0 2',
  ],
  [
    "DecimalFormat f = new DecimalFormat('0.00'); f.setMaximumIntegerDigits(0); " + "f.format(7.5) + ' ' + f.format(0)",
    '.50 .00',
  ],
];

const ERRORS: RecordedErrors = [
  ['new UUID(0L, 0L).timestamp()', 'unsupported_operation_exception', 'Not a time-based UUID'],
  ["StringTokenizer t = new StringTokenizer('', ','); t.nextToken(';')", 'no_such_element_exception', null],
];

test('tokens, joined texts, parts of a UUID, reductions and patterns of formats do what they do in Java', () => {
  assertResults(RESULTS);
});

test('their errors are those of Java', () => {
  assertErrors(ERRORS);
});
