import assert from 'node:assert/strict';
import test from 'node:test';
import { shard } from '@shoal/protocol';
import { openTestShard, type TestShard } from '../test-shard.js';
import { canMatchShard, type CanMatchAnswer } from './can-match.js';
import { sourceOf } from './search-source.js';

const bytes = (json: unknown): Uint8Array => Buffer.from(JSON.stringify(json));
const OPTIONS = shard.encodeSearchOptions({
  ...shard.decodeSearchOptions(new Uint8Array(0)),
  allowExpensiveQueries: true,
});
const MAPPING = {
  properties: { n: { type: 'long' }, at: { type: 'date' }, k: { type: 'keyword' }, m: { type: 'long' } },
};

function canMatchOf(opened: TestShard, body: unknown): CanMatchAnswer {
  const lease = opened.shard.acquire();
  const target = { indexName: 'test', boost: 1 };
  try {
    const source = sourceOf({ body: bytes(body), options: OPTIONS }, null);
    return canMatchShard(lease, target, source, 0);
  } finally {
    lease.release();
  }
}

async function filled(): Promise<TestShard> {
  const opened = await openTestShard({ mapping: MAPPING });
  const sources = [
    { n: 5, at: '2020-01-01', k: 'x', m: [1, 9] },
    { n: 10, at: '2020-06-01', k: 'y', m: 4 },
  ];
  await opened.write(
    sources.map((source, i) => ({ op: 'index', id: String(i), source })),
    1,
  );
  return opened;
}

test('ranges beyond all values and terms that are nowhere cannot match', async () => {
  const opened = await filled();
  const matches = (query: unknown): boolean => canMatchOf(opened, { query }).matches;
  assert.equal(matches({ range: { n: { gt: 10 } } }), false);
  assert.equal(matches({ range: { n: { gte: 10 } } }), true);
  assert.equal(matches({ range: { n: { lt: 5 } } }), false);
  assert.equal(matches({ range: { at: { gte: '2020-06-02' } } }), false);
  assert.equal(
    matches({ bool: { must: [{ term: { k: 'x' } }], filter: [{ range: { at: { lt: '2020-01-01' } } }] } }),
    false,
  );
  assert.equal(matches({ term: { k: 'z' } }), false);
  assert.equal(matches({ bool: { should: [{ term: { k: 'z' } }, { range: { n: { gte: 7 } } }] } }), true);
  assert.equal(matches({ bool: { must_not: [{ range: { n: { gte: 0 } } }] } }), true);
  await opened.shard.close();
});

test('a shard without documents cannot match', async () => {
  const opened = await openTestShard({ mapping: MAPPING });
  assert.equal(canMatchOf(opened, {}).matches, false);
  await opened.shard.close();
});

test('the first sort field is bounded where its values are compared as they are', async () => {
  const opened = await filled();
  const bounds = (sort: unknown): CanMatchAnswer['bounds'] => canMatchOf(opened, { sort }).bounds;
  assert.deepEqual(bounds(['n', 'k']), { min: 5, max: 10 });
  assert.deepEqual(bounds([{ at: 'desc' }]), { min: Date.UTC(2020, 0, 1), max: Date.UTC(2020, 5, 1) });
  assert.deepEqual(bounds([{ m: 'asc' }]), { min: 1, max: 9 });
  for (const sort of [
    ['k'],
    ['_score'],
    [{ n: { order: 'asc', missing: '_first' } }],
    [{ m: { order: 'asc', mode: 'max' } }],
    [{ m: { order: 'desc', mode: 'sum' } }],
  ])
    assert.equal(bounds(sort), null);
  await opened.shard.close();
});
