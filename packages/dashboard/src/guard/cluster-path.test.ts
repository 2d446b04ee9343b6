import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterTarget } from './cluster-path.js';

const target = (path: string, method = 'GET') => clusterTarget(new URLSearchParams({ path, method }));

test('paths of the cluster go through as they are', () => {
  for (const path of [
    '/',
    '/_search?q=a:b%20c',
    '/a,b*,-c/_search',
    '/_cat/indices?v&s=store.size:desc',
    '/%3Clogs-%7Bnow%2Fd%7D%3E/_search',
    '/_snapshot/r/s?url=http://x//y',
  ])
    assert.deepEqual(target(path), { method: 'GET', path });
  assert.deepEqual(target('/küche/_doc/1', 'put'), { method: 'PUT', path: '/k%C3%BCche/_doc/1' });
});

test('nothing but a path of the cluster goes through', () => {
  for (const path of [
    '',
    '_search',
    'http://evil.example/',
    '//evil.example/',
    '/a//b',
    '/\\evil.example',
    '/a/../_security/user',
    '/a/%2e%2E/b',
    '/.',
    '/a b',
    '/a\r\nhost: evil',
    '/a%0d%0ab',
    '/a%5cb',
    '/a#b',
    `/${'a'.repeat(8_192)}`,
  ])
    assert.ok('status' in target(path) && (target(path) as { status: number }).status === 400, path.slice(0, 40));
  assert.ok('status' in target('/', 'CONNECT'));
  assert.ok('status' in target('/', ''));
});
