import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usedProcessors } from './used-processors.js';

test('the processors of a pipeline are those of its lists, of failures and of foreach', () => {
  const inner = { uppercase: { field: '_ingest._value', on_failure: [{ drop: { tag: 'd' } }] } };
  const body = {
    processors: [
      { set: { field: 'a', value: 1, tag: 's' }, trim: null },
      { foreach: { field: 'b', processor: inner } },
      { script: { source: '', on_failure: [{ remove: { field: 'a' } }] } },
    ],
    on_failure: [{ append: { field: 'c', value: 1 } }],
  };
  assert.deepEqual(
    usedProcessors(body).map(({ type, tag }) => (tag === null ? type : `${type}:${tag}`)),
    ['set:s', 'trim', 'foreach', 'uppercase', 'drop:d', 'script', 'remove', 'append'],
  );
  assert.deepEqual(usedProcessors({ processors: 5, on_failure: [7, null] }), []);
});
