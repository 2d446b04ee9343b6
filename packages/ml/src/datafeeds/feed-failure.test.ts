import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { FeedRetries, failureText } from './feed-failure.js';

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
    assert.equal(new FeedRetries(false).failed(error), 1000);
  });

test('a datafeed ends where its query is refused whatever its indices are', () => {
  const afterFailure = (error: Error) => new FeedRetries(false).failed(error);
  assert.equal(afterFailure(errors.parsing('unknown query [moon]')), null);
  assert.equal(afterFailure(errors.unavailableShards('later')), 1000);
  assert.equal(afterFailure(new Error('a fault')), 1000);
});

test('a datafeed with an end gives up once shards have refused it five times on end; others try on', () => {
  const refused = FAILURES['maps a field otherwise'][0];
  const waits = (hasEnd: boolean, failures: readonly Error[]) => {
    const retries = new FeedRetries(hasEnd);
    return failures.map((error) => retries.failed(error));
  };
  const five = Array.from({ length: 5 }, () => refused);
  assert.deepEqual(waits(true, five), [1000, 2000, 4000, 8000, null]);
  assert.deepEqual(waits(false, five), [1000, 2000, 4000, 8000, 16_000]);
  const missing = FAILURES['is missing'][0];
  assert.equal(waits(true, [refused, refused, missing, refused, refused, refused]).at(-1), 32_000);
  const closed = FAILURES['is closed'][0];
  assert.equal(
    waits(
      true,
      Array.from({ length: 9 }, () => closed),
    ).at(-1),
    60_000,
  );
});
