import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { failureText, isWrongQuery } from './feed-failure.js';

const OF_SHARD = errors.illegalArgument('Fielddata is disabled on [v]', { meta: { index: 'logs' } });
const FAILURES = {
  'is missing': [errors.indexNotFound('no such index [logs]', { meta: { index: 'logs' } }), 'no such index [logs]'],
  'is closed': [errors.indexClosed('closed', { meta: { index: 'logs' } }), 'index [logs] is closed'],
  'has no copy of a shard': [
    errors.searchPhaseExecution('all shards failed', { status: 503 }),
    'no copy of some shards of [logs] is available: see GET _cluster/allocation/explain',
  ],
  'maps a field otherwise': [
    errors.searchPhaseExecution('all shards failed', { status: 400, cause: OF_SHARD }),
    'Fielddata is disabled on [v] (index [logs])',
  ],
} as const;

for (const [what, [error, text]] of Object.entries(FAILURES))
  test(`a datafeed says why it fails, and goes on later, where its index ${what}`, () => {
    assert.equal(failureText(error, ['logs']), text);
    assert.equal(isWrongQuery(error), false);
  });

test('a datafeed ends where its query is refused whatever its indices are', () => {
  assert.equal(isWrongQuery(errors.parsing('unknown query [moon]')), true);
  assert.equal(isWrongQuery(errors.unavailableShards('later')), false);
  assert.equal(isWrongQuery(new Error('a fault')), false);
});
