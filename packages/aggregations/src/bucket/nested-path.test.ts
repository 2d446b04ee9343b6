import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPath } from './nested-path.js';

test('nested takes a text as its path and nothing else', () => {
  assert.equal(readPath({ path: 'n' }, 'b'), 'n');
  assert.equal(readPath({}, 'b'), undefined);
  assert.throws(() => readPath({ pat: 'n' }, 'b'), /Unknown key for a VALUE_STRING in \[b\]: \[pat\]\./);
  assert.throws(() => readPath({ path: ['n'] }, 'b'), /Unexpected token START_ARRAY in \[b\]\./);
});
