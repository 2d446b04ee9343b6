import assert from 'node:assert/strict';
import test from 'node:test';
import { shard } from '@shoal/protocol';
import type { Progress, Searcher } from '@shoal/query';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { openTestShard, type TestShard, type TestWrite } from '../test-shard.js';
import { GroupWalk, SeveralFinder } from './group-walk.js';
import { collapseHits } from './collapse.js';
import { type HitCollector, scoreCollector } from './hit-collector.js';
import { executeQueryPhase } from './query-phase.js';
import { sourceOf } from './search-source.js';

const MAPPING = { properties: { n: { type: 'long' }, k: { type: 'keyword' } } };

type Values = readonly number[];

/** Opens a shard with a segment for each list of documents. */
async function shardOf(segments: readonly (readonly Values[])[]): Promise<TestShard> {
  const opened = await openTestShard({ mapping: MAPPING });
  let id = 0;
  for (const segment of segments)
    await opened.write(
      segment.map((n): TestWrite => ({ op: 'index', id: String(id++), source: { n, k: n.map(String) } })),
      1,
    );
  return opened;
}

/** Returns the first document with several values that is better than the last of the best groups when it is met. */
function refused(documents: readonly Values[], scores: readonly number[], size: number): number | null {
  let heads: { value: number | undefined; score: number }[] = [];
  for (const [doc, values] of documents.entries()) {
    const score = scores[doc]!;
    if (heads.length === size && heads.at(-1)!.score >= score) continue;
    if (values.length > 1) return doc;
    const old = heads.find(({ value }) => value === values[0]);
    if (old !== undefined && old.score >= score) continue;
    heads = [...heads.filter((head) => head !== old), { value: values[0], score }];
    heads = heads.sort((a, b) => b.score - a.score).slice(0, size);
  }
  return null;
}

/** Offers all documents of a searcher to a collector. */
function offerAll(searcher: Searcher, to: HitCollector, scores: readonly number[]): void {
  for (const view of searcher.segments) {
    to.start(view);
    const docs = Int32Array.from({ length: view.maxDoc }, (_, doc) => doc);
    to.offer(
      docs,
      Float64Array.from(docs, (doc) => scores[view.docBase + doc]!),
      docs.length,
    );
  }
}

/** Offers all documents of a searcher with the given scores to a walk of `atOnce` documents. */
function walk(searcher: Searcher, field: string, scores: readonly number[], size: number, atOnce: number): void {
  const make = (count: number): { hits: ReturnType<typeof scoreCollector>; release: () => void } => ({
    hits: scoreCollector(count, null),
    release: () => undefined,
  });
  const finder = new SeveralFinder(scoreCollector(1, null), field);
  const run = (to: HitCollector): void => {
    offerAll(searcher, to, scores);
    to.take();
  };
  run(finder);
  if (finder.last >= 0) run(new GroupWalk(make, field, searcher, size, finder.last, atOnce));
}

test('a walk in parts refuses the document that a walk over all documents refuses', async () => {
  const values = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 2 }).map((all) => [...new Set(all)].sort());
  const segments = fc.array(fc.array(values, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      segments,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 36, maxLength: 36 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (parts, scores, size, atOnce) => {
        const opened = await shardOf(parts);
        const lease = opened.shard.acquire();
        const doc = refused(parts.flat(), scores, size);
        const { segments: views } = lease.searcher;
        const base = doc === null ? 0 : views.findLast(({ docBase }) => docBase <= doc)!.docBase;
        for (const field of ['n', 'k']) {
          const run = (): void => walk(lease.searcher, field, scores, size, atOnce);
          if (doc === null) run();
          else assert.throws(run, { reason: new RegExp(`^failed to extract doc:${doc - base},`) });
        }
        lease.release();
        await opened.shard.close();
      },
    ),
    { numRuns: runs(40) },
  );
});

test('a walk in parts finds the best document of each group', async () => {
  const segments = fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(
      segments,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 36, maxLength: 36 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (parts, scores, size, atOnce) => {
        const opened = await shardOf(parts.map((values) => values.map((value) => [value])));
        const { searcher, release } = opened.shard.acquire();
        const groupsOf = async (hits: HitCollector): Promise<unknown> => {
          offerAll(searcher, hits, scores);
          return collapseHits(hits.take(), 'n', searcher, size, () => null);
        };
        const make = (count: number) => ({ hits: scoreCollector(count, null), release: () => undefined });
        const walked = await groupsOf(new GroupWalk(make, 'n', searcher, size, searcher.maxDoc, atOnce));
        assert.deepEqual(walked, await groupsOf(scoreCollector(searcher.maxDoc, null)));
        release();
        await opened.shard.close();
      },
    ),
    { numRuns: runs(40) },
  );
});

/** Runs a search that collapses on `n`; returns the number of hits, the bytes charged and the windows looked at. */
async function collapse(opened: TestShard, query: object): Promise<{ hits: number; bytes: number; windows: number }> {
  let [bytes, windows] = [0, 0];
  const progress: Progress = {
    check: () => false,
    sliceOver: () => (windows++, false),
    yield: async () => undefined,
    charge: (more) => void (bytes += more),
  };
  const own = { searchType: 'query_then_fetch', shardSize: 10, size: 10, allowExpensiveQueries: true };
  const request: shard.QueryRequest = {
    targets: [{ indexName: 'test', boost: 1 }],
    body: Buffer.from(JSON.stringify({ query, collapse: { field: 'n' } })),
    options: shard.encodeSearchOptions({ ...shard.decodeSearchOptions(new Uint8Array(0)), ...own }),
    nowMs: 0,
    fetch: false,
    keepContext: false,
    keepAliveMs: 0,
    maxConcurrent: 0,
  };
  const lease = opened.shard.acquire();
  try {
    const result = await executeQueryPhase(lease, request.targets[0]!, request, progress, sourceOf(request, null));
    return { hits: result.docs.length / 4, bytes, windows };
  } finally {
    lease.release();
  }
}

test('hits that a collapse keeps to find enough groups are charged', async () => {
  const opened = await shardOf([Array.from({ length: 600 }, () => [1])]);
  const found = await collapse(opened, { match_all: {} });
  assert.equal(found.hits, 1);
  assert.ok(found.bytes >= 520 * 32, String(found.bytes));
  await opened.shard.close();
});

test('a collapse over few groups neither keeps nor sorts all matches at once', async () => {
  const opened = await shardOf([Array.from({ length: 20_000 }, (_, i) => [i % 3])]);
  const found = await collapse(opened, { match_all: {} });
  assert.equal(found.hits, 3);
  // Of the passes before: 80, 640 and 5,120 hits.
  assert.ok(found.bytes < 6_000 * 32, String(found.bytes));
  await opened.shard.close();
});

test('groups are walked only if a match has several values', async () => {
  const opened = await shardOf([[...Array.from({ length: 20 }, (_, i) => [i]), [20, 21]]]);
  const one = await collapse(opened, { range: { n: { lt: 20 } } });
  assert.deepEqual([one.hits, one.windows], [10, 1]);
  const two = await collapse(opened, { match_all: {} });
  assert.deepEqual([two.hits, two.windows], [10, 2]);
  await opened.shard.close();
});
