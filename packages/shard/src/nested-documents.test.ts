import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestShard, type TestShard } from './test-shard.js';

const mapping = { properties: { n: { type: 'long' }, c: { type: 'nested', properties: { v: { type: 'long' } } } } };
const doc = (id: string, children: number) => ({
  op: 'index' as const,
  id,
  source: { n: 1, c: Array.from({ length: children }, (_, v) => ({ v })) },
});

/** Returns the number of live documents, nested ones included. */
function liveDocs({ shard }: TestShard): number {
  shard.refresh();
  const lease = shard.acquire();
  const count = lease.searcher.segments.reduce(
    (sum, { live, maxDoc }) => sum + (live === null ? maxDoc : live.cardinality()),
    0,
  );
  lease.release();
  return count;
}

test(
  'nested documents come and go with their root: in the buffer, ' + 'in segments, through merges and reopening',
  async () => {
    let shard = await openTestShard({ mapping });
    await shard.write([doc('1', 2), doc('2', 3), doc('3', 0), doc('4', 1)]);
    assert.equal(liveDocs(shard), 10);
    await shard.write([doc('2', 1)]);
    assert.equal(liveDocs(shard), 8);
    await shard.shard.flush();
    assert.equal(liveDocs(shard), 8);
    await shard.write([{ op: 'delete', id: '1' }, doc('3', 4), { op: 'delete', id: '4' }]);
    assert.equal(liveDocs(shard), 7);
    shard = await shard.reopen('crash');
    assert.equal(liveDocs(shard), 7);
    await shard.shard.forceMerge({ maxNumSegments: 1, onlyExpungeDeletes: false });
    assert.equal(liveDocs(shard), 7);
    assert.deepEqual([...shard.visible().keys()].sort(), ['2', '3']);
    shard = await shard.reopen('close');
    assert.equal(liveDocs(shard), 7);
    assert.equal((await shard.get('2')).version, 2);
  },
);
