import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '@shoal/json';
import { readScript } from './script-source.js';

test('a source that is an object is its JSON, with all digits of its integers', () => {
  const body = parseJson(Buffer.from('{"lang":"mustache","source":{"query":{"term":{"n":12345678901234567890}}}}'));
  assert.equal(readScript(body).source, '{"query":{"term":{"n":12345678901234567890}}}');
});
