import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { openTestShard, type TestShard, type TestWrite } from './test-shard.js';

interface Modelled {
  readonly version: number;
  readonly seqNo: number;
  readonly source: unknown;
}

/** Reference model of a shard: a plain map that applies the same operations. */
class Model {
  readonly documents = new Map<string, Modelled>();
  /** Versions continue after a delete as long as the delete is remembered. */
  readonly versions = new Map<string, number>();
  nextSeqNo = 0;

  #put(id: string, source: unknown): number {
    const isNew = !this.documents.has(id);
    const version = (this.versions.get(id) ?? 0) + 1;
    this.versions.set(id, version);
    this.documents.set(id, { version, seqNo: this.nextSeqNo++, source });
    return isNew ? 0 : 1;
  }

  apply({ op, id, source }: TestWrite): number {
    const current = this.documents.get(id);
    if (op === 'create' && current) return 5;
    if (op === 'update') return this.#update(id, current, source as { doc: Record<string, unknown> });
    if (op !== 'delete') return this.#put(id, source);
    this.versions.set(id, (this.versions.get(id) ?? 0) + 1);
    this.nextSeqNo++;
    return this.documents.delete(id) ? 2 : 4;
  }

  #update(id: string, current: Modelled | undefined, body: { doc: Record<string, unknown> }): number {
    if (!current) return 5;
    const merged = { ...(current.source as object), ...body.doc };
    if (JSON.stringify(merged) === JSON.stringify(current.source)) return 3;
    return this.#put(id, merged);
  }
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const value = fc.integer({ min: 0, max: 3 });
const write: fc.Arbitrary<TestWrite> = fc.oneof(
  fc.record({
    op: fc.constant('index' as const),
    id,
    source: fc.record({ n: value, t: fc.constantFrom('x y', 'z') }, { noNullPrototype: true }),
  }),
  fc.record({ op: fc.constant('create' as const), id, source: fc.record({ n: value }, { noNullPrototype: true }) }),
  fc.record({
    op: fc.constant('update' as const),
    id,
    source: fc.record({ doc: fc.record({ n: value }, { noNullPrototype: true }) }, { noNullPrototype: true }),
  }),
  fc.record({ op: fc.constant('delete' as const), id }),
);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      writes: fc.array(write, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refresh' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), max: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reopen' as const),
      how: fc.constantFrom('close' as const, 'crash' as const),
    }),
  },
);

async function checkGets(shard: TestShard, model: Model): Promise<void> {
  for (const name of 'abcdefgh') {
    const found = await shard.get(name);
    const expected = model.documents.get(name);
    assert.equal(found.found, expected !== undefined, name);
    if (!expected) continue;
    assert.deepEqual(JSON.parse(Buffer.from(found.source!).toString()), expected.source);
    assert.equal(found.seqNo, expected.seqNo);
  }
}

function checkVisible(shard: TestShard, model: Model): void {
  shard.shard.refresh();
  const expected = new Map([...model.documents].map(([name, { source }]) => [name, source]));
  const seen = shard.visible();
  assert.deepEqual(new Map([...seen].sort()), new Map([...expected].sort()));
}

test('whatever is written, refreshed, flushed, merged, closed or crashed, a shard answers as a map would', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const model = new Model();
      let shard = await openTestShard();
      for (const next of steps) {
        if (next.kind === 'write') {
          const expected = next.writes.map((one) => model.apply(one));
          const results = await shard.write(next.writes);
          assert.deepEqual(
            results.map(({ outcome }) => outcome),
            expected,
          );
        } else if (next.kind === 'refresh') checkVisible(shard, model);
        else if (next.kind === 'flush') await shard.shard.flush();
        else if (next.kind === 'merge')
          await shard.shard.forceMerge({ maxNumSegments: next.max, onlyExpungeDeletes: false });
        else shard = await shard.reopen(next.how);
        await checkGets(shard, model);
      }
      checkVisible(shard, model);
      await shard.shard.close();
    }),
    { numRuns: runs(40) },
  );
});

test('documents that are written while a buffer is sealed and segments merge are all there, once', async () => {
  const shard = await openTestShard({ bufferBytesMax: 60_000 });
  const model = new Map<string, unknown>();
  for (let round = 0; round < 40; round++) {
    const writes = Array.from(
      { length: 50 },
      (_, i): TestWrite => ({ op: 'index', id: `${(round * 17 + i * 3) % 300}`, source: { round, i } }),
    );
    for (const one of writes) model.set(one.id, one.source);
    const results = await shard.write(writes);
    assert.ok(results.every(({ outcome }) => outcome < 2));
  }
  shard.shard.refresh();
  assert.deepEqual(new Map([...shard.visible()].sort()), new Map([...model].sort()));
  const again = await shard.reopen('crash');
  assert.deepEqual(new Map([...again.visible()].sort()), new Map([...model].sort()));
});
