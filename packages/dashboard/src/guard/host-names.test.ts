import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHostAnswered } from './host-names.js';

test('names that a web page can let point here are not answered', () => {
  for (const host of [
    'localhost:5601',
    '127.0.0.1:5601',
    '[::1]:5601',
    'kibana',
    'kibana.default.svc',
    'search.example.org',
    undefined,
  ])
    assert.equal(isHostAnswered(host, ['search.example.org']), true, host);
  for (const host of ['evil.example', 'evil.example:5601', '127.0.0.1.evil.example', 'search.example.org.evil.example'])
    assert.equal(isHostAnswered(host, ['search.example.org']), false, host);
  assert.equal(isHostAnswered('a.example.org', ['*.example.org']), true);
  assert.equal(isHostAnswered('evil.example', ['*']), true);
});
