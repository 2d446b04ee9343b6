import assert from 'node:assert/strict';
import test from 'node:test';
import type { Method, Route } from './route.js';
import { createRouter, splitPath } from './router.js';

function route(methods: readonly Method[], path: string): Route<null> {
  return {
    methods,
    path,
    name: `${methods[0]} ${path}`,
    body: 'none',
    privilege: '',
    handle: () => ({ status: 200, empty: true }),
  };
}

const router = createRouter([
  route(['GET'], '/{index}'),
  route(['GET', 'POST'], '/_search'),
  route(['GET', 'POST'], '/{index}/_search'),
  route(['GET'], '/_cat/{table}'),
  route(['GET'], '/_cat/indices'),
  route(['PUT', 'POST'], '/{index}/_doc/{id}'),
  route(['POST'], '/{index}/_doc'),
  route(['POST'], '/{index}/{type}'),
  route(['GET'], '/_nodes/{node}/stats'),
  route(['GET'], '/{any}/info/stats'),
]);

const find = (method: string, path: string) => router.match(method, splitPath(path));
const nameOf = (method: string, path: string): string => {
  const match = find(method, path);
  return match.kind === 'found' ? match.route.name : match.kind;
};

test('a literal segment wins over a parameter of the same place', () => {
  assert.equal(nameOf('GET', '/_search'), 'GET /_search');
  assert.equal(nameOf('GET', '/_cat/indices'), 'GET /_cat/indices');
  assert.equal(nameOf('GET', '/_cat/shards'), 'GET /_cat/{table}');
});

test('matching goes back to a parameter when the literal leads nowhere', () => {
  assert.equal(nameOf('GET', '/_nodes/info/stats'), 'GET /_nodes/{node}/stats');
  assert.equal(nameOf('GET', '/x/info/stats'), 'GET /{any}/info/stats');
  assert.equal(nameOf('POST', '/_cat/_search'), 'GET /{index}/_search');
});

test('values of parameters come by name', () => {
  const match = find('PUT', '/books/_doc/1');
  assert.deepEqual(match.kind === 'found' && { ...match.values }, { index: 'books', id: '1' });
});

test('a trailing slash is ignored', () => {
  assert.equal(nameOf('POST', '/books/_doc/'), 'POST /{index}/_doc');
});

test('a known shape with another method names the methods that it takes', () => {
  const match = find('DELETE', '/_search');
  assert.deepEqual(match.kind === 'method' && [...match.allowed].sort(), ['GET', 'POST']);
  const typed = find('GET', '/_foo/bar');
  assert.deepEqual(typed.kind === 'method' && typed.allowed, ['POST']);
});

test('an unknown shape is nothing', () => {
  assert.equal(find('GET', '/a/b/c/d/e').kind, 'none');
});

test('HEAD is served by GET', () => {
  assert.equal(nameOf('HEAD', '/books'), 'GET /{index}');
});

test('two routes for one method and shape are refused', () => {
  assert.throws(() => createRouter([route(['GET'], '/{a}/x'), route(['GET'], '/{b}/x')]), /two routes/);
});
