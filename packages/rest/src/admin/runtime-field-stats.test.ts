import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexMetadata } from '@shoal/state';
import { runtimeFieldTypes } from './runtime-field-stats.js';

const index = (name: string, mapping: Record<string, unknown>) =>
  ({ name, uuid: name, mapping }) as unknown as IndexMetadata;
const script = (source: string) => ({ source, lang: 'painless' });

test('runtime fields count by type, with their scripts and what they hide', () => {
  const properties = { a: { type: 'text', fields: { raw: { type: 'keyword' } } }, o: { properties: { x: {} } } };
  const runtime = {
    a: { type: 'keyword' },
    'a.raw': { type: 'keyword', script: script("emit(doc['b'].value);\nemit(params._source.c)") },
    'o.x': { type: 'keyword', script: script("emit('x')") },
    l: { type: 'long' },
  };
  const stats = runtimeFieldTypes([index('m1', { properties, runtime }), index('m2', { runtime: { l: runtime.l } })]);
  const none = { lines_max: 0, lines_total: 0, chars_max: 0, chars_total: 0 };
  const unused = { source_max: 0, source_total: 0, doc_max: 0, doc_total: 0 };
  assert.deepEqual(stats, [
    {
      ...{ name: 'keyword', count: 3, index_count: 1, scriptless_count: 1, shadowed_count: 3, lang: ['painless'] },
      ...{ lines_max: 2, lines_total: 3, chars_max: 44, chars_total: 53 },
      ...{ source_max: 1, source_total: 1, doc_max: 1, doc_total: 1 },
    },
    { name: 'long', count: 2, index_count: 2, scriptless_count: 2, shadowed_count: 0, lang: [], ...none, ...unused },
  ]);
});
