import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexMetadata } from '@shoal/state';
import { createIndexContexts } from './index-contexts.js';

const index = (name: string, mapping: unknown): IndexMetadata =>
  ({ name, uuid: `${name}-uuid`, settings: { 'index.uuid': `${name}-uuid` }, mapping }) as unknown as IndexMetadata;

test('the mapping of an index is parsed when it is needed, and shared by indices that have the same', () => {
  const contexts = createIndexContexts();
  const properties = { f: { type: 'keyword' } };
  const [a, b] = [contexts.of(index('a', { properties })), contexts.of(index('b', { properties: { ...properties } }))];
  assert.notEqual(a, b);
  assert.equal(a.mapping, b.mapping);
  const bad = contexts.of(index('c', { properties: { f: { type: 'none' } } }));
  assert.throws(() => bad.mapping, { type: 'mapper_parsing_exception' });
});

test('a context stays the same while the metadata does', () => {
  const contexts = createIndexContexts();
  const meta = index('a', {});
  const context = contexts.of(meta);
  assert.equal(contexts.of(meta), context);
  assert.notEqual(contexts.of({ ...meta }), context);
});
