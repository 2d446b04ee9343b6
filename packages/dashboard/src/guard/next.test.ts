import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeNext } from './next.js';

test('a login leads to a page of ours', () => {
  assert.equal(safeNext('/app/discover?q=1#x', ''), '/app/discover?q=1#x');
  assert.equal(safeNext('/kibana/app/home', '/kibana'), '/kibana/app/home');
  assert.equal(safeNext('/kibana', '/kibana'), '/kibana');
});

test('a login leads nowhere else', () => {
  for (const next of [
    undefined,
    null,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/./\n/evil.example',
    'javascript:alert(1)',
    '/..//evil.example',
    'app/home',
  ])
    assert.equal(safeNext(next, ''), '/', String(next));
  for (const next of ['/app/home', '/kibanas', '/kibana/../app', '/other/app'])
    assert.equal(safeNext(next, '/kibana'), '/kibana/', next);
});
