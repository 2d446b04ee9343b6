import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { openTestShard } from '../test-shard.js';
import { indexSort } from './index-sort.js';

const mapping = { properties: { n: { type: 'long' }, k: { type: 'keyword' }, t: { type: 'text' } } };
const settings = { 'index.sort.field': 'n,k', 'index.sort.order': 'desc,asc', 'index.sort.missing': '_first,_last' };

interface Source {
  readonly n?: number;
  readonly k?: string;
  readonly t: string;
}

/** Returns the sort keys of a document. */
const keyOf = ({ n, k }: Source): [number, string] => [n === undefined ? -Infinity : -n, k ?? '\uffff'];

const isSorted = (sources: readonly Source[]): boolean =>
  sources.every((source, i) => {
    if (i === 0) return true;
    const [a, b] = [keyOf(sources[i - 1]!), keyOf(source)];
    return a[0] < b[0] || (a[0] === b[0] && a[1] <= b[1]);
  });

/** Returns the documents that a term finds, with their numbers and positions. */
function found(shard: Awaited<ReturnType<typeof openTestShard>>, term: string): string[] {
  const lease = shard.shard.acquire();
  const ids: string[] = [];
  for (const { reader, live, docBase } of lease.searcher.segments) {
    const terms = reader.terms('t');
    const ordinal = terms?.lookup(term) ?? -1;
    if (ordinal < 0) continue;
    const cursor = terms!.postings(ordinal);
    for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
      for (let i = 0; i < size; i++) {
        const doc = cursor.docs[i]!;
        const count = cursor.positions(i);
        if (live === null || live.get(doc))
          ids.push(
            `${lease.searcher.stored(docBase + doc).id}@` +
              `${[...cursor.positionBuffer.slice(0, count)].join('+')}x${cursor.freqs[i]}`,
          );
      }
    }
  }
  lease.release();
  return ids.sort();
}

const write = fc.record({
  id: fc.integer({ min: 0, max: 30 }),
  n: fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
  k: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
  t: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 5 }).map((words) => words.join(' ')),
});

test(
  'segments hold their documents in the order of the index, through seals, merges, deletes and reopening, and lose ' +
    'nothing',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(write, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 }),
        async (rounds) => {
          let sorted = await openTestShard({ mapping, settings });
          const plain = await openTestShard({ mapping });
          for (const round of rounds) {
            const writes = round.map(({ id, ...source }) => ({
              op: 'index' as const,
              id: String(id),
              source: Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined)),
            }));
            for (const shard of [sorted, plain]) {
              await shard.write(writes);
              await shard.write([{ op: 'delete', id: String(round[0]!.id) }]);
              await shard.shard.flush();
            }
          }
          await sorted.shard.forceMerge({ maxNumSegments: 1, onlyExpungeDeletes: false });
          sorted = await sorted.reopen('close');
          sorted.shard.refresh();
          plain.shard.refresh();
          const visible = sorted.visible();
          assert.ok(isSorted([...visible.values()] as Source[]));
          assert.deepEqual(new Map([...visible].sort()), new Map([...plain.visible()].sort()));
          for (const term of ['x', 'y', 'z']) assert.deepEqual(found(sorted, term), found(plain, term));
          for (const id of visible.keys()) assert.ok((await sorted.get(id)).found);
        },
      ),
      { numRuns: runs(8) },
    );
  },
);

test(
  'an order takes the smallest of several values ascending, the ' + 'largest descending, unless a mode says otherwise',
  () => {
    assert.equal(indexSort({}), null);
    assert.deepEqual(
      indexSort({
        'index.sort.field': ['a', 'b'],
        'index.sort.order': ['desc', 'desc'],
        'index.sort.mode': ['max', 'min'],
      }),
      [
        { field: 'a', isDescending: true, takesMax: true, missingFirst: false },
        { field: 'b', isDescending: true, takesMax: false, missingFirst: false },
      ],
    );
  },
);
