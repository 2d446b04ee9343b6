import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../testing/recorded-scripts.js';

/** Scripts and the texts of their results, or of the causes of their errors, as OpenSearch 2.19 answers them. */
const ROWS: readonly (readonly [source: string, answer: string])[] = [
  ['Arrays.asList(new def[] {1,2}).toString()', '[1, 2]'],
  ['BigDecimal.ONE.add(BigDecimal.TEN).toString()', '11'],
  ['BigDecimal.valueOf(0.1).add(BigDecimal.valueOf(0.2)).toString()', '0.3'],
  ['BigDecimal.valueOf(100).toString()', '100.0'],
  ['BigDecimal.valueOf(1234L).scale()', '1'],
  ['BigDecimal.valueOf(2.50).stripTrailingZeros().toPlainString()', '2.5'],
  ['BigInteger.TEN.pow(20).bitLength()', '67'],
  ['BigInteger.ZERO.divide(BigInteger.ZERO)', 'arithmetic_exception: BigInteger divide by zero'],
  ['BigInteger.valueOf(-7).divide(BigInteger.valueOf(2)).toString()', '-3'],
  ['BigInteger.valueOf(-7).mod(BigInteger.valueOf(2)).toString()', '1'],
  ['BigInteger.valueOf(-7).remainder(BigInteger.valueOf(2)).toString()', '-1'],
  ['BigInteger.valueOf(12).gcd(BigInteger.valueOf(18)).intValue()', '6'],
  ['BigInteger.valueOf(2).pow(100).longValue()', '0'],
  ['BigInteger.valueOf(2).pow(40).intValue()', '0'],
  ['BigInteger.valueOf(2).pow(70).doubleValue()', '1.1805916207174113E21'],
  [
    "BigInteger.valueOf(255).bitLength() + ' ' + BigInteger.valueOf(-256).bitLength() + ' ' +" +
      " BigInteger.valueOf(0).bitLength() + ' ' + BigInteger.valueOf(256).bitLength()",
    '8 8 0 9',
  ],
  ['BigInteger.valueOf(255).testBit(3)', 'true'],
  ['BigInteger.valueOf(3).modPow(BigInteger.valueOf(200), BigInteger.valueOf(13)).toString()', '9'],
  ['BigInteger.valueOf(5).compareTo(BigInteger.valueOf(6))', '-1'],
  ['BigInteger.valueOf(5).longValue() + 1', '6'],
  ['BigInteger.valueOf(5).shiftLeft(70).toString()', '5902958103587056517120'],
  ['BigInteger.valueOf(Long.MAX_VALUE).add(BigInteger.ONE).toString()', '9223372036854775808'],
  ['List m = [1]; m.each(x -> { x + 1 }); 5', '5'],
  ['List m = [1]; m.forEach(x -> x + 1); 5', '5'],
  ["Map m = ['a':1,'b':2]; m.entrySet().removeIf(e -> e.getValue() == 2); m.toString()", '{a=1}'],
  ["Map m = ['a':1]; def s = []; m.forEach((k,v) -> { s.add(k); }); s.toString()", '[a]'],
  ['Queue q = new LinkedList(); q.offer(1); q.poll()', '1'],
  [
    "[new BigDecimal('2'), new BigDecimal('1')].stream().sorted().collect(Collectors.toList()" + ').toString()',
    '[1, 2]',
  ],
  [
    "[new BigDecimal('2'), new BigDecimal('1.5')].stream().reduce(BigDecimal.ZERO, BigDecimal" + '::add).toString()',
    '3.5',
  ],
  ["char c = 'a'; c == (char)'a'", 'class_cast_exception: Cannot cast from [java.lang.String] to [char].'],
  ['def e = new ArrayList(); e.get(0)', 'index_out_of_bounds_exception: Index 0 out of bounds for length 0'],
  ['def l = [1,2]; l.stream().filter(x -> x > 1).collect(Collectors.toList()).size()', '1'],
  ['def l = new LinkedList(); l.add(1); l.addFirst(0); l.removeLast(); l.toString()', '[0]'],
  ['def l = new LinkedList(); l.add(1); l.getFirst()', '1'],
  ['def l = new LinkedList([1,2]); l == [1,2]', 'true'],
  [
    "def m = ['a':1,'b':2]; def it = m.entrySet().iterator(); while (it.hasNext()) { if (it.n" +
      'ext().getValue() == 1) { it.remove() } } m.toString()',
    '{b=2}',
  ],
  ["def m = ['a':1,'b':2]; m.keySet().removeAll(['a']); m.toString()", '{b=2}'],
  ["def m = ['a':1,'b':2]; m.keySet().removeIf(k -> k == 'a'); m.toString()", '{b=2}'],
  ["def m = ['a':1,'b':2]; m.values().stream().filter(x -> x > 1).collect(Collectors.toSet()" + ').toString()', '[2]'],
  ["def m = ['a':1,'b':null]; m.keySet().clear(); m.toString()", '{}'],
  ["def m = ['a':1,'b':null]; m.values().clear(); m.toString()", '{}'],
  ["def m = ['a':1,'b':null]; m.values().removeAll([null]); m.toString()", '{a=1}'],
  ["def m = ['a':1]; def s = []; m.forEach((k,v) -> s.add(k)); s.toString()", '[a]'],
  ["def m = ['a':1]; def s = []; m.forEach((k,v) -> { s.add(k); }); s.toString()", '[a]'],
  [
    'def m = [1]; def s = []; m.each(x -> { if (x > 0) { s.add(x) } }); s.toString()',
    'illegal_argument_exception: not all paths return a value for lambda',
  ],
  [
    'def m = [1]; def s = []; m.forEach(x -> { if (x > 0) { s.add(x) } }); s.toString()',
    'illegal_argument_exception: not all paths return a value for lambda',
  ],
  ["def q = new PriorityQueue(); q.add(3); q.add(1); q.add(2); '' + q.poll() + q.poll() + q." + 'peek()', '123'],
  ["def q = new PriorityQueue(Comparator.reverseOrder()); q.addAll([1,3,2]); '' + q.poll() +" + ' q.size()', '32'],
  ['def s = new Stack(); s.push(1); s.push(2); s.toString() + s.search(1) + s.empty()', '[1, 2]2false'],
  ["def x = ['a','b']; x.stream().collect(Collectors.joining(','))", 'a,b'],
  ["def x = ['a','b']; x.stream().collect(Collectors.toMap(k -> k, k -> k.length())).toStrin" + 'g()', '{a=1, b=1}'],
  [
    'def x = [1,2,3]; x.stream().collect(Collectors.groupingBy(y -> y % 2, Collectors.countin' + 'g())).toString()',
    '{0=1, 1=2}',
  ],
  ['def x = null; (char)(String)x', 'class_cast_exception: cannot cast null java.lang.String to char'],
  ["new BigDecimal('-1.5').abs().negate().signum()", '-1'],
  ["new BigDecimal('-7.5').remainder(new BigDecimal('2')).toString()", '-1.5'],
  ["new BigDecimal('0.00000001').toString()", '1E-8'],
  ["new BigDecimal('1').divide(new BigDecimal('8')).toString()", '0.125'],
  ["new BigDecimal('1').max(new BigDecimal('2')).toString()", '2'],
  ["new BigDecimal('1.0').compareTo(new BigDecimal('1.00'))", '0'],
  ["new BigDecimal('1.0').equals(new BigDecimal('1.00'))", 'false'],
  ["new BigDecimal('1.00').divide(new BigDecimal('4')).toString()", '0.25'],
  ["new BigDecimal('1.10').add(new BigDecimal('2.205')).toString()", '3.305'],
  ["new BigDecimal('1.5').multiply(new BigDecimal('2')).intValue()", '3'],
  ["new BigDecimal('1.5').pow(3).toString()", '3.375'],
  [
    "new BigDecimal('10').divide(new BigDecimal('3'))",
    'arithmetic_exception: Non-terminating decimal expansion; no exact representable decimal ' + 'result.',
  ],
  [
    "new BigDecimal('10').divide(new BigDecimal('3'), 4, RoundingMode.HALF_UP).toString()",
    'illegal_argument_exception: member method [java.math.BigDecimal, divide/3] not found',
  ],
  ["new BigDecimal('10').divide(new BigDecimal('3'), MathContext.DECIMAL32).toString()", '3.333333'],
  ["new BigDecimal('100').divide(new BigDecimal('4')).toString()", '25'],
  ["new BigDecimal('100').stripTrailingZeros().toString()", '1E+2'],
  [
    "new BigDecimal('123.456').movePointLeft(2).toString() + new BigDecimal('123.456').movePo" +
      'intRight(5).toString()',
    '1.2345612345600',
  ],
  ["new BigDecimal('123.456').precision()", '6'],
  ["new BigDecimal('123.456').round(new MathContext(4)).toString()", '123.5'],
  ["new BigDecimal('123.456').scaleByPowerOfTen(3).toString()", '123456'],
  ["new BigDecimal('123.456').toBigInteger().toString()", '123'],
  ["new BigDecimal('1E+3').toPlainString()", '1000'],
  ["new BigDecimal('1E+3').toString()", '1E+3'],
  ["new BigDecimal('1E5').divide(new BigDecimal('1E2')).toString()", '1E+3'],
  ["new BigDecimal('2.345').setScale(2, RoundingMode.HALF_EVEN).toString()", '2.34'],
  ["new BigDecimal('2.345').setScale(2, RoundingMode.HALF_UP).doubleValue()", '2.35'],
  ["new BigDecimal('2.5').setScale(0)", 'arithmetic_exception: Rounding necessary'],
  [
    "new BigDecimal('2.5').setScale(0, RoundingMode.HALF_EVEN).toString() + new BigDecimal('-" +
      "2.5').setScale(0, RoundingMode.HALF_DOWN) + new BigDecimal('2.1').setScale(0, RoundingMo" +
      "de.CEILING) + new BigDecimal('-2.1').setScale(0, RoundingMode.FLOOR)",
    '2-23-3',
  ],
  ["new BigDecimal('20').divide(new BigDecimal('3'), new MathContext(3, RoundingMode.DOWN))." + 'toString()', '6.66'],
  ["new BigDecimal('5').divide(BigDecimal.ZERO)", 'arithmetic_exception: Division by zero'],
  ["new BigDecimal('5').remainder(new BigDecimal('3')).toString()", '2'],
  ["new BigDecimal('7.5').divideToIntegralValue(new BigDecimal('2')).toString()", '3.0'],
  [
    "new BigDecimal('x')",
    'number_format_exception: Character x is neither a decimal digit number, decimal point, n' +
      'or "e" notation exponential mark.',
  ],
  [
    'new BigDecimal(params.t)',
    'number_format_exception: Character a is neither a decimal digit number, decimal point, n' +
      'or "e" notation exponential mark.',
  ],
  [
    "new BigInteger('123456789012345678901234567890').multiply(new BigInteger('2')).mod(new B" +
      "igInteger('97')).toString()",
    '7',
  ],
  ["new BigInteger('255').toString(16)", 'ff'],
  ["new BigInteger('ff', 16).toString()", '255'],
  ['params.m.entrySet().stream().map(e -> e.key).sorted().collect(Collectors.toList()).toStr' + 'ing()', '[a, b]'],
];

const PARAMETERS = { x: 5, d: 1.5, t: 'abc', l: [3, 1, 2], m: { a: 1, b: { c: 2 } } };

test('numbers of any size, views of maps and lists of their own classes are those of Java', () => {
  for (const [source, expected] of ROWS) assert.equal(answerOf(source, structuredClone(PARAMETERS)), expected, source);
});
