import assert from 'node:assert/strict';
import test from 'node:test';
import type { SegmentView } from '@shoal/query';
import { WINDOW_DOCS } from '@shoal/segments';
import { openTestShard, type TestShard, type TestWrite } from '../test-shard.js';
import { search } from '../read/test-search.js';
import { walkOrder } from './walk-order.js';

const view = (version: string, windows: number): SegmentView =>
  ({ version, maxDoc: windows * WINDOW_DOCS - 5 }) as SegmentView;

/** Windows of each part: the segment's name and the numbers of windows. */
function order(segments: readonly SegmentView[], hits: number, promise: (doc: number) => number): string[] | null {
  const parts = walkOrder(segments, hits, () => promise);
  return (
    parts?.map(({ view: { version }, runs }) => {
      const windows = runs.map(([from, to]) => `${from / WINDOW_DOCS}-${Math.ceil(to / WINDOW_DOCS)}`);
      return `${version} ${windows.join(' ')}`;
    }) ?? null
  );
}

test('the best windows come first, in tiers that grow, each in the order of documents', () => {
  assert.deepEqual(
    order([view('a', 12), view('b', 12)], 100, (doc) => -doc),
    ['a 11-12', 'b 11-12', 'a 7-11', 'b 7-11', 'a 0-7', 'b 0-7'],
  );
  const jumping = (doc: number): number => [5, 1, 6, 2, 7, 3, 8, 4, 9, 10][doc / WINDOW_DOCS]!;
  assert.deepEqual(order([view('a', 10)], 100, jumping), ['a 1-2 3-4', 'a 0-1 2-3 4-10']);
});

test('windows that are few, in order, or of which nothing is known are walked as they are', () => {
  assert.equal(
    order([view('a', 30)], 100, (doc) => doc),
    null,
  );
  assert.equal(
    order([view('a', 9)], 100, (doc) => -doc),
    null,
  );
  assert.equal(
    order([view('a', 30)], 30_000, (doc) => -doc),
    null,
  );
  assert.equal(
    walkOrder([view('a', 30)], 100, () => null),
    null,
  );
});

interface Doc {
  readonly id: number;
  readonly n: number | undefined;
}

/** Documents of several windows and segments: numbers rise, fall or jump from window to window, some have none. */
async function shardOfWindows(): Promise<{ readonly opened: TestShard; readonly all: readonly Doc[] }> {
  const opened = await openTestShard({ mapping: { properties: { n: { type: 'long' } } } });
  const all: Doc[] = [];
  const numberOf = [(i: number) => i, (i: number) => 40_000 - i, (i: number) => ((i >> 12) * 7919) % 40_000];
  for (const [segment, size] of [15_000, 13_000, 12_500].entries()) {
    const added = Array.from({ length: size }, (_, k): Doc => {
      const id = all.length + k;
      return { id, n: id % 1000 === 7 ? undefined : numberOf[segment]!(id >> 1) };
    });
    all.push(...added);
    await opened.write(
      added.map(({ id, n }): TestWrite => ({ op: 'index', id: String(id), source: n === undefined ? {} : { n } })),
      1,
    );
  }
  return { opened, all };
}

const isIn = ({ n }: Doc): boolean => n !== undefined && n >= 500 && n < 19_000;

/** Compares numbers in a direction; documents without one come last, equal ones in their order. */
const byNumber =
  (direction: number) =>
  (a: Doc, b: Doc): number =>
    a.n === b.n ? a.id - b.id : a.n === undefined ? 1 : b.n === undefined ? -1 : direction * (a.n - b.n);

test('pages of many windows come in order, whichever windows are looked at first', async () => {
  const { opened, all } = await shardOfWindows();
  const query = { range: { n: { gte: 500, lt: 19_000 } } };
  for (const [order, direction] of [
    ['asc', 1],
    ['desc', -1],
  ] as const) {
    const sorts = [
      { sort: [{ n: order }, { _seq_no: 'asc' }], compare: byNumber(direction) },
      { sort: [{ _doc: order }], compare: (a: Doc, b: Doc) => direction * (a.id - b.id) },
    ];
    for (const { sort, compare } of sorts) {
      for (const part of [{}, { query }, { post_filter: query }]) {
        const expected = all.filter((doc) => Object.keys(part).length === 0 || isIn(doc)).sort(compare);
        let after = {};
        for (let from = 0; from < 9000; from += 3000) {
          const body = { ...part, ...after, sort, size: 3000, track_total_hits: from === 0 };
          const { hits, total } = await search(opened, body, null);
          const found = hits as unknown as { readonly _id: string; readonly sort: unknown[] }[];
          const ids = expected.slice(from, from + 3000).map(({ id }) => String(id));
          assert.deepEqual(
            found.map(({ _id }) => _id),
            ids,
            JSON.stringify(body),
          );
          if (from === 0) assert.equal(total, expected.length);
          after = { search_after: found.at(-1)!.sort };
        }
      }
    }
  }
  await opened.shard.close();
});

test('of equal numbers the first documents are found', async () => {
  const { opened, all } = await shardOfWindows();
  for (const order of ['asc', 'desc'] as const) {
    const expected = [...all].sort(byNumber(order === 'asc' ? 1 : -1));
    const { hits } = await search(opened, { sort: [{ n: order }], size: 3001, track_total_hits: false }, null);
    assert.deepEqual(
      (hits as unknown as { readonly _id: string }[]).map(({ _id }) => _id),
      expected.slice(0, 3001).map(({ id }) => String(id)),
    );
  }
  await opened.shard.close();
});
