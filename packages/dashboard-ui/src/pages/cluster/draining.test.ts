import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drainCall, drainedNodes, drainState } from './draining.js';

const NAME = 'cluster.routing.allocation.exclude._name';

test('a node is drained beside those that are, and the last one that ends takes the setting away', () => {
  const one = { persistent: { [NAME]: 'n1' } };
  assert.deepEqual(drainedNodes({}), []);
  assert.deepEqual(drainCall({}, 'n1').body, one);
  assert.deepEqual(drainCall(one, 'n2').body, { persistent: { [NAME]: 'n1,n2' } });
  assert.deepEqual(drainCall(one, 'n1').body, { persistent: { [NAME]: null } });
  assert.match(drainCall(one, 'n1').does, /again/);
});

test('a transient setting hides the persistent one, so it is the one to change', () => {
  const both = { persistent: { [NAME]: 'n1' }, transient: { [NAME]: ['n2', ' n3 '] } };
  assert.deepEqual(drainedNodes(both), ['n2', 'n3']);
  assert.deepEqual(drainCall(both, 'n2').body, { transient: { [NAME]: 'n3' } });
});

test('what is left on a node is told while it is drained', () => {
  assert.deepEqual(
    [drainState(false, 3), drainState(true, 3), drainState(true, 0)],
    ['', 'draining, 3 left', 'drained'],
  );
});
