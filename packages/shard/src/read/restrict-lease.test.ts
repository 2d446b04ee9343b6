import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeValue } from '@shoal/codec';
import type { AccessLimits } from '@shoal/mapping';
import { encodeLimits, shard } from '@shoal/protocol';
import fc from 'fast-check';
import { canMatchShard } from '../search/can-match.js';
import { executeFetchPhase } from '../search/fetch-phase.js';
import { sourceOf } from '../search/search-source.js';
import { openTestShard, type TestShard } from '../test-shard.js';
import { restrictLease } from './restrict-lease.js';
import { bytes, fieldsOnly, optionsBytes, PROGRESS, search } from './test-search.js';

const MAPPING = {
  properties: {
    team: { type: 'keyword' },
    n: { type: 'long' },
    secret: { type: 'keyword', fields: { raw: { type: 'keyword' } } },
    deep: { properties: { shown: { type: 'keyword' }, hidden: { type: 'keyword' } } },
    o: { type: 'nested', properties: { x: { type: 'integer' } } },
  },
};

const ofTeam = (...teams: string[]): AccessLimits => ({
  queries: [teams.map((team) => JSON.stringify({ term: { team } }))],
  fields: [],
});
/** Runs a search for a caller with limits; returns the hits that the caller sees. */
async function hitsOf(
  opened: TestShard,
  body: Record<string, unknown>,
  limits: AccessLimits | null,
): Promise<unknown[]> {
  return (await search(opened, body, limits)).hits;
}

const doc = (id: string, team: string, n: number): Parameters<TestShard['write']>[0][number] => ({
  op: 'index',
  id,
  source: { team, n, secret: 's', deep: { shown: 'a', hidden: 'veiled' }, o: [{ x: n }, { x: n + 10 }] },
});

async function filled(): Promise<TestShard> {
  const opened = await openTestShard({ mapping: MAPPING });
  await opened.write([doc('1', 'red', 1), doc('2', 'blue', 2)], 1);
  await opened.shard.flush();
  await opened.write([doc('3', 'red', 3), doc('4', 'green', 4), doc('5', 'blue', 5), { op: 'delete', id: '5' }], 1);
  return opened;
}

test(
  'documents that a role does not show are in no answer: hits, ' + 'totals, aggregations, the global one too',
  async () => {
    const opened = await filled();
    const aggs = {
      all: { global: {}, aggs: { teams: { terms: { field: 'team' } } } },
      teams: { terms: { field: 'team' } },
    };
    const { ids, total } = await search(opened, { query: { match_all: {} }, track_total_hits: true }, ofTeam('red'));
    assert.deepEqual([ids, total], [['1', '3'], 2]);
    assert.equal((await search(opened, { size: 0, track_total_hits: true }, ofTeam('red', 'green'))).total, 3);
    const { result } = await search(opened, { size: 0, aggs }, ofTeam('red'));
    const text = JSON.stringify(decodeValue(result.aggregations!), (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    assert.ok(text.includes('red') && !text.includes('blue') && !text.includes('green'), text);
  },
);

/** Returns the partial aggregations of a search as text, in which the test looks for values. */
async function aggregated(
  opened: TestShard,
  aggs: Record<string, unknown>,
  limits: AccessLimits | null,
): Promise<string> {
  const { result } = await search(opened, { size: 0, aggs }, limits);
  return JSON.stringify(decodeValue(result.aggregations!), (_key, value: unknown) =>
    value instanceof Uint8Array
      ? Buffer.from(value).toString('latin1')
      : ArrayBuffer.isView(value)
        ? Array.from(value as Float64Array)
        : value,
  );
}

test(
  'terms that no document has which is seen do not come as ' + 'empty buckets either, nor below other buckets',
  async () => {
    const opened = await filled();
    const teams = { terms: { field: 'team', min_doc_count: 0 } };
    for (const aggs of [
      { teams },
      { teams: { terms: { ...teams.terms, include: '.*' } } },
      { by: { histogram: { field: 'n', interval: 10 }, aggs: { teams } } },
    ]) {
      assert.match(await aggregated(opened, { ...aggs }, null), /blue.*green|green.*blue/);
      assert.doesNotMatch(await aggregated(opened, { ...aggs }, ofTeam('red')), /blue|green/);
    }
    const numbers = { n: { terms: { field: 'n', min_doc_count: 0 } } };
    assert.doesNotMatch(await aggregated(opened, numbers, ofTeam('red')), /\b[245]\b/);
  },
);

test(
  'how frequent a term is in documents that are not seen does not ' + 'show in the background of significant terms',
  async () => {
    const opened = await filled();
    for (const more of [{}, { background_filter: { match_all: {} } }]) {
      for (const aggs of [
        { s: { significant_terms: { field: 'secret', min_doc_count: 1, ...more } } },
        { s: { significant_text: { field: 'secret', min_doc_count: 1, ...more } } },
      ]) {
        const only = await openTestShard({ mapping: MAPPING });
        await only.write([doc('1', 'red', 1), doc('3', 'red', 3)], 1);
        assert.equal(
          await aggregated(opened, aggs, ofTeam('red')),
          await aggregated(only, aggs, null),
          JSON.stringify(aggs),
        );
      }
    }
  },
);

test('several roles show what one of them shows, limits on limits what both show', async () => {
  const opened = await filled();
  const both: AccessLimits = {
    queries: [...ofTeam('red', 'blue').queries, ...ofTeam('blue', 'green').queries],
    fields: [],
  };
  assert.deepEqual((await search(opened, {}, ofTeam('red', 'blue'))).ids, ['1', '2', '3']);
  assert.deepEqual((await search(opened, {}, both)).ids, ['2']);
});

test('nested documents are seen with the document that they are part of', async () => {
  const opened = await filled();
  const nested = { query: { nested: { path: 'o', query: { range: { 'o.x': { gte: 1 } } } } } };
  assert.deepEqual((await search(opened, nested, ofTeam('red'))).ids, ['1', '3']);
});

test('answers kept for one caller are not given to another', async () => {
  const opened = await filled();
  const count = async (limits: AccessLimits | null): Promise<number> =>
    (await search(opened, { size: 0, track_total_hits: true, query: { range: { n: { gte: 0 } } } }, limits)).total;
  assert.equal(await count(null), 4);
  assert.equal(await count(ofTeam('red')), 2);
  assert.equal(await count(ofTeam('green')), 1);
  assert.equal(await count(null), 4);
});

test('a hidden field is not in sources and looks unmapped to queries and sorts', async () => {
  const opened = await filled();
  const limits = fieldsOnly(['*'], ['secret*', 'deep.hidden', 'o.x']);
  const { sources } = await search(opened, { query: { term: { team: 'green' } } }, limits);
  assert.deepEqual(sources, [{ team: 'green', n: 4, deep: { shown: 'a' } }]);
  for (const query of [
    { term: { secret: 's' } },
    { exists: { field: 'secret.raw' } },
    { query_string: { query: 'secret:s' } },
    { term: { 'deep.hidden': 'veiled' } },
  ]) {
    assert.deepEqual((await search(opened, { query }, limits)).ids, [], JSON.stringify(query));
  }
  await assert.rejects(search(opened, { sort: ['secret'] }, limits), {
    message: 'No mapping found for [secret] in order to sort on',
  });
  assert.deepEqual((await search(opened, { query: { term: { secret: 's' } } }, fieldsOnly(['secret']))).ids, [
    '1',
    '2',
    '3',
    '4',
  ]);
});

test('hidden fields are of no use to suggestions, aggregations and fields of hits', async () => {
  const opened = await filled();
  const limits = fieldsOnly(['*'], ['secret*', 'deep.hidden']);
  const suggest = { s: { text: 'x', term: { field: 'secret', min_word_length: 1, suggest_mode: 'always' } } };
  await assert.rejects(search(opened, { suggest }, limits), /no mapping found for field \[secret\]/);
  const { result } = await search(
    opened,
    {
      size: 0,
      aggs: {
        a: { terms: { field: 'deep.hidden' } },
        b: { value_count: { field: 'secret' } },
        c: { cardinality: { field: 'secret.raw' } },
      },
    },
    limits,
  );
  assert.doesNotMatch(Buffer.from(result.aggregations!).toString('latin1'), /veiled/);
  const body = {
    query: { ids: { values: ['1'] } },
    fields: ['*'],
    docvalue_fields: ['secret'],
    stored_fields: ['*'],
    highlight: { fields: { '*': {} } },
  };
  const target: shard.ShardTarget = { indexName: 'test', boost: 1 };
  const lease = opened.shard.acquire();
  const options = optionsBytes({
    searchType: 'query_then_fetch',
    shardSize: 1,
    from: 0,
    size: 1,
    isScroll: false,
    isPit: false,
    allowExpensiveQueries: true,
  });
  const message = { body: bytes(body), options };
  const [hit] = await executeFetchPhase(
    restrictLease(lease, encodeLimits(limits)),
    {
      ...message,
      target,
      nowMs: 0,
      docs: new Uint8Array(4),
      scores: new Uint8Array(4),
      sortValues: new Uint8Array(0),
      freeContext: false,
      totalIsLowerBound: false,
    },
    sourceOf(message, null),
    PROGRESS,
  );
  lease.release();
  assert.doesNotMatch(Buffer.from(hit!).toString('utf8'), /secret|hidden|veiled/);
});

test(
  'no query reaches the terms, numbers or vectors of a hidden ' + 'field, also those that do not ask the mapping',
  async () => {
    const opened = await openTestShard({
      mapping: {
        properties: {
          team: { type: 'keyword' },
          words: { type: 'text' },
          n: { type: 'long' },
          sayt: { type: 'search_as_you_type' },
          o: { type: 'nested', properties: { words: { type: 'text' }, n: { type: 'long' } } },
        },
      },
    });
    await opened.write(
      [
        {
          op: 'index',
          id: '1',
          source: {
            team: 'red',
            words: 'veiled truth',
            n: 42,
            sayt: 'veiled truth',
            o: [{ words: 'veiled truth', n: 42 }],
          },
        },
      ],
      1,
    );
    await opened.shard.flush();
    const limits = fieldsOnly(['team']);
    for (const field of ['words', 'sayt', 'sayt._2gram', 'sayt._index_prefix']) {
      const queries = [
        { span_term: { [field]: 'veiled' } },
        { span_multi: { match: { prefix: { [field]: 'vei' } } } },
        { span_first: { match: { span_term: { [field]: 'veiled' } }, end: 3 } },
        { match_phrase: { [field]: 'veiled truth' } },
        { intervals: { [field]: { match: { query: 'veiled' } } } },
        { match_bool_prefix: { [field]: 'vei' } },
        { regexp: { [field]: 'vei.*' } },
      ];
      for (const query of queries)
        assert.deepEqual((await search(opened, { query }, limits)).ids, [], JSON.stringify(query));
    }
    const scoreOf = async (field: string): Promise<number> => {
      const functions = [{ field_value_factor: { field, missing: 7 } }];
      const { result } = await search(
        opened,
        { query: { function_score: { functions, boost_mode: 'replace' } } },
        limits,
      );
      return new Float32Array(new Uint8Array(result.scores).buffer)[0]!;
    };
    assert.deepEqual([await scoreOf('n'), await scoreOf('nope')], [7, 7]);
    assert.deepEqual(
      (await search(opened, { query: { span_term: { words: 'veiled' } } }, fieldsOnly(['team', 'words']))).ids,
      ['1'],
    );
    assert.deepEqual(
      (await search(opened, { query: { match_bool_prefix: { sayt: 'vei' } } }, fieldsOnly(['sayt*']))).ids,
      ['1'],
    );
  },
);

/**
 * Returns what a caller with limits sees of the values of a `flattened` field: the paths that match, the values in
 * aggregations, and those in hits.
 */
async function flattenedAs(limits: AccessLimits | null) {
  const opened = await openTestShard({ mapping: { properties: { labels: { type: 'flattened' } } } });
  await opened.write([{ op: 'index', id: '1', source: { labels: { a1: 'open', b: 'other', secret: 'hush' } } }], 1);
  const paths = { labels: 'hush', 'labels.a1': 'open', 'labels.b': 'other', 'labels.secret': 'hush' };
  const found: string[] = [];
  const buckets: string[] = [];
  for (const [path, value] of Object.entries(paths)) {
    const queries = [
      { term: { [path]: value } },
      { exists: { field: path } },
      { prefix: { [path]: value.slice(0, 2) } },
      { query_string: { query: `${value.slice(0, 2)}*`, fields: [path] } },
    ];
    const totals = await Promise.all(
      queries.map(async (query) => (await search(opened, { query, track_total_hits: true }, limits)).total),
    );
    assert.equal(new Set(totals).size, 1, `${path} ${totals.join()}`);
    if (totals[0]! > 0) found.push(path);
    if ((await aggregated(opened, { t: { terms: { field: path } } }, limits)).includes(value)) buckets.push(path);
  }
  assert.deepEqual(buckets, found);
  const [hit] = await hitsOf(
    opened,
    {
      docvalue_fields: Object.keys(paths),
      fields: Object.keys(paths),
      sort: Object.keys(paths).map((path) => ({ [path]: { unmapped_type: 'keyword' } })),
    },
    limits,
  );
  return { found, source: (hit as { _source: unknown })._source, hit: JSON.stringify(hit) };
}

test(
  'keys of a flattened field are found where the field of all keys is shown and they are, its values as a whole ' +
    'where no key is hidden',
  async () => {
    const all = await flattenedAs(null);
    assert.deepEqual(all.found, ['labels', 'labels.a1', 'labels.b', 'labels.secret']);
    const some = await flattenedAs(fieldsOnly(['labels.a*']));
    assert.deepEqual([some.found, some.source], [[], { labels: { a1: 'open' } }]);
    const below = await flattenedAs(fieldsOnly(['labels.*']));
    assert.deepEqual(
      [below.found, below.source],
      [['labels.a1', 'labels.b', 'labels.secret'], { labels: { a1: 'open', b: 'other', secret: 'hush' } }],
    );
    const root = await flattenedAs(fieldsOnly(['labels']));
    assert.deepEqual([root.found, root.source], [['labels'], {}]);
    for (const except of ['labels.secret', 'labels.s*', '*.secret']) {
      const most = await flattenedAs(fieldsOnly(['*'], [except]));
      assert.deepEqual(
        [most.found, most.source],
        [['labels.a1', 'labels.b'], { labels: { a1: 'open', b: 'other' } }],
        except,
      );
      assert.doesNotMatch(most.hit, /hush/);
    }
    assert.deepEqual((await flattenedAs(fieldsOnly(['*'], ['labelsecret', 'x*']))).found, all.found);
    assert.doesNotMatch(some.hit, /hush|other/);
    assert.match(some.hit, /"labels.a1":\["open"\]/);
  },
);

test('which documents have a hidden field is not told by the names of their fields', async () => {
  const opened = await openTestShard({
    mapping: { properties: { team: { type: 'keyword' }, secret: { type: 'keyword', doc_values: false } } },
  });
  await opened.write(
    [
      { op: 'index', id: '1', source: { team: 'red', secret: 's' } },
      { op: 'index', id: '2', source: { team: 'red' } },
    ],
    1,
  );
  await opened.shard.flush();
  const query = { term: { _field_names: 'secret' } };
  assert.deepEqual((await search(opened, { query }, fieldsOnly(['team']))).ids, []);
  assert.deepEqual((await search(opened, { query }, fieldsOnly(['*']))).ids, ['1']);
});

test('reads by id hide documents, newly written ones too, and fields', async () => {
  const opened = await filled();
  await opened.write([
    { op: 'index', id: '6', source: { team: 'red', secret: 's' } },
    { op: 'index', id: '7', source: { team: 'blue' } },
  ]);
  const get = async (id: string, limits: AccessLimits): Promise<[boolean, unknown]> => {
    const item: shard.GetItem = { id, versionType: 0 };
    const [result] = (
      await opened.shard.get({
        shard: { indexUuid: 'uuid', shard: 0 },
        indexName: 'test',
        realtime: true,
        refresh: false,
        items: [item],
        access: encodeLimits(limits),
      })
    ).items;
    return [
      result!.found,
      result!.source === undefined ? null : JSON.parse(Buffer.from(result!.source).toString('utf8')),
    ];
  };
  assert.deepEqual(await get('6', { ...ofTeam('red'), fields: [[{ grant: ['team'], except: [] }]] }), [
    true,
    { team: 'red' },
  ]);
  assert.deepEqual(await get('7', ofTeam('red')), [false, null]);
  assert.deepEqual(await get('7', fieldsOnly(['none'])), [true, {}]);
});

test('explanations, statistics and listed terms tell nothing of what is hidden', async () => {
  const { shard: opened } = await filled();
  const call = async (action: string, body: unknown, limits: AccessLimits): Promise<unknown> =>
    opened.call(action, body, encodeLimits(limits));
  assert.deepEqual(
    await call('explain', { nowMs: 0, id: '2', query: { match_all: {} }, filter: null }, ofTeam('red')),
    { exists: false, matched: false },
  );
  assert.deepEqual(await call('terms_enum', { field: 'team' }, ofTeam('red')), { terms: [], complete: true });
  assert.deepEqual(await call('terms_enum', { field: 'secret' }, fieldsOnly(['team'])), { terms: [], complete: true });
  assert.deepEqual(await call('terms_enum', { field: 'team' }, fieldsOnly(['team'])), {
    terms: ['blue', 'green', 'red'],
    complete: true,
  });
  assert.deepEqual(await call('term_statistics', { fields: { secret: ['s'] } }, fieldsOnly(['team'])), {});
  assert.deepEqual(await call('term_statistics', { fields: { secret: ['s'] } }, ofTeam('red')), {});
});

test('whether a shard is skipped does not tell what documents hold that are not seen', async () => {
  const opened = await filled();
  const canMatchOf = (query: unknown, limits: AccessLimits | null): unknown => {
    const lease = opened.shard.acquire();
    const target: shard.ShardTarget = { indexName: 'test', boost: 1 };
    try {
      const source = sourceOf(
        { body: bytes({ query, sort: ['n'] }), options: optionsBytes({ allowExpensiveQueries: true }) },
        null,
      );
      return canMatchShard(limits === null ? lease : restrictLease(lease, encodeLimits(limits)), target, source, 0);
    } finally {
      lease.release();
    }
  };
  assert.deepEqual(canMatchOf({ term: { team: 'nobody' } }, null), { matches: false, bounds: { min: 1, max: 5 } });
  for (const team of ['blue', 'nobody'])
    assert.deepEqual(canMatchOf({ term: { team } }, ofTeam('red')), { matches: true, bounds: null });
  assert.deepEqual(canMatchOf({ match_all: {} }, ofTeam('nobody')), { matches: false, bounds: null });
});

test('a limited search finds what the same search with the limits as filter finds', async () => {
  const opened = await filled();
  const leaf = fc.constantFrom<Record<string, unknown>>(
    { match_all: {} },
    { term: { team: 'red' } },
    { range: { n: { gte: 2 } } },
    { ids: { values: ['1', '4'] } },
    { bool: { must_not: [{ term: { team: 'blue' } }] } },
  );
  await fc.assert(
    fc.asyncProperty(leaf, leaf, leaf, async (query, one, other) => {
      const limits: AccessLimits = { queries: [[JSON.stringify(one)], [JSON.stringify(other)]], fields: [] };
      const limited = await search(opened, { query }, limits);
      const filtered = await search(opened, { query: { bool: { filter: [query, one, other] } } }, null);
      assert.deepEqual(limited.ids, filtered.ids);
    }),
    { numRuns: 60 },
  );
});
