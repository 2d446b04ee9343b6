import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseForged } from './forged.js';

const statusOf = (method: string, headers: Record<string, string>, path = '/api/x') =>
  refuseForged({ method, headers, path, origins: ['http://localhost:5601'], allowlist: ['/api/free'] })?.status ?? null;

test('what changes nothing needs no header', () => {
  assert.equal(statusOf('GET', { origin: 'http://evil.example' }), null);
  assert.equal(statusOf('HEAD', {}), null);
});

test('what changes something needs kbn-xsrf, in the words of Kibana', () => {
  assert.equal(statusOf('POST', { 'kbn-xsrf': 'true' }), null);
  assert.equal(statusOf('POST', {}), 400);
  assert.equal(statusOf('POST', {}, '/api/free'), null);
  assert.equal(
    refuseForged({ method: 'DELETE', headers: {}, path: '/', origins: [], allowlist: [] })?.message,
    'Request must contain a kbn-xsrf header.',
  );
});

test('other origins and sites are refused, also with the header', () => {
  assert.equal(statusOf('POST', { 'kbn-xsrf': '1', origin: 'http://localhost:5601' }), null);
  for (const origin of ['http://evil.example', 'null', 'http://localhost:5602', 'https://localhost:5601'])
    assert.equal(statusOf('POST', { 'kbn-xsrf': '1', origin }), 403, origin);
  assert.equal(statusOf('POST', { 'kbn-xsrf': '1', 'sec-fetch-site': 'cross-site' }), 403);
  assert.equal(statusOf('POST', { 'kbn-xsrf': '1', 'sec-fetch-site': 'same-origin' }), null);
});

test('bodies of forms are refused', () => {
  const headers = { 'kbn-xsrf': '1', 'content-length': '3' };
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/plain;application/json'])
    assert.equal(statusOf('POST', { ...headers, 'content-type': type }), 415, type);
  assert.equal(statusOf('POST', headers), 415);
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/x-ndjson',
    'application/vnd.elasticsearch+json',
  ])
    assert.equal(statusOf('POST', { ...headers, 'content-type': type }), null, type);
});
