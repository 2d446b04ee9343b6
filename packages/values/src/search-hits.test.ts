import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact } from './exact-json.js';
import { hitsOf, hitValues, joinedText, leavesOf, plainText, readHit, summaryOf } from './search-hits.js';

const SOURCE =
  '{"n":9007199254740993,"k":"9800125870205439","p":1.10,"z":4.0,"u":{"name":["a","b"]},"u.tag":"c","e":{}}';
const ANSWER =
  '{"took":1,"hits":{"total":{"value":2},"hits":[' +
  `{"_index":"a","_id":"x\\"1","_score":null,"_source":${SOURCE},"sort":[9007199254740993,3]},` +
  '{"_index":"b","_id":"2","fields":{"n":[1],"made":["up"]}}]}}';

test('documents are cut out of an answer as they are', () => {
  const [first, second] = hitsOf(ANSWER);
  assert.deepEqual(first, {
    index: 'a',
    id: 'x"1',
    source: SOURCE,
    fields: null,
    sort: '[9007199254740993,3]',
    others: [['_score', 'null']],
  });
  assert.equal(second!.source, null);
  assert.deepEqual(hitsOf('{"error":1}'), []);
});

test('values are found through objects, lists and keys with dots, and print as stored', () => {
  const [first, second] = hitsOf(ANSWER);
  const text = (name: string): string => joinedText(hitValues(readHit(first!), name), 100);
  assert.deepEqual(['n', 'k', 'p', 'z', 'u.name', 'u.tag', 'none', 'e'].map(text), [
    '9007199254740993',
    '9800125870205439',
    '1.10',
    '4.0',
    'a, b',
    'c',
    '',
    '{}',
  ]);
  assert.deepEqual(hitValues(readHit(second!), 'made').map(plainText), ['up']);
});

test('leaves keep their order, and a summary ends early', () => {
  assert.deepEqual(
    leavesOf(parseExact('{"b":[{"x":1},{"x":2.0}],"a":null,"c":[]}')).map(({ name, values }) => [
      name,
      joinedText(values, 99),
    ]),
    [
      ['b.x', '1, 2.0'],
      ['a', 'null'],
      ['c', '[]'],
    ],
  );
  const long = { ...hitsOf(ANSWER)[0]!, source: JSON.stringify({ a: 'x'.repeat(200_000), b: 1 }) };
  assert.deepEqual(summaryOf(readHit(long), 10), [{ name: 'a', text: `${'x'.repeat(10)}…` }]);
});
