import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnNames, documentOf, mappingOf, typeOfValues } from './column-types.js';

test('the narrowest type of all values wins, and empty cells say nothing', () => {
  for (const [values, type] of [
    [['1', '', '-9223372036854775808'], 'long'],
    [['1', '9223372036854775808'], 'double'],
    [['1.10', '2'], 'double'],
    [['01'], 'keyword'],
    [['true', 'false'], 'boolean'],
    [['2024-01-02', '2024-01-02T03:04:05.678Z'], 'date'],
    [['2024-13-02'], 'keyword'],
    [['10.0.0.1'], 'ip'],
    [['1', 'x'], 'keyword'],
    [['a sentence that has more than five words'], 'text'],
    [['', ''], 'keyword'],
  ] as const)
    assert.equal(typeOfValues('c', values).type, type, values.join());
  assert.equal(typeOfValues('c', ['2024-01-02 03:04:05']).format, 'yyyy-MM-dd HH:mm:ss');
});

test('a row becomes a document with the digits of the file', () => {
  const columns = [
    { name: 'n', type: 'long', format: null },
    { name: 'd', type: 'double', format: null },
    { name: 't', type: 'keyword', format: null },
    { name: 'e', type: 'long', format: null },
  ] as const;
  assert.equal(
    documentOf(columns, ['9007199254740993', '1.10', '4.0 "x"', '']),
    '{"n":9007199254740993,"d":1.10,"t":"4.0 \\"x\\""}',
  );
  assert.equal(documentOf(columns, ['x']), '{"n":"x"}');
  assert.deepEqual(mappingOf([{ name: 'w', type: 'date', format: 'yyyy' }]), {
    properties: { w: { type: 'date', format: 'yyyy' } },
  });
});

test('names of columns are told apart', () => {
  assert.deepEqual(columnNames(['\uFEFFa', ' a ', '', 'a']), ['a', 'a_2', 'column3', 'a_3']);
});
