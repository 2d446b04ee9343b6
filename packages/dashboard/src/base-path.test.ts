import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBasePath } from './base-path.js';

test('with rewriting only requests below the base path are ours', () => {
  for (const [url, path] of [
    ['/kibana/app/home', '/app/home'],
    ['/kibana', '/'],
    ['/kibana/', '/'],
    ['/kibana?a=1', '/?a=1'],
    ['/kibanas/app/home', null],
    ['/app/home', null],
    ['/', null],
  ] as const)
    assert.equal(withoutBasePath(url, '/kibana', true), path, url);
});

test('without rewriting a proxy has stripped the base path', () => {
  assert.equal(withoutBasePath('/app/home?x=1', '/kibana', false), '/app/home?x=1');
  assert.equal(withoutBasePath('/kibana/app/home', '/kibana', false), '/kibana/app/home');
});
