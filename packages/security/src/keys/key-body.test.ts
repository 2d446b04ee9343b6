import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownerOf } from './key-body.js';

test('whose keys are meant is never guessed', () => {
  assert.deepEqual([{ owner: true }, { owner: 'true' }, { owner: 'false' }, {}].map(ownerOf), [
    true,
    true,
    false,
    false,
  ]);
  for (const owner of ['yes', 1, {}, null])
    assert.throws(() => ownerOf({ owner }), { type: 'x_content_parse_exception', status: 400 });
});
