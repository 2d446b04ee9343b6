import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasTopLevelKey } from './top-level-key.js';

const NAMES = ['aggs', 'aggregations'];
const has = (text: string): boolean => hasTopLevelKey(Buffer.from(text), NAMES);

test('keys of the object itself are found, those within its values are not', () => {
  for (const [text, expected] of [
    ['{"aggs":{}}', true],
    [' { "size" : 0 , "query" : {"term":{"a":"}\\""}}, "aggregations" : {} }', true],
    ['{"query":{"term":{"aggs":1}},"size":0}', false],
    ['{"a":"aggs","b":["aggs",{"aggs":1}]}', false],
    ['{"aggs2":1,"agg":2}', false],
    ['{}', false],
    ['[{"aggs":1}]', false],
    ['', false],
  ] as const)
    assert.equal(has(text), expected, text);
});

test('any text ends, and no byte beyond it is looked at', () => {
  const text = '{"a":{"b":[1,"x\\"y"]},"aggs":{"c":null}}';
  for (let end = 0; end < text.length; end++) assert.equal(typeof has(text.slice(0, end)), 'boolean');
  for (const broken of ['{"a"', '{"a":', '{"a":"', '{"', '{"a":}', '{"a":1,,"aggs":1}', '{"a":1 "aggs":1}', '{,'])
    assert.equal(has(broken), false, broken);
});
