import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '@shoal/json';
import { readScript } from './script-source.js';

test('a source that is an object is its JSON, with all digits of its integers', () => {
  const body = parseJson(Buffer.from('{"lang":"mustache","source":{"query":{"term":{"n":12345678901234567890}}}}'));
  assert.equal(readScript(body).source, '{"query":{"term":{"n":12345678901234567890}}}');
});

test('a script with a text and the id of another one, or with options of a compiler, is refused', () => {
  const read = (text: string): unknown => readScript(parseJson(Buffer.from(text)));
  assert.throws(() => read('{"id":"x","source":"1"}'), {
    type: 'x_content_parse_exception',
  });
  assert.throws(() => read('{"source":"1","options":{"a":1}}'), {
    type: 'illegal_argument_exception',
    reason: 'illegal compiler options [{a=1}] specified',
  });
});
