import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpression } from './parse-expression.js';
import { ExpressionFault } from './tokens.js';

const VARIABLES: Readonly<Record<string, number>> = { x: 1.5, y: -7, z: 1e12, n: Number.NaN, w: 0, i: 3 };

/** Expressions and what Lucene 9.9.1 makes of them; variables that are not named above are 0. */
const VALUES: readonly (readonly [source: string, value: number])[] = [
  ['1 + + 2', 3],
  ['1 - - 2', 3],
  ['1--2', 3],
  ['--1', 1],
  ['++1', 1],
  ['1 ++ 2', 3],
  ['sin', 0],
  ["doc['a']", 0],
  ['doc["a"]', 0],
  ["doc['a'].value", 0],
  ["doc['a'].date.year", 0],
  ["doc['a'].date.getYear()", 0],
  ["doc['it\\'s'].value", 0],
  ['doc["it\'s"].value', 0],
  ['doc[\'say "x"\'].value', 0],
  ['doc[0]', 0],
  ['a.b.c', 0],
  ['a.b()', 0],
  ['a[0].b', 0],
  ["a['x']['y']", 0],
  ['_score * 2', 0],
  ['$x', 0],
  ['1.e5', 100000],
  ['00', 0],
  ['x ? y ? 1 : 2 : 3', 1],
  ['x\n+ y', -5.5],
  ['!x', 0],
  ['!!x', 1],
  ['~x', -2],
  ['~1.9', -2],
  ['-x', -1.5],
  ['- -x', 1.5],
  ['-0', -0],
  ['-0 == 0', 1],
  ['1/-0', Number.NEGATIVE_INFINITY],
  ['0/0', Number.NaN],
  ['0/0 == 0/0', 0],
  ['n == n', 0],
  ['n != n', 1],
  ['n < 1', 0],
  ['n ? 1 : 2', 2],
  ['!n', 1],
  ['n && 1', 0],
  ['n || 0', 0],
  ['pow(2,3)', 8],
  ['true', 0],
  ['false', 0],
  ['null', 0],
  ['undefined', 0],
  ['NaN', 0],
  ['Infinity', 0],
  ['this', 0],
  ['function', 0],
  ['1 << 3 + 1', 16],
  ['1 + 1 << 3', 16],
  ['1 | 2 == 2', 1],
  ['1 & 3 == 3', 1],
  ['-1 >>> 60', 15],
  ['-1 >> 1', -1],
  ['1 << 64', 1],
  ['1 << -1', -9223372036854776000],
  ['1 << 4294967297', -9223372036854776000],
  ['z << 2', 4000000000000],
  ['1e30 | 0', 9223372036854776000],
  ['n | 0', 0],
  ['2.9 & 3.9', 2],
  ['-2.9 | 0', -2],
  ['7 % 3 * 2', 2],
  ['-7 % 3', -1],
  ['7.5 % -2', 1.5],
  ['5 / 2', 2.5],
  ['5 / 2 * 2', 5],
  ['1 < 2 < 3', 1],
  ['3 > 2 > 1', 0],
  ['1 == 1 == 1', 1],
  ['haversin(1,2,3,4)', 314.40338388411374],
  ['haversin(0,0,0,180)', 20015.114352186374],
  ['logn(2,8)', 3],
  ['logn(1,8)', Number.POSITIVE_INFINITY],
  ['ln(0)', Number.NEGATIVE_INFINITY],
  ['sqrt(-1)', Number.NaN],
  ['acosh(0.5)', Number.NaN],
  ['atanh(2)', Number.NaN],
  ['ceil(-0.5)', -0],
  ['floor(-0.5)', -1],
  ['exp(1)', 2.718281828459045],
  ['exp(710)', Number.POSITIVE_INFINITY],
  ['cosh(800)', Number.POSITIVE_INFINITY],
  ['tanh(800)', 1],
  ['pow(0,0)', 1],
  ['pow(-8, 1/3)', Number.NaN],
  ['min(n, 1)', Number.NaN],
  ['max(w, -0)', 0],
  ['9223372036854775807', 9223372036854776000],
  ['9223372036854775808 | 0', 9223372036854776000],
  ['0777777777777777777777', 9223372036854776000],
  ['0xFFFFFFFF | 0', 4294967295],
  ['99999999999999999999999', 1e23],
  ['1e400', Number.POSITIVE_INFINITY],
  ['1e-400', 0],
];

/** Expressions that Lucene 9.9.1 refuses, where and with which words. */
const FAULTS: readonly (readonly [source: string, at: number, told: string])[] = [
  ['1 +', 3, 'unexpected end of expression'],
  ['(1', 2, "unexpected token '<EOF>' on line (1) position (2) was expecting one of RP"],
  ['1)', 1, "unexpected token ')' on line (1) position (1) was expecting one of <EOF>"],
  ['()', 1, "invalid sequence of tokens near ')' on line (1) position (1)"],
  ['', 0, 'unexpected end of expression'],
  [' ', 1, 'unexpected end of expression'],
  ['1 2', 2, "unexpected token '2' on line (1) position (2) was expecting one of <EOF>"],
  ['x y', 2, "unexpected token 'y' on line (1) position (2) was expecting one of <EOF>"],
  ['foo(1)', 0, "Invalid expression 'foo(1)': Unrecognized function call (foo)."],
  ['max(1)', 0, "Invalid expression 'max(1)': Expected (2) arguments for function call (max), but found (1)."],
  ['max(1,2,3)', 0, "Invalid expression 'max(1,2,3)': Expected (2) arguments for function call (max), but found (3)."],
  ['max()', 0, "Invalid expression 'max()': Expected (2) arguments for function call (max), but found (0)."],
  ['max(1,)', 6, "invalid sequence of tokens near ')' on line (1) position (6)"],
  ['sin()', 0, "Invalid expression 'sin()': Expected (1) arguments for function call (sin), but found (0)."],
  ["doc['a", 3, "unexpected character '[' on line (1) position (3)"],
  ["doc['a'", 3, "unexpected character '[' on line (1) position (3)"],
  ["doc['a'].", 8, "unexpected character '.' on line (1) position (8)"],
  ["doc['a'].min(", 13, "unexpected token '<EOF>' on line (1) position (13) was expecting one of RP"],
  ["doc['a'].min(1)", 0, "Invalid expression 'doc['a'].min(1)': Unrecognized function call (doc['a'].min)."],
  ['doc[01]', 3, "unexpected character '[' on line (1) position (3)"],
  ['doc[x]', 3, "unexpected character '[' on line (1) position (3)"],
  ['a.b(1)', 0, "Invalid expression 'a.b(1)': Unrecognized function call (a.b)."],
  ['a()', 0, "Invalid expression 'a()': Unrecognized function call (a)."],
  ['é', 0, "unexpected character 'é' on line (1) position (0)"],
  ['x.', 1, "unexpected character '.' on line (1) position (1)"],
  ['.x', 0, "unexpected character '.x' on line (1) position (0)"],
  ['x..y', 1, "unexpected character '..' on line (1) position (1)"],
  ['1..2', 2, "unexpected token '.2' on line (1) position (2) was expecting one of <EOF>"],
  ['1e', 1, "unexpected token 'e' on line (1) position (1) was expecting one of <EOF>"],
  ['1e+', 1, "unexpected token 'e' on line (1) position (1) was expecting one of <EOF>"],
  ['0x', 1, "unexpected token 'x' on line (1) position (1) was expecting one of <EOF>"],
  ['0xg', 1, "unexpected token 'xg' on line (1) position (1) was expecting one of <EOF>"],
  ['08', 1, "unexpected token '8' on line (1) position (1) was expecting one of <EOF>"],
  ['019', 2, "unexpected token '9' on line (1) position (2) was expecting one of <EOF>"],
  ['01.5', 2, "unexpected token '.5' on line (1) position (2) was expecting one of <EOF>"],
  ['1.5.5', 3, "unexpected token '.5' on line (1) position (3) was expecting one of <EOF>"],
  ['1_000', 1, "unexpected token '_000' on line (1) position (1) was expecting one of <EOF>"],
  ["'abc'", 0, "unexpected character ''' on line (1) position (0)"],
  ['"abc"', 0, "unexpected character '\"' on line (1) position (0)"],
  ["'abc' == 'abc'", 0, "unexpected character ''' on line (1) position (0)"],
  ['x = 1', 2, "unexpected character '= ' on line (1) position (2)"],
  ['x == ', 5, 'unexpected end of expression'],
  ['== x', 0, "invalid sequence of tokens near '==' on line (1) position (0)"],
  ['x === 1', 4, "unexpected character '= ' on line (1) position (4)"],
  ['x !== 1', 4, "unexpected character '= ' on line (1) position (4)"],
  ['x ? 1', 5, "unexpected token '<EOF>' on line (1) position (5) was expecting one of COLON"],
  ['x ? : 1', 4, "invalid sequence of tokens near ':' on line (1) position (4)"],
  ['x ? 1 :', 7, 'unexpected end of expression'],
  ['x ? 1 : 2 : 3', 10, "unexpected token ':' on line (1) position (10) was expecting one of <EOF>"],
  ['x && ', 5, 'unexpected end of expression'],
  ['&& x', 0, "invalid sequence of tokens near '&&' on line (1) position (0)"],
  ['x & & y', 4, "invalid sequence of tokens near '&' on line (1) position (4)"],
  ['x || | y', 5, "invalid sequence of tokens near '|' on line (1) position (5)"],
  ['x @ y', 2, "unexpected character '@' on line (1) position (2)"],
  ['x # y', 2, "unexpected character '#' on line (1) position (2)"],
  ['x ; y', 2, "unexpected character ';' on line (1) position (2)"],
  ['x;', 1, "unexpected character ';' on line (1) position (1)"],
  ['x, y', 1, "unexpected token ',' on line (1) position (1) was expecting one of <EOF>"],
  ['{x}', 0, "unexpected character '{' on line (1) position (0)"],
  ['[x]', 0, "unexpected character '[' on line (1) position (0)"],
  ['x \\ y', 2, "unexpected character '\\' on line (1) position (2)"],
  ['/* c */ x', 0, "invalid sequence of tokens near '/' on line (1) position (0)"],
  ['x // c', 3, "invalid sequence of tokens near '/' on line (1) position (3)"],
  ['x /* un', 3, "invalid sequence of tokens near '*' on line (1) position (3)"],
  ['// only', 0, "invalid sequence of tokens near '/' on line (1) position (0)"],
  ['x\n+', 3, 'unexpected end of expression'],
  ['\n\n  foo(1)', 4, "Invalid expression '\n\n  foo(1)': Unrecognized function call (foo)."],
  ['2 ** 3', 3, "invalid sequence of tokens near '*' on line (1) position (3)"],
  ['random()', 0, "Invalid expression 'random()': Unrecognized function call (random)."],
  ['new x', 4, "unexpected token 'x' on line (1) position (4) was expecting one of <EOF>"],
  ['x in y', 2, "unexpected token 'in' on line (1) position (2) was expecting one of <EOF>"],
  ['x instanceof y', 2, "unexpected token 'instanceof' on line (1) position (2) was expecting one of <EOF>"],
  ['typeof x', 7, "unexpected token 'x' on line (1) position (7) was expecting one of <EOF>"],
  ['void 0', 5, "unexpected token '0' on line (1) position (5) was expecting one of <EOF>"],
  ['delete x', 7, "unexpected token 'x' on line (1) position (7) was expecting one of <EOF>"],
  ['if (x) 1', 7, "unexpected token '1' on line (1) position (7) was expecting one of <EOF>"],
  ['return 1', 7, "unexpected token '1' on line (1) position (7) was expecting one of <EOF>"],
  ['var x', 4, "unexpected token 'x' on line (1) position (4) was expecting one of <EOF>"],
];

function evaluated(source: string): number {
  const { evaluate, variables } = parseExpression(source);
  return evaluate(Float64Array.from(variables, ({ text }) => VARIABLES[text] ?? 0));
}

/** Whether two numbers are the same but for the last digits, in which functions of Java may differ. */
function isClose(a: number, b: number): boolean {
  return a === b || (a !== a && b !== b) || Math.abs(a - b) <= 1e-12 * Math.abs(b);
}

test('expressions give the numbers of Lucene', () => {
  for (const [source, value] of VALUES) {
    const found = evaluated(source);
    assert.ok(isClose(found, value), `${source}: ${found}, not ${value}`);
  }
});

test('expressions are refused with the words of Lucene', () => {
  for (const [source, at, told] of FAULTS)
    assert.throws(
      () => parseExpression(source),
      (thrown) => {
        assert.ok(thrown instanceof ExpressionFault, source);
        assert.deepEqual([thrown.at, thrown.message], [at, told], source);
        return true;
      },
    );
});

test('numbers beyond a long and deep expressions are refused', () => {
  for (const [source, told] of [
    ['0x8000000000000000', /out of the range of a long/],
    [`${'('.repeat(5000)}1`, /nested more than \[200\] deep/],
    [`${'-'.repeat(5000)}1`, /nested more than \[200\] deep/],
  ] as const)
    assert.throws(() => parseExpression(source), told);
});
