import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceIdOf } from './trace-parent.js';

test('a trace id is taken from a well-formed header only', () => {
  const id = '0af7651916cd43dd8448eb211c80319c';
  assert.equal(traceIdOf(`00-${id}-b7ad6b7169203331-01`), id);
  assert.equal(traceIdOf(`00-${'0'.repeat(32)}-b7ad6b7169203331-01`), null);
  assert.equal(traceIdOf(`00-${id.toUpperCase()}-b7ad6b7169203331-01`), null);
  assert.equal(traceIdOf('nonsense'), null);
});
