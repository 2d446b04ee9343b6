import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import type { SearcherLease } from '@shoal/shard';
import { createReaderContexts } from './reader-contexts.js';

const SHARD = { indexUuid: 'u', shard: 0 };

function fakeLease(): SearcherLease & { released: number } {
  const lease = {
    searcher: {} as SearcherLease['searcher'],
    requestCache: {} as SearcherLease['requestCache'],
    countSearch: () => undefined,
    fieldUsage: {} as SearcherLease['fieldUsage'],
    released: 0,
    release(): void {
      lease.released++;
    },
  };
  return lease;
}

test('a context lives as long as it is used within its keep-alive, and its reader is released once', async () => {
  const clock = fakeClock();
  const contexts = createReaderContexts('s', clock);
  const lease = fakeLease();
  const id = contexts.open(lease, SHARD, 1_000);
  clock.advance(900);
  await contexts.use(id, 0, async (used) => assert.equal(used, lease));
  clock.advance(900);
  contexts.expire();
  assert.equal(contexts.count, 1);
  clock.advance(200);
  contexts.expire();
  assert.equal(contexts.count, 0);
  assert.equal(lease.released, 1);
  await assert.rejects(
    contexts.use(id, 0, async () => undefined),
    { type: 'search_context_missing_exception', status: 404 },
  );
});

test('a longer keep-alive of a later request extends a context', async () => {
  const clock = fakeClock();
  const contexts = createReaderContexts('s', clock);
  const id = contexts.open(fakeLease(), SHARD, 1_000);
  await contexts.use(id, 60_000, async () => undefined);
  clock.advance(30_000);
  contexts.expire();
  assert.equal(contexts.count, 1);
});

test('a context that is freed while it is used is released by its last user', async () => {
  const contexts = createReaderContexts('s', fakeClock());
  const lease = fakeLease();
  const id = contexts.open(lease, SHARD, 1_000);
  await contexts.use(id, 0, async () => {
    assert.equal(contexts.free([id, 'unknown']), 1);
    assert.equal(lease.released, 0);
  });
  assert.equal(lease.released, 1);
});

test('contexts of one shard are freed, and it is told when the last one is gone', async () => {
  const contexts = createReaderContexts('s', fakeClock());
  const leases = [fakeLease(), fakeLease(), fakeLease()];
  const other = { indexUuid: 'u', shard: 1 };
  contexts.open(leases[0]!, SHARD, 1_000);
  const used = contexts.open(leases[1]!, SHARD, 1_000);
  contexts.open(leases[2]!, other, 1_000);
  let isGone = false;
  const gone = contexts.gone(SHARD).then(() => (isGone = true));
  await contexts.use(used, 0, async () => {
    contexts.freeShard(SHARD);
    await Promise.resolve();
    assert.deepEqual([leases.map((lease) => lease.released), isGone], [[1, 0, 0], false]);
  });
  await gone;
  assert.deepEqual(
    leases.map((lease) => lease.released),
    [1, 1, 0],
  );
  await contexts.gone({ indexUuid: 'u', shard: 2 });
});

test('a context serves only who opened it', async () => {
  const contexts = createReaderContexts('s', fakeClock());
  const id = contexts.open(fakeLease(), SHARD, 1_000, 'native/bob');
  await contexts.use(id, 0, async () => undefined, 'native/bob', 'u');
  await assert.rejects(
    contexts.use(id, 0, async () => undefined, 'native/bob', 'other'),
    { type: 'search_context_missing_exception' },
  );
  for (const other of [undefined, 'native/eve']) {
    await assert.rejects(
      contexts.use(id, 0, async () => undefined, other, 'u'),
      { type: 'search_context_missing_exception', status: 404 },
    );
    assert.equal(contexts.free([id], other), 0);
  }
  assert.equal(contexts.free([id], 'native/bob'), 1);
});
