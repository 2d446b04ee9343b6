import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Categoriser, categoryRegex, fixedTokens } from './categoriser.js';

const categoryIds = (lines: readonly string[]): (number | undefined)[] => {
  const categoriser = new Categoriser(4);
  return lines.map((line) => categoriser.of(line)?.id);
};

test('tokens with digits are variable', () => {
  assert.deepEqual(fixedTokens('GET /api/items/17 took 12ms'), ['GET', 'took']);
});

test('lines that differ in their variable parts belong together, lines of other words do not', () => {
  const lines = [
    'user ann17 logged in from 10.0.0.1',
    'user bob3 logged in from 10.0.0.9',
    'disk sda1 is full',
    'user cho logged in from 10.0.0.9',
    'failed login for user dee: wrong password',
  ];
  assert.deepEqual(categoryIds(lines), [1, 1, 2, 1, 3]);
});

test('a category matches its lines by its regular expression, and survives being kept', () => {
  const categoriser = new Categoriser(2);
  const lines = ['cannot (really) open file a.b*c', 'cannot (really) open file x+y[z]'];
  for (const line of lines) assert.equal(categoriser.of(line)!.id, 1);
  for (const line of lines) assert.match(line, new RegExp(categoryRegex(categoriser.categories[0]!)));
  const json: unknown = JSON.parse(JSON.stringify(categoriser.toJson()));
  const again = Categoriser.fromJson(json, 2);
  assert.equal(again.of('cannot (really) open file q')!.id, 1);
  assert.equal(again.categories[0]!.matches, 3);
});

test('a line of a megabyte, and lines without words, have categories too', () => {
  assert.deepEqual(categoryIds(['x '.repeat(500_000), '12 34', '56', '']), [1, 2, 2, 2]);
});
