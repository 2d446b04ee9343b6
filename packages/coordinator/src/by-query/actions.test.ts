import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyState } from '@shoal/state';
import { type Action, actionsOf } from './actions.js';
import type { ByQueryRequest } from './by-query-request.js';
import { SourceText } from './source-reader.js';

function actionOf(kind: 'update' | 'reindex', source: string): Action | null {
  const script = { lang: 'painless', source, id: null, params: {}, options: {} };
  const target = { index: 'new', opType: 'index', versionType: 'external', routing: null, requireAlias: false };
  const request = { kind, script, target, pipeline: null } as unknown as ByQueryRequest;
  const hit = {
    index: 'old',
    id: '1',
    routing: null,
    version: 3,
    seqNo: 5,
    primaryTerm: 1,
    source: new SourceText(Buffer.from('{"a":1}')),
  };
  return actionsOf(emptyState(), request, 2000)(hit);
}

test('scripts of calls by query reach fields by paths, and what becomes of the document by metadata()', () => {
  const checked = { _index: 'old', _id: '1', if_seq_no: 5, if_primary_term: 1 };
  assert.deepEqual(actionOf('update', "field('a').move('b.c'); field('now').set(metadata().now.toEpochMilli())"), {
    op: 'index',
    meta: checked,
    source: { b: { c: 1 }, now: 2000 },
  });
  assert.equal(actionOf('update', "metadata().op = 'noop'"), null);
  assert.deepEqual(actionOf('update', "if ($('a', 0) == 1) { metadata().op = 'delete' }"), {
    ...{ op: 'delete', meta: checked, source: null },
  });
});

test('a script of _reindex sends a document elsewhere by metadata()', () => {
  const source = { a: 1 };
  assert.deepEqual(actionOf('reindex', "metadata().index = 'i-' + $('a', 0); metadata().routing = 'r'"), {
    op: 'index',
    meta: { _index: 'i-1', _id: '1', version: 3, version_type: 'external', routing: 'r' },
    source,
  });
  assert.deepEqual(actionOf('reindex', 'metadata().setVersionToInternal(); metadata().id = null'), {
    op: 'index',
    meta: { _index: 'new' },
    source,
  });
});
