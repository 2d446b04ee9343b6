import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError } from '@shoal/errors';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const cluster = (): TestCluster => new TestCluster([testNode('n1')]);
const legacy = (c: TestCluster, patterns: readonly string[], more = {}): unknown =>
  c.run('put-legacy-template', { name: 'old', body: { index_patterns: patterns, ...more } });

test('a legacy template that a composable one overrides is refused, unless it matches all or was there', () => {
  const c = cluster();
  legacy(c, ['a-x*']);
  c.run('put-index-template', { name: 'new', body: { index_patterns: ['a-*'] } });
  legacy(c, ['a-x*'], { order: 3 });
  const refused = { reason: /^legacy template \[old\] has index patterns \[a-y\*\] matching patterns from existing/ };
  assert.throws(() => legacy(c, ['a-y*']), refused);
  legacy(c, ['*']);
});

test('mappings of legacy templates and of a request are merged as JSON', () => {
  const c = cluster();
  legacy(c, ['a*'], { mappings: { properties: { f: { type: 'integer', null_value: 2 } } } });
  const create = (type: string): unknown =>
    c.run('create-index', { name: `a-${type}`, body: { mappings: { properties: { f: { type } } } } });
  create('short');
  const [meta] = [...c.state.indices.values()];
  assert.deepEqual(meta!.mapping, { properties: { f: { type: 'short', null_value: 2 } } });
  assert.throws(() => create('text'), { reason: /unknown parameter \[null_value\] on mapper \[f\] of type \[text\]/ });
});

test('sorted indices cannot have nested objects: nor can templates, nor do they get them', () => {
  const c = cluster();
  const mappings = { properties: { f: { type: 'keyword' }, n: { type: 'nested' } } };
  const template = { settings: { 'index.sort.field': 'f' }, mappings };
  const reason = 'cannot have nested fields when index sort is activated';
  assert.throws(() => c.run('put-component-template', { name: 'c', body: { template } }), { reason });
  const properties = { f: { type: 'keyword' } };
  c.run('create-index', { name: 'i', body: { settings: template.settings, mappings: { properties } } });
  const [uuid] = [...c.state.indices.keys()];
  const update = { uuids: [uuid], mapping: { properties: { n: { type: 'nested' } } } };
  assert.throws(() => c.run('put-mapping', update), { reason });
});

test('a field of an index sort needs doc values and its own name', () => {
  const c = cluster();
  const create = (type: string, field = 'f'): unknown => {
    const properties = { f: { type }, al: { type: 'alias', path: 'f' } };
    const body = { settings: { 'index.sort.field': field }, mappings: { properties } };
    return c.run('create-index', { name: 'i', body });
  };
  const reason = 'docvalues not found for index sort field:[f]';
  const unsupported = "Can't load fielddata on [f] because fielddata is unsupported on fields of type [binary].";
  for (const [type, cause] of [
    ['text', 'Fielddata is disabled on [f] in []. Text fields are not optimised'],
    ['completion', 'Fielddata is not supported on field [f] of type [completion]'],
    ['binary', `${unsupported} Use doc values instead.`],
  ] as const)
    assert.throws(
      () => create(type),
      (error: ApiError) => error.reason === reason && error.causedBy?.reason?.startsWith(cause) === true,
    );
  assert.throws(() => create('keyword', 'al'), { reason: 'Cannot use alias [al] as an index sort field' });
});

test('a template that is stored again as it is leaves the state as it is', () => {
  const c = cluster();
  const puts = [
    ['put-component-template', { template: { mappings: { properties: { f: { type: 'keyword' } } } }, version: 2 }],
    ['put-index-template', { index_patterns: ['a-*'], composed_of: ['t'], data_stream: {} }],
    ['put-legacy-template', { index_patterns: ['b-*'], order: 1 }],
  ] as const;
  for (const [task, body] of puts) c.run(task, { name: 't', body });
  const { state } = c;
  for (const [task, body] of puts) {
    c.run(task, { name: 't', body });
    assert.equal(c.state, state, task);
  }
});

test('a lifecycle of data streams needs a template that makes them, as in 8.12', () => {
  const c = cluster();
  c.run('put-component-template', { name: 'c', body: { template: { lifecycle: { data_retention: '7d' } } } });
  const put = (more: object): unknown =>
    c.run('put-index-template', { name: 't', body: { index_patterns: ['a-*'], ...more } });
  const reason =
    'index template [t] specifies lifecycle configuration that can only be used in combination with a data stream';
  assert.throws(() => put({ template: { lifecycle: {} } }), { reason });
  assert.throws(() => put({ composed_of: ['c'] }), { reason });
  put({ composed_of: ['c'], data_stream: {} });
});
