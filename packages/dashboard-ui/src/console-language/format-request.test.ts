import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRequest } from './format-request.js';
import { parseConsole } from './parse-console.js';

const format = (text: string): string => {
  const changes = formatRequest(parseConsole(text).requests[0]!, text);
  return changes.reduceRight((done, { from, to, insert }) => done.slice(0, from) + insert + done.slice(to), text);
};

test('a body is laid out, and a laid out one becomes a line; digits stay', () => {
  const wide = 'GET /\n{\n  "n": 9007199254740993,\n  "k": [\n    1.10,\n    {}\n  ]\n}';
  assert.equal(format('GET /\n{"n":9007199254740993,  "k":[1.10,{}]}'), wide);
  assert.equal(format(wide), 'GET /\n{"n":9007199254740993,"k":[1.10,{}]}');
});

test('lines stay lines, and a value with a comment is left alone', () => {
  assert.equal(format('POST _bulk\n{ "index": {} }\n{\n"a":1}'), 'POST _bulk\n{"index":{}}\n{"a":1}');
  const commented = 'GET /\n{ # why\n"a":1}';
  assert.equal(format(commented), commented);
});
