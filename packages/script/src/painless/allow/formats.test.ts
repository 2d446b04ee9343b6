import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { compile } from '../../compile.js';
import { textOf } from '../../runtime/java-text.js';

/** Scripts and the texts of their results, or of the causes of their errors, as OpenSearch 2.19 answers them. */
const ROWS: readonly (readonly [source: string, answer: string])[] = [
  ["String.format('%02d', new def[] {5})", '05'],
  ["String.format('%.2f', new def[] {3.14159})", '3.14'],
  ["String.format('%s-%s', new def[] {'a', 1})", 'a-1'],
  ["String.format('%5s|%-5s|', new def[] {'a', 'b'})", '    a|b    |'],
  ["String.format('%,d', new def[] {1234567})", '1,234,567'],
  ["String.format('%x', new def[] {255})", 'ff'],
  ["String.format('%08.3f', new def[] {3.14159})", '0003.142'],
  ["String.format('%d%%', new def[] {5})", '5%'],
  ["String.format('%e', new def[] {12345.678})", '1.234568e+04'],
  ["String.format('%b %c', new def[] {true, (char)'x'})", 'true x'],
  ["String.format('%d', new def[] {'x'})", 'illegal_format_conversion_exception: d != java.lang.String'],
  ["String.format('%d', new def[] {})", "missing_format_argument_exception: Format specifier '%d'"],
  ["String.format(Locale.ROOT, '%.1f', new def[] {2.25})", '2.3'],
  ["'ABC'.toLowerCase(Locale.ROOT)", 'abc'],
  ["'abc'.codePointCount(0, 3)", '3'],
  ["'abc'.codePoints().sum()", '294'],
  ["'abc'.regionMatches(true, 0, 'ABC', 0, 3)", 'true'],
  ["'abc'.encodeBase64()", 'YWJj'],
  ["'YWJj'.decodeBase64()", 'abc'],
  ['Base64.getEncoder().encodeToString(new byte[] {(byte)1, (byte)2})', 'AQI='],
  ["Base64.getDecoder().decode('AQI=').length", '2'],
  ["UUID.fromString('123e4567-e89b-12d3-a456-426614174000').toString()", '123e4567-e89b-12d3-a456-426614174000'],
  ['new Date(0L).getTime()', '0'],
  ['new Date(0L).before(new Date(5L))', 'true'],
  ["new StringTokenizer('a b c').countTokens()", '3'],
  ["new StringTokenizer('a,b', ',').nextToken()", 'a'],
  ["new StringJoiner(',', '[', ']').add('a').add('b').toString()", '[a,b]'],
  [
    "def t = new TreeMap(); t.put('b',1); t.put('a',2); t.descendingMap().toString() + t.poll" +
      'FirstEntry().getKey() + t.size()',
    '{b=1, a=2}a1',
  ],
  [
    'def t = new TreeSet(); t.add(3); t.add(1); t.add(2); t.headSet(2).toString() + t.ceiling' +
      '(2) + t.floor(0) + t.descendingSet() + t.pollLast()',
    '[1]2null[3, 2, 1]3',
  ],
  ['[3,1,2].stream().mapToInt(x -> x).summaryStatistics().getMax()', '3'],
  [
    '[3,1,2].stream().collect(Collectors.summarizingDouble(x -> x)).toString()',
    'DoubleSummaryStatistics{count=3, sum=6.000000, min=1.000000, average=2.000000, max=3.000' + '000}',
  ],
  [
    '[3,1,2].stream().mapToInt(x -> x).summaryStatistics().toString()',
    'IntSummaryStatistics{count=3, sum=6, min=1, average=2.000000, max=3}',
  ],
  [
    '[3,1,2].stream().collect(Collectors.partitioningBy(x -> x > 1, Collectors.counting())).t' + 'oString()',
    '{false=1, true=2}',
  ],
  ['[3,1,2].stream().collect(Collectors.reducing(0, (a,b) -> a + b))', '6'],
  ['[3,1,2].stream().mapToInt(x -> x).reduce(0, (a,b) -> a + b)', '6'],
  ['IntStream.range(0, 5).mapToObj(i -> i * i).collect(Collectors.toList()).toString()', '[0, 1, 4, 9, 16]'],
  ['IntStream.rangeClosed(1, 5).sum()', '15'],
  ['IntStream.range(0, 5).mapToDouble(i -> i / 2.0).sum()', '5.0'],
  ['IntStream.range(0, 5).asLongStream().sum()', '10'],
  ['def a = [1,2,3]; Collections.rotate(a, 1); a.toString()', '[3, 1, 2]'],
  ['def a = [3,1,2]; Collections.sort(a); Collections.binarySearch(a, 2)', '1'],
  ['def a = [3,1,2]; Collections.addAll(a, new def[] {7}); a.toString()', '[3, 1, 2, 7]'],
  ['def a = [1,2,3].toArray(); a.length', '3'],
  ['def a = [1,2,3].toArray(new def[0]); a.length', '3'],
  ["def m = new HashMap(); m.put('a', 1); m.clone()", '{a=1}'],
  ['Integer.reverse(1)', '-2147483648'],
  ['Integer.highestOneBit(100)', '64'],
  ['Double.doubleToLongBits(1.0)', '4607182418800017408'],
  ['Float.floatToIntBits(1.0f)', '1065353216'],
  ['Math.nextAfter(1.0, 2.0)', '1.0000000000000002'],
  ['Objects.hash(new def[] {1,2})', '994'],
  ['new Random(42L).nextInt(10)', '0'],
  ['new Random(42L).nextDouble()', '0.7275636800328681'],
  ['new Random(42L).nextLong()', '-5025562857975149833'],
  ['new Random(42L).nextGaussian()', '1.1419053154730547'],
  ['def l = [1,2,3]; Collections.shuffle(l, new Random(1L)); l.toString()', '[2, 3, 1]'],
  ['def l = [1,2,3]; Collections.swap(l, 0, 2); l.toString()', '[3, 2, 1]'],
  ["'%s'.format('a')", 'illegal_argument_exception: member method [java.lang.String, format/1] not found'],
  ["DecimalFormat df = new DecimalFormat('#.##'); df.format(3.14159)", '3.14'],
  ["new DecimalFormat('0.00').format(2.5)", '2.50'],
  ["new DecimalFormat('#,##0.00').format(1234567.891)", '1,234,567.89'],
  ["new DecimalFormat('000').format(7)", '007'],
  ["new DecimalFormat('0.0%').format(0.256)", '25.6%'],
  ["new SimpleDateFormat('yyyy-MM-dd').format(new Date(0L))", '1970-01-01'],
  ["new SimpleDateFormat('yyyy-MM-dd HH:mm').parse('2024-02-29 10:11').getTime()", '1709201460000'],
  ['NumberFormat.getInstance().format(1234.5)', '1,234.5'],
  ["TimeZone.getTimeZone('UTC').getID()", 'UTC'],
  ["String.format('%1$s %1$s %2$d', new def[] {'a', 2})", 'a a 2'],
  ["String.format('%-6.2f|', new def[] {2.345})", '2.35  |'],
  ["String.format('%+d % d %(d', new def[] {5, 5, -5})", '+5  5 (5)'],
  ["String.format('%,.2f', new def[] {1234567.895})", '1,234,567.90'],
  ["String.format('%S %X', new def[] {'abc', 255})", 'ABC FF'],
  ["String.format('%.3s', new def[] {'abcdef'})", 'abc'],
  ["String.format('%g', new def[] {0.00012345})", '0.000123450'],
  ["String.format('%g', new def[] {123456.789})", '123457'],
  ["String.format('%.0f', new def[] {2.5})", '3'],
  ["String.format('%.2f', new def[] {1.005})", '1.01'],
  ["String.format('%5d|%-5d|%05d', new def[] {42, 42, 42})", '   42|42   |00042'],
  ["String.format('%x', new def[] {-1})", 'ffffffff'],
  ["String.format('%q', new def[] {1})", "unknown_format_conversion_exception: Conversion = 'q'"],
  ["String.format('%d', new def[] {1.5})", 'illegal_format_conversion_exception: d != java.lang.Double'],
  ["String.format('%f', new def[] {1})", 'illegal_format_conversion_exception: f != java.lang.Integer'],
  ["String.format('%s', new def[] {[1, 2]})", '[1, 2]'],
  ["String.format('%s', new def[] {null})", 'null'],
  ["String.format('%n', new def[] {}).length()", '1'],
  ["new DecimalFormat('#').format(2.5)", '2'],
  ["new DecimalFormat('0').format(3.5)", '4'],
  ["new DecimalFormat('#.00').format(0.5)", '.50'],
  ["new DecimalFormat('$#,##0.00;($#,##0.00)').format(-1234.5)", '($1,234.50)'],
  ["new DecimalFormat('0.###').format(1.0)", '1'],
  ["new DecimalFormat('00.00').format(-1.005)", '-01.00'],
  ['new DecimalFormat().format(1234.56789)', '1,234.568'],
  ["def f = new DecimalFormat('0.00'); f.setRoundingMode(RoundingMode.HALF_UP); f.format(2.3" + '45)', '2.35'],
  ['NumberFormat.getPercentInstance().format(0.256)', '26%'],
  ['def f = NumberFormat.getInstance(); f.setMaximumFractionDigits(1); f.format(1234.56)', '1,234.6'],
  ["new SimpleDateFormat('dd MMM yyyy HH:mm:ss').format(new Date(1700000000000L))", '14 Nov 2023 22:13:20'],
  [
    'new SimpleDateFormat("yyyy-MM-dd\'T\'HH:mm:ss.SSSZ").format(new Date(1700000000000L))',
    '2023-11-14T22:13:20.000+0000',
  ],
  ["new SimpleDateFormat('yyyy-MM-dd').parse('nope')", 'parse_exception: Unparseable date: "nope"'],
  ['new Date(1700000000000L).toString()', 'Tue Nov 14 22:13:20 UTC 2023'],
  [
    "def f = new SimpleDateFormat('HH:mm'); f.setTimeZone(TimeZone.getTimeZone('Asia/Tokyo'))" +
      '; f.format(new Date(0L))',
    '09:00',
  ],
  ['Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[] {(byte)-1, (byte)-2})', '__4'],
  ["UUID.fromString('x')", 'illegal_argument_exception: Invalid UUID string: x'],
  ["UUID.fromString('123e4567-e89b-12d3-a456-426614174000').hashCode()", '1256478162'],
  ["UUID.fromString('123e4567-e89b-12d3-a456-426614174000').getMostSignificantBits()", '1314564453825188563'],
  ["new StringTokenizer('a,b;c', ',;', true).countTokens()", '5'],
  ['Integer.rotateLeft(1, 33)', '2'],
  ['Long.reverse(1L)', '-9223372036854775808'],
  ['Integer.divideUnsigned(-1, 2)', '2147483647'],
  [
    "def t = new TreeSet(['b','a'])",
    'class_cast_exception: Cannot cast from [java.util.ArrayList] to [java.util.Comparator].',
  ],
  [
    'def t = new TreeMap(); t.put(1,1); t.put(2,2); t.put(3,3); t.subMap(1, 3).toString() + t' +
      '.headMap(2, true) + t.tailMap(2, false) + t.lastEntry().getKey()',
    '{1=1, 2=2}{1=1, 2=2}{3=3}3',
  ],
  ['[5, 1, 4].stream().collect(Collectors.summarizingInt(x -> x)).getAverage()', '3.3333333333333335'],
];

const PARAMETERS = { x: 5, d: 1.5, t: 'abc', l: [3, 1, 2], m: { a: 1, b: { c: 2 } } };

function answer(source: string): string {
  try {
    const script = { lang: 'painless', source, id: null, params: {}, options: {} };
    return textOf(compile(script, 'painless_test').call([structuredClone(PARAMETERS)]));
  } catch (error) {
    if (!isApiError(error)) throw error;
    return `${error.causedBy?.type}: ${error.causedBy?.reason}`;
  }
}

test('texts of numbers and dates, sorted maps and the rest of java.util are those of Java', () => {
  for (const [source, expected] of ROWS) assert.equal(answer(source), expected, source);
});
