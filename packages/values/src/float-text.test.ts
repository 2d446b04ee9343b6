import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatFloat } from './float-text.js';

test('floats print with the digits of Java', () => {
  const cases: [number, string][] = [
    [1, '1.0'],
    [0.2373417, '0.2373417'],
    [0.1, '0.1'],
    [2.2, '2.2'],
    [0.6931471, '0.6931471'],
    [16777216, '1.6777216E7'],
    [2e-5, '2.0E-5'],
    [1e10, '1.0E10'],
    [0, '0.0'],
    [-0, '-0.0'],
    [-Infinity, '-Infinity'],
    [NaN, 'NaN'],
  ];
  for (const [value, text] of cases) assert.equal(formatFloat(value), text);
});

test('the text of a float names that float, in as few digits as possible', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = formatFloat(value);
      assert.equal(Math.fround(Number(text)), value === 0 ? Number(text) : value);
      assert.ok(
        text.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '').length <= 10 || Math.abs(value) >= 1e7,
      );
    }),
  );
});

/** `toPrecision`, which rounds halves up, with halves rounded to the even digit. */
function halfEven(value: number, digits: number): string {
  const [up, exact] = [value.toPrecision(digits), value.toPrecision(21)];
  const rest = exact.replace('.', '').replace(/^0+/, '').slice(digits);
  return /^50*$/.test(rest) && /[13579]$/.test(up) ? exact.slice(0, up.length) : up;
}

test('halves go to the even digit', () => {
  assert.equal(formatFloat(-6.19140625), '-6.1914062');
  assert.equal(formatFloat(6.19140625), '6.1914062');
});

test('floats print without an exponent as rounding their text does', () => {
  const byText = (value: number): string => {
    const texts = [6, 7, 8, 9].map((digits) => halfEven(value, digits));
    return String(Number(texts.find((text) => Math.fround(Number(text)) === value)));
  };
  const plain = fc
    .float({ min: Math.fround(0.001), max: 9_999_999, noNaN: true })
    .filter((value) => !Number.isInteger(value));
  fc.assert(
    fc.property(plain, fc.boolean(), (value, isNegative) =>
      assert.equal(formatFloat(isNegative ? -value : value), `${isNegative ? '-' : ''}${byText(value)}`),
    ),
    { numRuns: 5000 },
  );
});

test('subnormal floats need few digits', () => {
  assert.equal(formatFloat(1e-40), '1.0E-40');
  assert.equal(formatFloat(1e-45), '1.4E-45');
  assert.equal(formatFloat(-1.17549e-38), '-1.17549E-38');
});
