import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { parseDouble } from './number-text.js';
import { readWhole, WHOLE_KINDS } from './whole-numbers.js';

type Name = 'integer' | 'short' | 'byte' | 'long';

function read(name: Name, text: string): unknown {
  try {
    return readWhole(WHOLE_KINDS[name], text, true);
  } catch (error) {
    if (!isApiError(error)) throw error;
    return `${error.type}: ${error.reason}`;
  }
}

/** Texts of documents and what each type reads, as Elasticsearch 8.12.0. */
const ROWS: readonly (readonly [text: string, integer: unknown, byte: unknown])[] = [
  [' 5', 5, 5],
  ['NaN', 0, 0],
  ['1d', 1, 1],
  ['-1.9', -1, -1],
  ['-0.5', 0, 0],
  ['0x1p3', 8, 8],
  ['', null, null],
  [' ', 'number_format_exception: empty String', 'number_format_exception: empty String'],
  ['x', 'number_format_exception: For input string: "x"', 'number_format_exception: For input string: "x"'],
  ['0x1', 'number_format_exception: For input string: "0x1"', 'number_format_exception: For input string: "0x1"'],
  ['1.5.5', 'number_format_exception: multiple points', 'number_format_exception: multiple points'],
  ['1e3', 1000, 'illegal_argument_exception: Value [1000] is out of range for a byte'],
  [
    'Infinity',
    'illegal_argument_exception: Value [Infinity] is out of range for an integer',
    'illegal_argument_exception: Value [Infinity] is out of range for an integer',
  ],
];

test('integers, shorts and bytes read texts as doubles', () => {
  for (const [text, integer, byte] of ROWS)
    assert.deepEqual([read('integer', text), read('byte', text)], [integer, byte], text);
  assert.equal(read('short', '40000'), 'illegal_argument_exception: Value [40000] is out of range for a short');
  assert.equal(read('long', ' 5'), 'illegal_argument_exception: For input string: " 5"');
});

test('hexadecimal doubles need an exponent', () => {
  for (const [text, value] of [
    ['0x1p3', 8],
    ['-0X1.8P1', -3],
    ['0x.8p0f', 0.5],
    ['0x10p-4', 1],
  ] as const)
    assert.equal(parseDouble(text), value, text);
  for (const text of ['0x1', '0xp1', '0x1pq', 'x1p1'])
    assert.throws(() => parseDouble(text), { type: 'number_format_exception' }, text);
});
