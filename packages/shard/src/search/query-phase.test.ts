import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeValue } from '@shoal/codec';
import { shard } from '@shoal/protocol';
import type { Progress } from '@shoal/query';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { openTestShard, type TestShard, type TestWrite } from '../test-shard.js';
import { canMatchShard } from './can-match.js';
import { executeQueryPhase } from './query-phase.js';
import { sourceOf } from './search-source.js';

const PROGRESS: Progress = { check: () => false, sliceOver: () => false, yield: async () => undefined };

const MAPPING = {
  properties: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    o: { type: 'nested', properties: { x: { type: 'integer' } } },
  },
};

interface Doc {
  readonly t?: string;
  readonly k?: string | string[];
  readonly n?: number;
  readonly d?: number;
  readonly o?: readonly { readonly x: number }[];
}

interface Found {
  readonly ids: string[];
  readonly scores: number[];
  readonly sort: unknown[][] | null;
  readonly result: shard.ShardQueryResult;
}

/** Runs a search body on a shard; ids in the order of the hits. */
async function search(opened: TestShard, body: Record<string, unknown>, share: number | null = null): Promise<Found> {
  const size = Number(body['size'] ?? 10) + Number(body['from'] ?? 0);
  const options = {
    searchType: 'query_then_fetch',
    shardSize: share ?? size,
    from: 0,
    size,
    isScroll: false,
    isPit: false,
    allowExpensiveQueries: true,
  };
  const target: shard.ShardTarget = { indexName: 'test', boost: 1 };
  const bytes = (json: unknown): Uint8Array => Buffer.from(JSON.stringify(json));
  const request: shard.QueryRequest = {
    targets: [target],
    body: bytes(body),
    options: shard.encodeSearchOptions({ ...shard.decodeSearchOptions(new Uint8Array(0)), ...options }),
    nowMs: 0,
    fetch: share !== null,
    keepContext: false,
    keepAliveMs: 0,
    maxConcurrent: 0,
  };
  const lease = opened.shard.acquire();
  try {
    const source = sourceOf(request, null);
    const result = await executeQueryPhase(lease, target, request, PROGRESS, source);
    const docs = new Int32Array(new Uint8Array(result.docs).buffer);
    const ids = Array.from(docs, (doc) => lease.searcher.stored(doc).id);
    // A shard whose search finds hits must have passed the can_match phase.
    if (ids.length > 0) assert.ok(canMatchShard(lease, target, source, 0).matches);
    const scores = Array.from(new Float32Array(new Uint8Array(result.scores).buffer));
    return {
      ids,
      scores,
      sort: result.sortValues.length === 0 ? null : (decodeValue(result.sortValues) as unknown[][]),
      result,
    };
  } finally {
    lease.release();
  }
}

const WORDS = ['ash', 'asp', 'bat', 'bet', 'cat', 'cot', 'dog'];

const docs = fc.array(
  fc.record(
    {
      t: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join(' ')),
      k: fc.oneof(fc.constantFrom(...WORDS), fc.array(fc.constantFrom(...WORDS), { maxLength: 3 })),
      n: fc.integer({ min: -20, max: 20 }),
      d: fc.integer({ min: -8, max: 8 }).map((value) => value / 4),
      o: fc.array(fc.record({ x: fc.integer({ min: 0, max: 4 }) }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
  { minLength: 1, maxLength: 40 },
);

type Query = Record<string, unknown>;
type Test = (doc: Doc) => boolean;
interface Case {
  readonly query: Query;
  readonly matches: Test;
}

const valuesOf = (doc: Doc): string[] => (doc.k === undefined ? [] : [doc.k].flat());
const wordsOf = (doc: Doc): string[] => doc.t?.split(' ') ?? [];
const word = fc.constantFrom(...WORDS);

const leaf: fc.Arbitrary<Case> = fc.oneof(
  word.map((w): Case => ({ query: { term: { t: w } }, matches: (doc) => wordsOf(doc).includes(w) })),
  word.map((w): Case => ({ query: { term: { k: w } }, matches: (doc) => valuesOf(doc).includes(w) })),
  fc
    .array(word, { minLength: 1, maxLength: 3 })
    .map((ws): Case => ({ query: { terms: { k: ws } }, matches: (doc) => valuesOf(doc).some((w) => ws.includes(w)) })),
  fc.tuple(fc.integer({ min: -25, max: 25 }), fc.integer({ min: 0, max: 20 })).map(
    ([low, width]): Case => ({
      query: { range: { n: { gte: low, lt: low + width } } },
      matches: ({ n }) => n !== undefined && n >= low && n < low + width,
    }),
  ),
  fc
    .integer({ min: -8, max: 8 })
    .map(
      (low): Case => ({ query: { range: { d: { gt: low / 4 } } }, matches: ({ d }) => d !== undefined && d > low / 4 }),
    ),
  fc.tuple(word, word).map(
    ([a, b]): Case => ({
      query: { range: { k: { gte: a, lte: b } } },
      matches: (doc) => valuesOf(doc).some((w) => w >= a && w <= b),
    }),
  ),
  fc
    .constantFrom('a', 'c', 'ca', 'x')
    .map((p): Case => ({ query: { prefix: { k: p } }, matches: (doc) => valuesOf(doc).some((w) => w.startsWith(p)) })),
  fc.constant<Case>({
    query: { wildcard: { k: '*a?' } },
    matches: (doc) => valuesOf(doc).some((w) => /^.*a.$/.test(w)),
  }),
  fc.constant<Case>({
    query: { regexp: { t: '[bc].t' } },
    matches: (doc) => wordsOf(doc).some((w) => /^[bc].t$/.test(w)),
  }),
  fc.constantFrom('n', 'k', 't').map(
    (f): Case => ({
      query: { exists: { field: f } },
      matches: (doc) => (f === 'k' ? valuesOf(doc).length > 0 : doc[f as 'n'] !== undefined),
    }),
  ),
  fc.integer({ min: 0, max: 4 }).map(
    (x): Case => ({
      query: { nested: { path: 'o', query: { term: { 'o.x': x } } } },
      matches: ({ o }) => o?.some((one) => one.x === x) ?? false,
    }),
  ),
  fc.tuple(word, word).map(
    ([a, b]): Case => ({
      query: { match_phrase: { t: `${a} ${b}` } },
      matches: ({ t }) => ` ${t ?? ''} `.includes(` ${a} ${b} `),
    }),
  ),
  fc.constant<Case>({ query: { match_all: {} }, matches: () => true }),
);

const { query: cases } = fc.letrec<{ query: Case }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc
      .record({
        must: fc.array(tie('query'), { maxLength: 2 }),
        should: fc.array(tie('query'), { maxLength: 3 }),
        mustNot: fc.array(tie('query'), { maxLength: 1 }),
        filter: fc.array(tie('query'), { maxLength: 2 }),
        minimum: fc.integer({ min: 0, max: 2 }),
      })
      .map(boolCase),
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map(
      (some): Case => ({
        query: { dis_max: { queries: some.map((one) => one.query), tie_breaker: 0.5 } },
        matches: (doc) => some.some((one) => one.matches(doc)),
      }),
    ),
    tie('query').map((one): Case => ({ query: { constant_score: { filter: one.query } }, matches: one.matches })),
  ),
}));

function boolCase({
  must,
  should,
  mustNot,
  filter,
  minimum,
}: {
  must: Case[];
  should: Case[];
  mustNot: Case[];
  filter: Case[];
  minimum: number;
}): Case {
  const hasNoRequired = must.length + filter.length === 0;
  const least = hasNoRequired ? (should.length > 0 ? Math.max(1, minimum) : 0) : minimum;
  const isEmpty = must.length + should.length + mustNot.length + filter.length === 0;
  const json = (some: Case[]): Query[] => some.map((one) => one.query);
  return {
    query: {
      bool: {
        must: json(must),
        should: json(should),
        must_not: json(mustNot),
        filter: json(filter),
        minimum_should_match: minimum,
      },
    },
    matches: (doc) => {
      if (isEmpty) return true;
      const met = should.filter((one) => one.matches(doc)).length;
      return (
        [...must, ...filter].every((one) => one.matches(doc)) &&
        !mustNot.some((one) => one.matches(doc)) &&
        met >= least
      );
    },
  };
}

/**
 * Returns shards with the same documents in three forms: all buffered, all sealed, half of each with deletes and
 * updates between.
 */
async function shardsOf(all: readonly Doc[]): Promise<TestShard[]> {
  const writes = all.map((source, i): TestWrite => ({ op: 'index', id: String(i), source }));
  const half = writes.slice(0, writes.length >> 1);
  const buffered = await openTestShard({ mapping: MAPPING });
  await buffered.write(writes, 1);
  const sealed = await openTestShard({ mapping: MAPPING });
  await sealed.write(writes, 1);
  await sealed.shard.flush();
  const mixed = await openTestShard({ mapping: MAPPING });
  await mixed.write(
    [
      ...half.map((write) => ({ ...write, source: { t: 'dog dog', n: 99 } })),
      { op: 'index', id: 'gone', source: all[0]! },
    ],
    1,
  );
  await mixed.shard.flush();
  await mixed.write([...writes, { op: 'delete', id: 'gone' }], 1);
  for (const one of [buffered, sealed, mixed]) one.shard.refresh();
  return [buffered, sealed, mixed];
}

test('a search finds what a look at every document finds, in the buffer, in segments and across both', async () => {
  await fc.assert(
    fc.asyncProperty(docs, fc.array(cases, { minLength: 4, maxLength: 8 }), async (all, some) => {
      const shards = await shardsOf(all);
      for (const { query, matches } of some) {
        const expected = all.flatMap((doc, i) => (matches(doc) ? [String(i)] : [])).sort();
        for (const opened of shards) {
          const { ids, result } = await search(opened, { query, size: 100, track_total_hits: true });
          assert.deepEqual(ids.sort(), expected, JSON.stringify(query));
          assert.equal(result.total, expected.length);
        }
      }
      for (const opened of shards) await opened.shard.close();
    }),
    { numRuns: runs(8) },
  );
});

test(
  'clauses of which more must match than there are match nothing and are counted as none; negations alone need no ' +
    'minimum',
  async () => {
    const opened = await openTestShard({ mapping: MAPPING });
    await opened.write(
      [
        { op: 'index', id: '1', source: { t: 'cat', n: 1 } },
        { op: 'index', id: '2', source: { t: 'dog', n: 2 } },
      ],
      1,
    );
    const total = async (clauses: Query): Promise<number> =>
      (await search(opened, { query: { bool: clauses }, size: 0, track_total_hits: true })).result.total;
    const all = [{ match_all: {} }];
    assert.equal(await total({ filter: all, minimum_should_match: 1 }), 0);
    assert.equal(await total({ must: [{ term: { t: 'cat' } }], minimum_should_match: 1 }), 0);
    assert.equal(await total({ filter: all, should: all, minimum_should_match: 2 }), 0);
    assert.equal(await total({ filter: all, minimum_should_match: '50%' }), 2);
    assert.equal(await total({ must_not: [{ term: { t: 'cat' } }], minimum_should_match: 1 }), 1);
    assert.equal(
      await total({ must_not: [{ term: { t: 'cat' } }], minimum_should_match: 1, adjust_pure_negative: false }),
      0,
    );
    await opened.shard.close();
  },
);

test(
  'the first hits are the same whether or not the rest is ' + 'counted, and scores do not depend on the form',
  async () => {
    await fc.assert(
      fc.asyncProperty(docs, cases, async (all, { query }) => {
        const shards = await shardsOf(all);
        const [buffered, sealed] = await Promise.all(
          shards.slice(0, 2).map((opened) => search(opened, { query, size: 100 })),
        );
        assert.deepEqual(buffered!.scores, sealed!.scores);
        assert.deepEqual(buffered!.ids, sealed!.ids);
        const first = await search(shards[1]!, { query, size: 3, track_total_hits: false });
        assert.deepEqual(first.ids, sealed!.ids.slice(0, 3));
        for (const opened of shards) await opened.shard.close();
      }),
      { numRuns: runs(8) },
    );
  },
);

const order = (a: number | string | undefined, b: number | string | undefined, sign: number): number => {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -sign : sign;
};

test('hits come in the order of their sort values, pages continue where the one before ended', async () => {
  await fc.assert(
    fc.asyncProperty(
      docs,
      fc.constantFrom(1, -1),
      fc.constantFrom(1, -1),
      fc.integer({ min: 1, max: 7 }),
      async (all, byKeyword, byNumber, size) => {
        const shards = await shardsOf(all);
        const keyword = (doc: Doc): string | undefined =>
          byKeyword > 0 ? valuesOf(doc).sort()[0] : valuesOf(doc).sort().at(-1);
        const expected = all
          .map((doc, i) => ({ key: keyword(doc), n: doc.n, id: i }))
          .sort((a, b) => order(a.key, b.key, byKeyword) || order(a.n, b.n, byNumber) || a.id - b.id);
        const sort = [{ k: byKeyword > 0 ? 'asc' : 'desc' }, { n: byNumber > 0 ? 'asc' : 'desc' }, { _seq_no: 'asc' }];
        for (const opened of shards) {
          const seen: string[] = [];
          let after: unknown[] | undefined;
          while (seen.length <= all.length) {
            const page = await search(opened, {
              sort,
              size,
              track_total_hits: false,
              ...(after === undefined ? {} : { search_after: plainValues(after) }),
            });
            if (page.ids.length === 0) break;
            seen.push(...page.ids);
            after = page.sort!.at(-1);
          }
          assert.deepEqual(
            seen,
            expected.map(({ id }) => String(id)),
          );
        }
        for (const opened of shards) await opened.shard.close();
      },
    ),
    { numRuns: runs(8) },
  );
});

/**
 * Returns sort values as a client sends them back. The numbers that stand for missing values do not fit a double, so
 * bigints are sent as text.
 */
function plainValues(values: readonly unknown[]): unknown[] {
  return values.map((value) => (typeof value === 'bigint' ? String(value) : value));
}

test('scores are those of Elasticsearch 8.12 to the last bit', async () => {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write(
    [
      { op: 'index', id: '1', source: { t: 'quick brown fox', k: 'a' } },
      { op: 'index', id: '2', source: { t: 'quick dog', k: 'b' } },
    ],
    1,
  );
  const score = async (query: Query, id = '1'): Promise<number> => {
    const { ids, scores } = await search(opened, { query });
    return scores[ids.indexOf(id)]!;
  };
  const f = Math.fround;
  assert.equal(await score({ match: { t: 'quick fox' } }), f(0.80925685));
  assert.equal(await score({ match_phrase: { t: { query: 'quick fox', slop: 2 } } }), f(0.51224244));
  assert.equal(
    await score({ dis_max: { queries: [{ term: { t: 'fox' } }, { term: { t: 'quick' } }], tie_breaker: 0.3 } }),
    f(0.69128406),
  );
  assert.equal(await score({ fuzzy: { t: 'quikc' } }), f(0.13482605));
  assert.equal(
    await score({
      bool: {
        should: [{ term: { k: 'a' } }, { term: { k: 'b' } }, { term: { t: 'fox' } }],
        minimum_should_match: 2,
        boost: 2,
      },
    }),
    f(2.6677427),
  );
  assert.equal(
    await score({
      bool: {
        must: { match: { t: 'quick fox' } },
        filter: { term: { k: 'a' } },
        should: [{ constant_score: { filter: { term: { k: 'a' } }, boost: 2 } }],
      },
    }),
    f(2.8092568),
  );
  assert.equal(
    await score({ boosting: { positive: { match_all: {} }, negative: { term: { k: 'a' } }, negative_boost: 0.2 } }),
    f(0.2),
  );
  assert.equal(await score({ constant_score: { filter: { terms: { k: ['a', 'b'] } }, boost: 3 } }), 3);
  await opened.shard.close();
});

test('collapsing keeps the best hit of each value, rescoring changes the order within its window', async () => {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write(
    [
      { op: 'index', id: '1', source: { n: 1, t: 'cat' } },
      { op: 'index', id: '2', source: { n: 1, t: 'cat dog' } },
      { op: 'index', id: '3', source: { n: 2, t: 'dog' } },
      { op: 'index', id: '4', source: { t: 'dog' } },
    ],
    1,
  );
  const collapsed = await search(opened, { collapse: { field: 'n' }, sort: [{ _seq_no: 'desc' }] });
  assert.deepEqual(collapsed.ids, ['4', '3', '2']);
  assert.deepEqual(decodeValue(collapsed.result.collapseValues!), [null, 2, 1]);
  assert.equal(collapsed.result.total, 4);
  const rescored = await search(opened, {
    rescore: {
      window_size: 3,
      query: { rescore_query: { constant_score: { filter: { term: { n: 2 } } } }, rescore_query_weight: 5 },
    },
  });
  assert.deepEqual(rescored.ids, ['3', '1', '2', '4']);
  assert.deepEqual(rescored.scores, [6, 1, 1, 1]);
  await opened.shard.close();
});

test('a document with several values is refused where it is among the best groups when it is met', async () => {
  const opened = await openTestShard({ mapping: MAPPING });
  const operations = [1, 2, [3, 4], [1, 5]].map((n, i) => ({ op: 'index', id: `${i + 1}`, source: { n } }) as const);
  await opened.write(operations, 1);
  const sorted = (order: string, size: number): Promise<Found> =>
    search(opened, { collapse: { field: 'n' }, sort: [{ _seq_no: order }], size });
  const reason = 'failed to extract doc:2, the grouping field must be single valued';
  await assert.rejects(sorted('desc', 2), { reason });
  await assert.rejects(sorted('asc', 3), { reason });
  assert.deepEqual((await sorted('asc', 2)).ids, ['1', '2']);
  assert.deepEqual((await sorted('asc', 0)).ids, []);
  await opened.shard.close();
});

test('the query of a highlight fails the search whether there are hits or not', async () => {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write([{ op: 'index', id: '1', source: { n: 1, t: 'cat' } }], 1);
  const highlight = { fields: { t: { highlight_query: { match_phrase: { n: 'x' } } } } };
  for (const t of ['cat', 'dog'])
    await assert.rejects(search(opened, { query: { match: { t } }, highlight }), {
      type: 'number_format_exception',
      reason: 'For input string: "x"',
    });
  await opened.shard.close();
});

test('counting stops where the request says, terminate_after and min_score limit what is looked at', async () => {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write(
    Array.from(
      { length: 9 },
      (_, i): TestWrite => ({ op: 'index', id: String(i), source: { n: i, t: i < 3 ? 'cat cat' : 'cat dog dog' } }),
    ),
    1,
  );
  const { result: limited } = await search(opened, { query: { range: { n: { gte: 1 } } }, track_total_hits: 5 });
  assert.deepEqual([limited.total, limited.totalIsLowerBound], [5, true]);
  for (const size of [0, 10]) {
    const { result: uncounted } = await search(opened, { query: { term: { t: 'cat' } }, size, track_total_hits: 0 });
    assert.deepEqual([uncounted.total, uncounted.totalIsLowerBound], [0, true]);
  }
  const { result: none } = await search(opened, { query: { term: { t: 'emu' } }, track_total_hits: 0 });
  assert.deepEqual([none.total, none.totalIsLowerBound], [0, false]);
  const { result: terminated } = await search(opened, { query: { range: { n: { gte: 1 } } }, terminate_after: 2 });
  assert.deepEqual([terminated.total, terminated.terminatedEarly], [2, true]);
  const best = await search(opened, { query: { term: { t: 'cat' } } });
  const enough = await search(opened, { query: { term: { t: 'cat' } }, min_score: best.scores[2] });
  assert.deepEqual(enough.ids, ['0', '1', '2']);
  assert.equal(enough.result.total, 3);
  await assert.rejects(search(opened, { size: 20_000 }), { type: 'illegal_argument_exception' });
  await opened.shard.close();
});

test('documents of several windows are aggregated together, filters of several queries included', async () => {
  const count = 9000;
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write(
    Array.from(
      { length: count },
      (_, i): TestWrite => ({
        op: 'index',
        id: String(i),
        source: { n: i, k: i % 7 === 0 ? 'seven' : 'other', t: i % 3 === 0 ? 'ash' : 'bat' },
      }),
    ),
    1,
  );
  const either = { dis_max: { queries: [{ term: { t: 'ash' } }, { range: { n: { lt: 100 } } }] } };
  const { result } = await search(opened, {
    size: 0,
    query: { term: { k: 'seven' } },
    aggs: { f: { filters: { filters: [either] } }, s: { sum: { field: 'n' } } },
  });
  const sevens = Array.from({ length: count }, (_, i) => i).filter((i) => i % 7 === 0);
  const [filters, sum] = decodeValue(result.aggregations!) as [{ c: number[] }, { s: number }];
  assert.deepEqual(filters.c, [sevens.filter((i) => i % 3 === 0 || i < 100).length]);
  assert.equal(
    sum.s,
    sevens.reduce((a, b) => a + b, 0),
  );
  await opened.shard.close();
});

test('of a page that several shards share, a shard finds and renders its part', async () => {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write([3, 1, 2, 5, 4].map((n): TestWrite => ({ op: 'index', id: String(n), source: { n } })));
  await opened.shard.refresh();
  const rendered = async (body: Record<string, unknown>, count: number): Promise<unknown[]> => {
    const { ids, result } = await search(opened, body, count);
    assert.deepEqual(
      result.hits.map((hit) => (JSON.parse(Buffer.from(hit).toString()) as { _id: string })._id),
      ids,
    );
    return ids;
  };
  assert.deepEqual(await rendered({ size: 4, sort: ['n'] }, 2), ['1', '2']);
  assert.deepEqual(await rendered({ size: 4, sort: ['n'] }, 4), ['1', '2', '3', '4']);
  await opened.shard.close();
});

test('the window of an index limits the whole page, not the part that a shard has of it', async () => {
  const opened = await openTestShard({ mapping: MAPPING, settings: { 'index.max_result_window': '3' } });
  await assert.rejects(
    search(opened, { size: 4 }, 2),
    /from \+ size must be less than or equal to: \[3\] but was \[4\]/,
  );
  await opened.shard.close();
});

test('a profile shows what each part of a query matches', async () => {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write(
    [
      { op: 'index', id: '1', source: { t: 'a b', n: 1 } },
      { op: 'index', id: '2', source: { t: 'a', n: 2 } },
    ],
    1,
  );
  const { result } = await search(opened, {
    profile: true,
    query: { bool: { must: [{ match: { t: 'a' } }], filter: [{ range: { n: { gte: 2 } } }] } },
  });
  const { searches } = JSON.parse(Buffer.from(result.profile!).toString()) as {
    searches: {
      query: { breakdown: Record<string, number>; children: { type: string; breakdown: Record<string, number> }[] }[];
    }[];
  };
  const [root] = searches[0]!.query;
  assert.equal(root!.breakdown['next_doc_count'], 2);
  assert.deepEqual(
    root!.children.map(({ type, breakdown }) => [
      type,
      breakdown['next_doc_count'],
      breakdown['build_scorer_count'],
    ])[0],
    ['TermQuery', 3, 1],
  );
});

test('a score is that of the documents that there are now, not of those that an earlier search saw', async () => {
  const opened = await openTestShard({ mapping: MAPPING });
  for (const id of ['1', '2', '3']) {
    await opened.write([{ op: 'index', id, source: { k: 'cat' } }], 1);
    opened.shard.refresh();
    const { ids, scores } = await search(opened, { query: { term: { k: 'cat' } } });
    assert.equal(ids.length, Number(id));
    assert.ok(scores.every((score) => score > 0));
  }
  await opened.shard.close();
});
