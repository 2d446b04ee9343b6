import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Answer, type FakeDoc, runFake } from './testing/fake-searcher.js';

const DAY = 86_400_000;

const docs = fc.array(
  fc.record({
    n: fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 2 }),
    d: fc.array(
      fc.integer({ min: -100, max: 100 }).map((n) => n / 4),
      { maxLength: 1 },
    ),
    k: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'é', '\u{1f600}', '\uffee'), { maxLength: 3 }),
    t: fc.array(fc.integer({ min: 0, max: 40 * DAY }), { maxLength: 1 }),
  }),
  { maxLength: 60 },
);

/** Splits documents into `parts` lists by position. */
function split(all: readonly FakeDoc[], parts: number): FakeDoc[][] {
  const out: FakeDoc[][] = Array.from({ length: parts }, () => []);
  all.forEach((doc, i) => out[i % parts]!.push(doc));
  return out;
}

const metrics = {
  sum: { sum: { field: 'd' } },
  avg: { avg: { field: 'n' } },
  stats: { stats: { field: 'd' } },
  values: { value_count: { field: 'k' } },
  distinct: { cardinality: { field: 'k' } },
  middle: { percentiles: { field: 'd', percents: [0, 50, 100] } },
};

const REQUESTS: Readonly<Record<string, object>> = {
  metrics,
  extended: {
    x: { extended_stats: { field: 'd' } },
    mad: { median_absolute_deviation: { field: 'd' } },
    m: { matrix_stats: { fields: ['d', 'n'] } },
  },
  terms: { x: { terms: { field: 'k', size: 20 }, aggs: metrics } },
  numbers: {
    x: {
      terms: { field: 'n', size: 50, order: [{ _count: 'asc' }, { _key: 'desc' }] },
      aggs: { k: { terms: { field: 'k' } } },
    },
  },
  histogram: {
    x: {
      histogram: { field: 'd', interval: 5, offset: 2 },
      aggs: { k: { terms: { field: 'k' }, aggs: { a: { avg: { field: 'd' } } } } },
    },
  },
  days: {
    x: {
      date_histogram: { field: 't', calendar_interval: 'week', time_zone: 'Europe/Paris' },
      aggs: { r: { range: { field: 'n', ranges: [{ to: 0 }, { from: 0, to: 5 }, { from: 3 }] } } },
    },
  },
  composite: {
    x: {
      composite: {
        size: 7,
        sources: [
          { k: { terms: { field: 'k', missing_bucket: true } } },
          { n: { terms: { field: 'n', order: 'desc' } } },
        ],
      },
      aggs: metrics,
    },
  },
  missing: { x: { missing: { field: 'n' }, aggs: { k: { terms: { field: 'k', missing: 'none' } } } } },
  rare: { x: { rare_terms: { field: 'k', max_doc_count: 3 } } },
  multi: { x: { multi_terms: { terms: [{ field: 'k' }, { field: 'n' }] } } },
  filters: {
    x: { filters: { filters: { all: { match_all: {} } }, other_bucket: true }, aggs: { k: { terms: { field: 'k' } } } },
  },
};

/** Numbers may differ in the last bits where sums were added in another order. */
function assertNear(a: Answer, b: Answer, at = ''): void {
  if (typeof a === 'number' && typeof b === 'number')
    return assert.ok(Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a)), `${at}: ${a} != ${b}`);
  if (typeof a !== 'object' || a === null || b === null) return assert.equal(a, b, at);
  assert.deepEqual(Object.keys(a), Object.keys(b), at);
  for (const key of Object.keys(a)) assertNear(a[key], b[key], `${at}.${key}`);
}

for (const [name, request] of Object.entries(REQUESTS)) {
  test(`many shards and segments answer ${name} as one shard with one segment`, async () => {
    await fc.assert(
      fc.asyncProperty(
        docs,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (all, shards, segments) => {
          const one = await runFake(request, [[all, []]]);
          const many = await runFake(
            request,
            split(all, shards).map((own) => split(own, segments)),
          );
          assertNear(many, one);
        },
      ),
      { numRuns: 40 },
    );
  });
}

test('terms, histograms and sums agree with counting by hand', async () => {
  await fc.assert(
    fc.asyncProperty(docs, async (all) => {
      const answer = await runFake(
        {
          k: { terms: { field: 'k', size: 50 } },
          h: { histogram: { field: 'n', interval: 7, min_doc_count: 1 } },
          s: { sum: { field: 'n' } },
        },
        [split(all, 3)],
      );
      const byTerm = new Map<string, number>();
      const byKey = new Map<number, number>();
      let sum = 0;
      for (const doc of all) {
        for (const term of doc.k) byTerm.set(term, (byTerm.get(term) ?? 0) + 1);
        for (const key of new Set(doc.n.map((n) => Math.floor(n / 7) * 7))) byKey.set(key, (byKey.get(key) ?? 0) + 1);
        sum += doc.n.reduce((total, n) => total + n, 0);
      }
      const expected = [...byTerm]
        .sort((a, b) => b[1] - a[1] || Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])))
        .map(([key, doc_count]) => ({ key, doc_count }));
      assert.deepEqual(answer.k.buckets, expected);
      assert.deepEqual(
        answer.h.buckets,
        [...byKey].sort((a, b) => a[0] - b[0]).map(([key, doc_count]) => ({ key, doc_count })),
      );
      assert.equal(answer.s.value, sum);
    }),
    { numRuns: 60 },
  );
});

test('paging through a composite gives every combination once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(docs, fc.integer({ min: 1, max: 5 }), async (all, size) => {
      const sources = [
        { k: { terms: { field: 'k' } } },
        { t: { date_histogram: { field: 't', fixed_interval: '7d' } } },
      ];
      const whole = await runFake({ c: { composite: { size: 1000, sources } } }, [split(all, 2)]);
      const paged: Answer[] = [];
      for (let after: Answer; ; ) {
        const page = await runFake({ c: { composite: { size, sources, ...(after ? { after } : {}) } } }, [
          split(all, 3),
          split([], 1),
        ]);
        paged.push(...page.c.buckets);
        after = page.c.after_key;
        if (!after) break;
      }
      assert.deepEqual(paged, whole.c.buckets);
    }),
    { numRuns: 40 },
  );
});
