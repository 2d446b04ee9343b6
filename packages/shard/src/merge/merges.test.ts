import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import type { MergeRunner } from '../shard-api.js';
import { copyOfShard, openTestShard } from '../test-shard.js';

const doc = (id: string) => ({ op: 'index', id, source: { a: 1 } }) as const;

async function shardOfTwoSegments(mergeRunner: MergeRunner) {
  const opened = await openTestShard({ mergeRunner });
  for (const id of ['1', '2']) {
    await opened.write([doc(id)], 1);
    await opened.shard.flush();
  }
  return opened;
}

test('closing a shard aborts its running merge instead of waiting for it, and loses nothing', async () => {
  let started: () => void = () => undefined;
  const running = new Promise<void>((resolve) => (started = resolve));
  const mergeRunner: MergeRunner = {
    run: (_task, _inPlace, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(errors.taskCancelled('aborted')));
        started();
      }),
  };
  const opened = await shardOfTwoSegments(mergeRunner);
  const forced = opened.shard.forceMerge({ maxNumSegments: 1, onlyExpungeDeletes: false });
  const refused = assert.rejects(forced, /aborted/);
  await running;
  await opened.shard.close();
  await refused;
  const again = await openTestShard({ stores: opened.stores, files: opened.files });
  assert.equal(again.visible().size, 2);
  await again.shard.close();
});

const VECTORS = { properties: { v: { type: 'dense_vector', dims: 4, similarity: 'l2_norm' } } };
const vectorOf = (i: number): number[] => [Math.sin(i), Math.cos(i * 3), Math.sin(i * 7), i / 1000];

test('a flush writes no graph, a merge of the segment alone does, and a later one drops deleted vectors', async () => {
  const opened = await openTestShard({ mapping: VECTORS, graphs: { rowsMin: 100 } });
  const graphs = (): number[] => {
    const lease = opened.shard.acquire();
    const sizes = lease.searcher.segments.map(({ reader }) => reader.vectors('v')?.graphs?.[0]?.rows ?? 0);
    lease.release();
    return sizes;
  };
  const writes = Array.from(
    { length: 300 },
    (_, i) => ({ op: 'index', id: `${i}`, source: { v: vectorOf(i) } }) as const,
  );
  await opened.write(writes, 1);
  assert.deepEqual(graphs(), [0]);
  await opened.shard.flush();
  await opened.shard.forceMerge({ maxNumSegments: 1, onlyExpungeDeletes: false });
  assert.deepEqual(graphs(), [300]);
  await opened.write(
    writes.slice(0, 30).map(({ id }) => ({ op: 'delete', id }) as const),
    1,
  );
  await opened.shard.flush();
  await opened.shard.forceMerge({ maxNumSegments: 1, onlyExpungeDeletes: false });
  assert.deepEqual(graphs(), [270]);
  const again = await opened.reopen('crash');
  assert.equal(again.visible().size, 270);
  await again.shard.close();
});

test('a damaged block of a graph ends the shard', async () => {
  const opened = await openTestShard({ mapping: VECTORS, graphs: { rowsMin: 100 } });
  await opened.write(
    Array.from({ length: 200 }, (_, i) => ({ op: 'index', id: `${i}`, source: { v: vectorOf(i) } }) as const),
  );
  await opened.shard.flush();
  await opened.shard.forceMerge({ maxNumSegments: 1, onlyExpungeDeletes: false });
  const { stores, files } = await copyOfShard(opened.stores, opened.files);
  await opened.shard.close();
  const store = await stores.open('shard/db');
  const blocks: (readonly [Uint8Array, Uint8Array])[] = [];
  for await (const [key, value] of store.entries({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) }))
    if (Buffer.from(key).includes('graphs')) blocks.push([key, value.slice()]);
  assert.ok(blocks.length > 0);
  for (const [key, value] of blocks) {
    value[40]! ^= 1;
    await store.batch([{ type: 'put', key, value }], { sync: true });
  }
  const again = await openTestShard({ stores, files, mapping: VECTORS });
  const lease = again.shard.acquire();
  const graph = lease.searcher.segments[0]!.reader.vectors('v')!.graphs![0]!;
  assert.throws(() => graph.neighbours(0, 0, new Int32Array(64)), { type: 'corrupt_index_exception' });
  lease.release();
  await again.shard.close();
  assert.equal(again.failures[0]?.type, 'corrupt_index_exception');
});
