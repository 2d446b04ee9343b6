import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locateError } from './locate.js';
import { parseJson } from './parse-json.js';

test('keys, values and ends are found by the object they are in', () => {
  const bytes = Buffer.from('{"query": {"bool":{\n  "must" : [ {"a":1}, {"term":{"k\\u0031":2}} ]}}}');
  const root = parseJson(bytes) as { query: { bool: { must: { term: object }[] } } };
  const must = root.query.bool.must;
  assert.deepEqual(locateError(bytes, root, { container: root, key: 'query' }), { line: 1, col: 11 });
  assert.deepEqual(locateError(bytes, root, { container: root, key: 'query', at: 'key' }), { line: 1, col: 2 });
  assert.deepEqual(locateError(bytes, root, { container: root.query.bool, key: 'must' }), { line: 2, col: 12 });
  assert.deepEqual(locateError(bytes, root, { container: must, key: 1 }), { line: 2, col: 23 });
  assert.deepEqual(locateError(bytes, root, { container: must[1]!.term, key: 'k1' }), { line: 2, col: 42 });
  assert.deepEqual(locateError(bytes, root, { container: must[1]!.term }), { line: 2, col: 31 });
  assert.deepEqual(locateError(bytes, root, { container: must[1]!.term, key: 'k1', at: 'after' }), {
    line: 2,
    col: 43,
  });
  assert.deepEqual(locateError(bytes, root, { container: must, at: 'end' }), { line: 2, col: 46 });
  assert.deepEqual(locateError(bytes, root, { container: {}, key: 'query' }), null);
});
