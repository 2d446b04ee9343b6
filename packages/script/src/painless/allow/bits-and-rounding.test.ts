import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import {
  type RecordedErrors,
  type RecordedResults,
  assertErrors,
  assertResults,
  runScript,
} from '../../testing/recorded-scripts.js';

const RESULTS: RecordedResults = [
  ["new BigDecimal('12.75').divideAndRemainder(new BigDecimal('5'), new " + 'MathContext(4))[1].toString()', '2.75'],
  ["new BigDecimal('12.75').divideAndRemainder(new BigDecimal('5'), new " + 'MathContext(4))[0].toString()', '2.00'],
  ["new BigDecimal('12.756').negate(new MathContext(3)).toString()", '-12.8'],
  ["new BigDecimal('1.5').pow(3, new MathContext(3)).toString()", '3.38'],
  ["new BigDecimal('1.5').pow(-3, new MathContext(5)).toString()", '0.29630'],
  ["new BigDecimal('1.23456').pow(40, new MathContext(10)).toString()", '4576.021593'],
  ["new BigDecimal('1.5').pow(0, new MathContext(5)).toString()", '1'],
  ["new BigDecimal('127').byteValueExact()", '127'],
  ["new BigDecimal('-12.000').shortValueExact()", '-12'],
  ["new BigDecimal('12.000').toBigIntegerExact().toString()", '12'],
  ["new BigInteger('-128').byteValueExact()", '-128'],
  [
    "new BigInteger('8').setBit(70).toString() + ' ' + new BigInteger('-8').setBit(1) + ' ' " +
      "+ new BigInteger('15').clearBit(2) + ' ' + new BigInteger('-1').clearBit(3) + ' ' + new " +
      "BigInteger('5').flipBit(0) + ' ' + new BigInteger('5').flipBit(65)",
    '1180591620717411303432 -6 11 -9 4 36893488147419103237',
  ],
  [
    "new BigInteger('96').getLowestSetBit() + ' ' + new BigInteger('0').getLowestSetBit() + " +
      "' ' + new BigInteger('-96').getLowestSetBit() + ' ' + new " +
      "BigInteger('2').pow(100).getLowestSetBit()",
    '5 -1 5 100',
  ],
  [
    "new BigInteger('3').modInverse(new BigInteger('11')).toString() + ' ' + new " +
      "BigInteger('-3').modInverse(new BigInteger('11')) + ' ' + new " +
      "BigInteger('7').modInverse(BigInteger.ONE)",
    '4 7 0',
  ],
  ["new BigInteger('3').modPow(new BigInteger('-1'), new BigInteger('11')).toString()", '4'],
  [
    "BigInteger[] a = new BigInteger('-17').divideAndRemainder(new BigInteger('5')); " + "a[0].toString() + ' ' + a[1]",
    '-3 -2',
  ],
  [
    "RoundingMode.HALF_UP.compareTo(RoundingMode.UP) + ' ' + RoundingMode.CEILING.name() + ' " +
      "' + RoundingMode.CEILING.ordinal()",
    '4 CEILING 2',
  ],
  ['def e = RoundingMode.FLOOR; e.name() + e.ordinal()', 'FLOOR3'],
  ["new BigDecimal('17.25').remainder(new BigDecimal('0.5'), new MathContext(2)).toString()", '0.25'],
  [
    "new BigDecimal('17.25').divideToIntegralValue(new BigDecimal('0.5'), new " +
      "MathContext(2)).toString() + ' ' + new BigDecimal('100').divideToIntegralValue(new " +
      "BigDecimal('3'), new MathContext(5)) + ' ' + new " +
      "BigDecimal('1E+5').divideToIntegralValue(new BigDecimal('3.00'), new MathContext(7))",
    '34 33 33333',
  ],
];

const ERRORS: RecordedErrors = [
  [
    "new BigDecimal('1234567').divideAndRemainder(new BigDecimal('2'), new " + 'MathContext(2))[0].toString()',
    'arithmetic_exception',
    'Division impossible',
  ],
  ["new BigDecimal('1.5').pow(-3, MathContext.UNLIMITED).toString()", 'arithmetic_exception', 'Invalid operation'],
  ["new BigDecimal('1.5').pow(1000, new MathContext(3)).toString()", 'arithmetic_exception', 'Invalid operation'],
  ["new BigDecimal('128').byteValueExact()", 'arithmetic_exception', 'Overflow'],
  ["new BigDecimal('32768').shortValueExact()", 'arithmetic_exception', 'Overflow'],
  ["new BigDecimal('12.5').shortValueExact()", 'arithmetic_exception', 'Rounding necessary'],
  ["new BigDecimal('12.001').toBigIntegerExact().toString()", 'arithmetic_exception', 'Rounding necessary'],
  ["new BigInteger('-129').byteValueExact()", 'arithmetic_exception', 'BigInteger out of byte range'],
  ["new BigInteger('32768').shortValueExact()", 'arithmetic_exception', 'BigInteger out of short range'],
  ["new BigInteger('8').setBit(-1).toString()", 'arithmetic_exception', 'Negative bit address'],
  ["new BigInteger('8').clearBit(-1).toString()", 'arithmetic_exception', 'Negative bit address'],
  ["new BigInteger('8').flipBit(-1).toString()", 'arithmetic_exception', 'Negative bit address'],
  ["new BigInteger('8').testBit(-1)", 'arithmetic_exception', 'Negative bit address'],
  [
    "new BigInteger('3').modInverse(new BigInteger('9')).toString()",
    'arithmetic_exception',
    'BigInteger not invertible.',
  ],
  [
    "new BigInteger('3').modInverse(new BigInteger('-9')).toString()",
    'arithmetic_exception',
    'BigInteger: modulus not positive',
  ],
  [
    "new BigInteger('0').modInverse(new BigInteger('9')).toString()",
    'arithmetic_exception',
    'BigInteger not invertible.',
  ],
  [
    "new BigInteger('3').modPow(new BigInteger('-3'), new BigInteger('9')).toString()",
    'arithmetic_exception',
    'BigInteger not invertible.',
  ],
  [
    "Arrays.toString(new BigInteger('256').toByteArray()) + Arrays.toString(new " +
      "BigInteger('-1').toByteArray()) + Arrays.toString(new BigInteger('0').toByteArray()) + " +
      "Arrays.toString(new BigInteger('128').toByteArray()) + Arrays.toString(new " +
      "BigInteger('-128').toByteArray()) + Arrays.toString(new " +
      "BigInteger('-129').toByteArray()) + Arrays.toString(new " +
      "BigInteger('12345678901234567890').toByteArray())",
    'illegal_argument_exception',
    'static method [java.util.Arrays, toString/1] not found',
  ],
  [
    "new BigInteger('-17').divideAndRemainder(BigInteger.ZERO)[0].toString()",
    'arithmetic_exception',
    'BigInteger divide by zero',
  ],
  ["new BigDecimal('3000000000').intValueExact()", 'arithmetic_exception', 'Overflow'],
  ["new BigDecimal('9300000000000000000').longValueExact()", 'arithmetic_exception', 'Overflow'],
  ["new BigInteger('3000000000').intValueExact()", 'arithmetic_exception', 'BigInteger out of int range'],
];

test('bits, exact conversions, powers and quotients of big numbers do what they do in Java', () => {
  assertResults(RESULTS);
});

test('their errors are those of Java', () => {
  assertErrors(ERRORS);
});

test('a bit far away is as large as the number that it makes', () => {
  assert.throws(
    () => runScript("new BigInteger('8').setBit(900000000).bitLength()"),
    (error) => isApiError(error) && error.causedBy?.type === 'circuit_breaking_exception',
  );
});
