import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexMetadata } from '@shoal/state';
import { writeRouting } from './write-routing.js';

test('the routing of an alias and the one of the request must agree', () => {
  const target = { index: {} as IndexMetadata, alias: { indexRouting: '1' }, dataStream: null };
  assert.equal(writeRouting(target, 'x', null), '1');
  assert.equal(writeRouting(target, 'x', '1'), '1');
  assert.throws(() => writeRouting(target, 'x', '2'), {
    reason:
      'Alias [x] has index routing associated with it [1], and was provided with routing value [2], ' +
      'rejecting operation',
  });
});
