import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { JsonText } from '@shoal/json';
import { compile } from '../compile.js';

const script = (source: string) => ({ lang: 'expression', source, id: null, params: {}, options: {} });

function run(source: string, params: object = {}): unknown {
  const result = compile(script(source), 'bucket_aggregation').call([params]);
  return result instanceof JsonText ? Number(result.text) : result;
}

test('expressions work out doubles', () => {
  const rows: [source: string, result: number][] = [
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3 - -4 / 8', 9.5],
    ['7 % 4 + 0x1F + 010 + .5 + 2e2', 242.5],
    ['-7.5 % 2', -1.5],
    ['1 / 0', Infinity],
    ['1 < 2 && 2 <= 2 || 0', 1],
    ['!(3 > 4) + !5', 1],
    ['1 == 1 ? 2 != 2 ? 3 : 4 : 5', 4],
    ['0 ? 1 : 0.5', 0.5],
    ['6 & 3 | 8 ^ 1', 11],
    ['1 << 40', 2 ** 40],
    ['-8 >> 1', -4],
    ['-1 >>> 1', Number(2n ** 63n - 1n)],
    ['~5 + 3.9', -2.1],
    ['5.9 & 7.9', 5],
    ['1 + 1 == 2 == 1', 1],
    ['abs(-2) + ceil(1.2) + floor(-1.2) + sqrt(16) + pow(2, 10)', 1030],
    ['max(1, 2) - min(3, 4) + ln(1) + log10(1000) + logn(2, 8)', 5],
    ['atan2(0, 1) + sinh(0) + acosh(1)', 0],
    ['haversin(40.7143528, -74.0059731, 40.759011, -73.9844722)', 5.2859],
    ['2 +\r\n\t3', 5],
  ];
  for (const [source, result] of rows)
    assert.ok(Math.abs((run(source) as number) - result) < 1e-4 || run(source) === result, `${source}: ${run(source)}`);
});

test('parameters are numbers, by their names', () => {
  assert.equal(run('a * b + a', { a: 3, b: new JsonText('0.5') }), 4.5);
  assert.equal(run('a.b[1] + 1', { 'a.b[1]': 2 }), 3);
});

function errorOf(source: string, params: object = {}, context = 'number_sort'): readonly unknown[] {
  try {
    compile(script(source), context).call([params]);
  } catch (error) {
    assert.ok(isApiError(error));
    return [error.type, error.reason, error.causedBy?.type, error.causedBy?.reason];
  }
  throw new assert.AssertionError({ message: `no error: ${source}` });
}

test('what is no expression is refused at its place', () => {
  const rows: [source: string, told: string][] = [
    ['foo(1)', 'Unrecognized function call (foo).'],
    ['max(1)', 'Expected (2) arguments for function call (max), but found (1).'],
    [`${'('.repeat(300)}1${')'.repeat(300)}`, 'nested more than [200] deep.'],
    [`${'-'.repeat(300)}1`, 'nested more than [200] deep.'],
  ];
  for (const [source, told] of rows)
    assert.deepEqual(
      errorOf(source),
      ['script_exception', 'compile error', 'parse_exception', `Invalid expression '${source}': ${told}`],
      source,
    );
  assert.deepEqual(errorOf("constructor.constructor('x')").slice(2), [
    'parse_exception',
    "unexpected character ''' on line (1) position (24)",
  ]);
});

test('variables that are nothing are refused by name', () => {
  assert.deepEqual(errorOf('a + 1'), ['script_exception', 'link error', 'parse_exception', 'Unknown variable [a]']);
  assert.deepEqual(errorOf('a + 1', { a: 'x' }).slice(1), [
    'link error',
    'parse_exception',
    'Parameter [a] must be a numeric type',
  ]);
  assert.deepEqual(errorOf('toString + 1').slice(3), ['Unknown variable [toString]']);
  assert.equal(run('a + b', { a: 3 }), 3);
  assert.deepEqual(errorOf('a', { a: 'x' }, 'bucket_aggregation').slice(0, 2), [
    'illegal_argument_exception',
    'Error using a. Executable expressions scripts can only process numbers.  The variable [a] is not a number.',
  ]);
  assert.deepEqual(errorOf('a', { a: 1, b: 2 }, 'bucket_aggregation').slice(0, 2), [
    'illegal_argument_exception',
    'Error using a. The variable [b] does not exist in the executable expressions script.',
  ]);
  assert.deepEqual(errorOf('1', {}, 'update').slice(0, 2), [
    'illegal_argument_exception',
    'expression engine does not know how to handle script context [update]',
  ]);
});

test('numbers of a bucket are chosen by an expression that is 1', () => {
  assert.equal(compile(script('a > 2'), 'aggregation_selector').call([{ a: 3 }]), true);
  assert.equal(compile(script('a'), 'aggregation_selector').call([{ a: 3 }]), false);
});
