import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@shoal/doors';
import { isApiError } from '@shoal/errors';
import { runs } from '@shoal/testing';
import { type Answer, search } from './read/test-search.js';
import { copyOfShard, openTestShard, type TestShard } from './test-shard.js';

const DAMAGES = runs(60);
const DOCUMENTS = 700;
const DIMS = 24;
/** Parts of a segment that only searches for the nearest vectors read. */
const PARTS = ['vectors', 'graphs', 'quantised'];
const MAPPING = {
  properties: {
    v: {
      type: 'dense_vector',
      dims: DIMS,
      similarity: 'l2_norm',
      index_options: { type: 'int8_hnsw', m: 4, ef_construction: 40 },
    },
  },
};
const vectorOf = (i: number): number[] =>
  Array.from({ length: DIMS }, (_, d) => Math.sin(i * 12.9898 + d * (1 + (i % 7)) * 78.233));

/** A walk through the graph over quantised rows, and a search that compares all vectors. */
const BODIES = [{ num_candidates: 5 }, { num_candidates: 5, exact: true }].map((more) => ({
  knn: { field: 'v', query_vector: vectorOf(100_000), k: 5, ...more },
}));

async function answersOf(opened: TestShard): Promise<readonly unknown[]> {
  const shown = ({ ids, result }: Answer): unknown => [ids, [...result.scores]];
  const answers: unknown[] = [];
  for (const body of BODIES) answers.push(shown(await search(opened, body, null)));
  return answers;
}

async function writtenShard(): Promise<TestShard> {
  const opened = await openTestShard({ mapping: MAPPING, graphs: { rowsMin: 100 } });
  await opened.write(
    Array.from({ length: DOCUMENTS }, (_, i) => ({ op: 'index', id: `${i}`, source: { v: vectorOf(i) } }) as const),
  );
  await opened.shard.flush();
  await opened.shard.forceMerge({ maxNumSegments: 1, onlyExpungeDeletes: false });
  return opened;
}

type Block = { readonly part: string; readonly key: Uint8Array; readonly value: Uint8Array };

async function blocksOf({ stores }: Pick<TestShard, 'stores'>): Promise<Block[]> {
  const blocks: Block[] = [];
  const all = { gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) };
  for await (const [key, value] of (await stores.open('shard/db')).entries(all)) {
    const part = PARTS.find((name) => Buffer.from(key).includes(name));
    if (part !== undefined) blocks.push({ part, key, value: Uint8Array.from(value) });
  }
  return blocks;
}

/** Returns a block with a bit flipped, its end cut, bytes of zero or those of another one; null to remove it. */
function damaged({ value, key }: Block, blocks: readonly Block[], next: () => number): Uint8Array | null {
  const at = Math.floor(next() * value.length);
  const kind = next();
  const other = blocks.find((block) => block.key !== key && next() < 0.5);
  if (kind < 0.1) return null;
  if (kind < 0.2) return value.slice(0, at);
  if (kind < 0.3 && other !== undefined) return other.value;
  const changed = value.slice();
  if (kind < 0.4) changed.fill(0, at, Math.min(at + 64, value.length));
  else changed[at]! ^= 1 << Math.floor(next() * 8);
  return changed;
}

test('damaged rows and graphs of vectors end the shard: no search finds fewer neighbours without a word', async () => {
  const { next } = seededRandom(29);
  const whole = await writtenShard();
  const expected = await answersOf(whole);
  const blocks = await blocksOf(whole);
  assert.deepEqual([...new Set(blocks.map(({ part }) => part))].sort(), [...PARTS].sort());
  let failed = 0;
  for (let i = 0; i < DAMAGES; i++) {
    const { stores, files } = await copyOfShard(whole.stores, whole.files);
    const block = blocks[Math.floor(next() * blocks.length)]!;
    const value = damaged(block, blocks, next);
    const store = await stores.open('shard/db');
    const { key } = block;
    await store.batch([value === null ? { type: 'del', key } : { type: 'put', key, value }], { sync: true });
    const what = `${block.part}, damage ${i}`;
    try {
      const opened = await openTestShard({ stores, files, mapping: MAPPING });
      assert.deepEqual(await answersOf(opened), expected, what);
    } catch (error) {
      assert.ok(isApiError(error) && error.type === 'corrupt_index_exception', `${what}: ${String(error)}`);
      assert.notEqual(await files.read('shard/marker'), null, `${what} left no marker`);
      failed++;
    }
  }
  assert.ok(failed > DAMAGES / 2, `${failed} of ${DAMAGES} damages were noticed`);
  await whole.shard.close();
});
