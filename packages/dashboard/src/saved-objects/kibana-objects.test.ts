import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForeign, isKibanaDashboard, isKibanaSearch, searchOfKibana } from './kibana-objects.js';
import type { NewObject } from './object-store.js';

const search: NewObject = {
  type: 'search',
  id: 's',
  attributes: {
    title: 'Errors',
    columns: ['_source', 'level'],
    sort: [['@timestamp', 'desc']],
    kibanaSavedObjectMeta: {
      searchSourceJSON: JSON.stringify({
        query: { query: 'level: error', language: 'kuery' },
        filter: [
          { meta: { key: 'host', type: 'phrase', params: { query: 'a' }, negate: true } },
          { meta: { key: 'x', type: 'exists' } },
        ],
        indexRefName: 'ref',
      }),
    },
  },
  references: [{ type: 'index-pattern', id: 'p', name: 'ref' }],
};

test('a saved search of Kibana becomes one of ours, by the title of its index pattern', () => {
  assert.ok(isKibanaSearch(search));
  assert.deepEqual(
    searchOfKibana(search, (id) => (id === 'p' ? 'logs-*' : null)),
    {
      type: 'search',
      id: 's',
      references: [],
      attributes: {
        title: 'Errors',
        index: 'logs-*',
        query: 'level: error',
        language: 'kuery',
        columns: ['level'],
        sort: [['@timestamp', 'desc']],
        filters: [{ field: 'host', op: 'is_not', value: 'a' }],
      },
    },
  );
  assert.deepEqual(
    searchOfKibana(search, () => null),
    { missing: { type: 'index-pattern', id: 'p', name: 'ref' } },
  );
});

test('a saved search with broken parts is taken without them', () => {
  const broken = {
    ...search,
    attributes: { title: 1, columns: 'x', kibanaSavedObjectMeta: { searchSourceJSON: '{' } },
  };
  const taken = searchOfKibana(broken, () => 'logs');
  assert.ok('attributes' in taken);
  assert.deepEqual(taken.attributes['filters'], []);
});

test('objects of Kibana without a counterpart are known', () => {
  assert.ok(isForeign({ type: 'config', id: '8.12.0', attributes: { buildNum: 1 }, references: [] }));
  assert.ok(isKibanaDashboard({ type: 'dashboard', id: 'd', attributes: { panelsJSON: '[]' }, references: [] }));
  assert.ok(!isKibanaDashboard({ type: 'dashboard', id: 'd', attributes: { panels: [] }, references: [] }));
});
