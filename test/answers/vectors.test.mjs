// Searches for the nearest vectors on a whole node, as Elasticsearch 8.12.0 answered them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, sleep, startNode } from '../node-process.mjs';

let node;
const vector = (dims, options = {}) => ({ type: 'dense_vector', dims, ...options });
before(async () => {
  node = await startNode();
  await call(node, 'PUT', '/near', {
    settings: { number_of_shards: 2, number_of_replicas: 0 },
    mappings: {
      properties: {
        v: vector(3),
        b: vector(2, { element_type: 'byte' }),
        u: vector(3, { index: false }),
        first: { type: 'dense_vector' },
        k: { type: 'keyword' },
        n: { type: 'nested', properties: { v: vector(2, { similarity: 'l2_norm' }) } },
      },
    },
  });
  for (let i = 1; i <= 8; i++) {
    const source = { v: [i, 1, 2], b: [i, 3], u: [i, 0, 0], k: `a${i % 2}`, n: [{ v: [i, 1] }, { v: [1, i] }] };
    await call(node, 'PUT', `/near/_doc/${i}`, source);
  }
  await call(node, 'POST', '/near/_refresh');
});
after(() => node?.stop());

const knn = { field: 'v', query_vector: [1, 2, 3], k: 3, num_candidates: 8 };
const search = async (body) => (await call(node, 'POST', '/near/_search', { _source: false, ...body })).body;
const hitsOf = ({ hits }) => hits.hits.map((hit) => [hit._id, Number(hit._score.toFixed(6))]);
/** Sums of 32-bit floats differ in their last bit by the order of addition, which 8.12 leaves to the processor. */
const rounded = (hits) => hits.map(([id, score]) => [id, Number(score.toFixed(6))]);
const NEAREST = rounded([
  ['1', 0.9909902],
  ['2', 0.9454354],
  ['3', 0.89285713],
]);

test('the k nearest documents of all shards are found, in the buffer, in segments and after reopening', async () => {
  for (const step of ['_refresh', '_flush', '_forcemerge?max_num_segments=1']) {
    await call(node, 'POST', `/near/${step}`);
    const answer = await search({ knn });
    assert.deepEqual(hitsOf(answer), NEAREST, step);
    assert.deepEqual(answer.hits.total, { value: 3, relation: 'eq' });
  }
  await call(node, 'POST', '/near/_close');
  await call(node, 'POST', '/near/_open?wait_for_active_shards=all');
  assert.deepEqual(hitsOf(await search({ knn })), NEAREST);
});

test('knn adds to the scores of the query, and aggregations see both', async () => {
  const answer = await search({
    query: { term: { k: 'a1' } },
    knn: [
      { ...knn, num_candidates: 5, boost: 2, similarity: 0.9, filter: { term: { k: 'a0' } } },
      { field: 'b', query_vector: [1, 2], k: 2, num_candidates: 5 },
    ],
    aggs: { k: { terms: { field: 'k' } } },
  });
  const best = [
    ['1', 1.6881218],
    ['2', 0.99613893],
  ];
  assert.deepEqual(hitsOf(answer).slice(0, 2), rounded(best));
  assert.equal(answer.hits.total.value, 5);
  assert.deepEqual(
    answer.aggregations.k.buckets.map(({ key, doc_count: count }) => [key, count]),
    [
      ['a1', 4],
      ['a0', 1],
    ],
  );
});

test('the query knn takes the best of each shard; points in time and scrolls page through the same', async () => {
  const near = { knn: { field: 'v', query_vector: [1, 2, 3], num_candidates: 8 } };
  assert.equal((await search({ query: near })).hits.total.value, 8);
  const pit = (await call(node, 'POST', '/near/_pit?keep_alive=1m')).body.id;
  const inPit = await call(node, 'POST', '/_search', { knn, pit: { id: pit }, _source: false });
  assert.deepEqual(hitsOf(inPit.body), NEAREST);
  const page = await call(node, 'POST', '/near/_search?scroll=1m', { knn, size: 2, _source: false });
  const next = await call(node, 'POST', '/_search/scroll', { scroll: '1m', scroll_id: page.body._scroll_id });
  assert.deepEqual([...hitsOf(page.body), ...hitsOf(next.body)], NEAREST);
});

test('passages: of nested vectors the best of each document counts, and inner hits show it', async () => {
  const nested = { field: 'n.v', query_vector: [1, 2], k: 2, num_candidates: 8, inner_hits: { _source: false } };
  const answer = await search({ knn: nested });
  assert.deepEqual(hitsOf(answer), [
    ['2', 1],
    ['1', 0.5],
  ]);
  assert.deepEqual(
    answer.hits.hits.map((hit) => hit.inner_hits.n.hits.hits.map((inner) => [inner._nested.offset, inner._score])),
    [[[1, 1]], [[0, 0.5]]],
  );
});

test('a filtered alias narrows the choice, not what was chosen', async () => {
  await call(node, 'POST', '/_aliases', {
    actions: [{ add: { index: 'near', alias: 'even', filter: { term: { k: 'a0' } } } }],
  });
  const { body } = await call(node, 'POST', '/even/_search', { knn, _source: false });
  assert.deepEqual(
    body.hits.hits.map((hit) => hit._id),
    ['2', '4', '6'],
  );
});

test('the first document decides the dimensions; explanations, field_caps and stats know vectors', async () => {
  await call(node, 'PUT', '/near/_doc/9?refresh', { first: [1, 0], k: 'x' });
  const { body } = await call(node, 'GET', '/near/_mapping');
  assert.equal(body.near.mappings.properties.first.dims, 2);
  const wrong = await call(node, 'PUT', '/near/_doc/10', { first: [1, 0, 2] });
  assert.match(wrong.body.error.reason, /more dimensions than defined in the mapping \[2\]/);
  const found = await search({ knn: { field: 'first', query_vector: [1, 0], k: 1, num_candidates: 1 }, explain: true });
  // Beside the filter that keeps nested documents out.
  const reasons = found.hits.hits[0]._explanation.details.map(({ description }) => description);
  assert.deepEqual(reasons.toSorted(), ['match on required clause, product of:', 'within top k documents']);
  const caps = (await call(node, 'GET', '/near/_field_caps?fields=v,u')).body.fields;
  assert.deepEqual([caps.v.dense_vector.searchable, caps.u.dense_vector.searchable], [true, false]);
  const stats = (await call(node, 'GET', '/near/_stats/dense_vector')).body._all.primaries;
  assert.equal(stats.dense_vector.value_count, 33);
  const exists = await search({ query: { exists: { field: 'v' } }, size: 0 });
  assert.equal(exists.hits.total.value, 8);
  await call(node, 'DELETE', '/near/_doc/9?refresh');
});

test('bad vectors are the client’s fault, and the node lives', async () => {
  const refused = async (body) => {
    const answer = await call(node, 'POST', '/near/_search', body);
    return [
      answer.status,
      answer.body.error.type,
      answer.body.error.phase ?? null,
      answer.body.error.root_cause[0].reason,
    ];
  };
  const creating = 'failed to create query: ';
  assert.deepEqual(await refused({ knn: { ...knn, query_vector: [1, 2] } }), [
    400,
    'search_phase_execution_exception',
    'dfs',
    `${creating}the query vector has a different dimension [2] than the index vectors [3]`,
  ]);
  assert.deepEqual(await refused({ knn: { ...knn, query_vector: Array(100_000).fill(1) } }), [
    400,
    'search_phase_execution_exception',
    'dfs',
    `${creating}the query vector has a different dimension [100000] than the index vectors [3]`,
  ]);
  const [status, type, phase, reason] = await refused({ knn, size: 20_000 });
  assert.deepEqual([status, type, phase], [400, 'search_phase_execution_exception', 'dfs']);
  assert.match(reason, /^Result window is too large, from \+ size must be less than or equal to: \[10000\]/);
  assert.deepEqual(await refused({ knn: { ...knn, query_vector: ['NaN', 1, 1] } }), [
    400,
    'search_phase_execution_exception',
    'dfs',
    `${creating}element_type [float] vectors do not support NaN values but found [NaN] at dim [0]; Preview of ` +
      'invalid vector: [NaN, 1.0, 1.0]',
  ]);
  assert.deepEqual(await refused({ knn: { ...knn, foo: 1 } }), [
    400,
    'x_content_parse_exception',
    null,
    '[1:69] [knn] unknown field [foo]',
  ]);
  for (const [source, reason] of [
    [{ v: [1e39, 1, 1] }, /do not support infinite values but found \[Infinity\] at dim \[0\]/],
    [{ v: [0, 0, 0] }, /does not support vectors with zero magnitude/],
    [{ v: [[1, 2, 3]] }, /expecting token of type \[VALUE_NUMBER\] but found \[START_ARRAY\]/],
    [{ v: { a: 1 } }, /Failed to parse object/],
    [{ first: Array(4097).fill(1) }, /should be in the range \[1, 4096\] but was \[4097\]|more dimensions/],
  ]) {
    const answer = await call(node, 'POST', '/near/_doc', source);
    assert.equal(answer.status, 400);
    assert.match(answer.body.error.reason, reason);
  }
  assert.equal((await call(node, 'GET', '/')).status, 200);
});

async function openContexts() {
  const { indices } = (await call(node, 'GET', '/near/_stats/search')).body;
  return indices.near.total.search.open_contexts;
}

test('rank makes one list of the hits of queries and of knn, and pages within its window', async () => {
  const opened = await openContexts();
  const body = {
    sub_searches: [{ query: { term: { k: 'a1' } } }, { query: { range: { 'b.none': { gte: 1 } } } }],
    knn: [knn, { ...knn, field: 'b', query_vector: [1, 2] }],
    rank: { rrf: { window_size: 5, rank_constant: 1 } },
    aggs: { k: { terms: { field: 'k' } } },
    size: 4,
  };
  const { hits, aggregations, _shards } = await search(body);
  assert.deepEqual([hits.total.value, hits.max_score, _shards.failed], [5, null, 0]);
  const ranks = new Map();
  for (const one of [body.sub_searches[0], { knn: body.knn[0] }, { knn: body.knn[1] }])
    hitsOf(await search({ ...one, size: 5 })).forEach(([id], i) => ranks.set(id, (ranks.get(id) ?? 0) + 1 / (i + 2)));
  const fused = [...ranks].sort(([, a], [, b]) => b - a).map(([id], i) => [id, null, i + 1]);
  const page = hits.hits.map(({ _id, _score, _rank }) => [_id, _score, _rank]);
  assert.deepEqual(page.slice(0, 3), fused.slice(0, 3));
  assert.deepEqual(Object.keys(hits.hits[0]), ['_index', '_id', '_score', '_rank']);
  assert.deepEqual(
    aggregations.k.buckets.map(({ key, doc_count }) => [key, doc_count]),
    [
      ['a1', 4],
      ['a0', 1],
    ],
  );
  const next = await search({ ...body, from: 4 });
  assert.deepEqual(
    [...page, ...next.hits.hits.map(({ _id, _score, _rank }) => [_id, _score, _rank])].map(([, , rank]) => rank),
    [1, 2, 3, 4, 5],
  );
  // Readers of shards without a hit are closed behind the answer.
  for (let i = 0; i < 100 && (await openContexts()) > opened; i++) await sleep(20);
  assert.equal(await openContexts(), opened);
});

test('what does not go with rank is refused in 8.12’s words', async () => {
  const refused = async (more) => {
    const { status, body } = await call(node, 'POST', '/near/_search', { rank: { rrf: {} }, knn: [knn, knn], ...more });
    return [status, body.error.reason];
  };
  for (const [more, problem] of [
    [{ knn }, '[rank] requires a minimum of [2] result sets using a combination of sub searches and/or knn searches'],
    [{ size: 0 }, '[rank] requires [size] greater than [0]'],
    [{ size: 101 }, '[rank] requires [window_size: 100] be greater than or equal to [size: 101]'],
    [{ sort: ['k'] }, '[rank] cannot be used with [sort]'],
    [{ highlight: { fields: { k: {} } } }, '[rank] cannot be used with [highlighter]'],
    [{ collapse: { field: 'k' } }, '[rank] cannot be used with [collapse]'],
    [{ profile: true }, '[rank] requires [profile] is [false]'],
  ])
    assert.deepEqual(await refused(more), [400, `Validation Failed: 1: ${problem};`]);
  const wide = { knn: [knn, knn], rank: { rrf: { window_size: 10_001 } } };
  const { status, body } = await call(node, 'POST', '/near/_search', wide);
  assert.deepEqual([status, body.error.type], [400, 'search_phase_execution_exception']);
  assert.match(body.error.root_cause[0].reason, /^Result window is too large, .* but was \[10001\]/);
});

test('_knn_search finds the k best of what the shards find, and says that it is deprecated', async () => {
  const ask = (body) => call(node, 'POST', '/near/_knn_search', body);
  const { k: _k, ...query } = knn;
  const { status, body, headers } = await ask({ knn, filter: { term: { k: 'a1' } }, _source: false, fields: ['k'] });
  assert.deepEqual([status, hitsOf(body)[0], body.hits.hits.length], [200, NEAREST[0], 3]);
  assert.deepEqual(body.hits.hits[0].fields, { k: ['a1'] });
  assert.match(headers.get('warning'), /The kNN search API has been replaced by the `knn` option/);
  const wrapped = '[knn-search] failed to parse field [knn]';
  for (const [bad, reason, cause] of [
    [{ knn: query }, `[1:62] ${wrapped}`, 'Required [k]'],
    [{ knn: {} }, `[1:9] ${wrapped}`, 'Required [field, query_vector, k, num_candidates]'],
    [{ knn: { ...knn, k: 'x' } }, `[1:48] ${wrapped}`, '[1:48] [knn] failed to parse field [k]'],
    [{ knn: null }, "[1:8] [knn-search] knn doesn't support values of type: VALUE_NULL"],
    [{ knn: { ...knn, num_candidates: 2 } }, '[num_candidates] cannot be less than [k]'],
    [{ knn, size: 1 }, '[1:70] [knn-search] unknown field [size]'],
    [{}, 'missing required [knn] section in search body'],
  ]) {
    const refused = await ask(bad);
    const { error } = refused.body;
    assert.deepEqual([refused.status, error.reason, error.caused_by?.reason], [400, reason, cause]);
  }
});

test('inner hits that an index does not allow fail the search, whichever shards find something', async () => {
  const w = { type: 'dense_vector', dims: 2, index: true, similarity: 'l2_norm' };
  await call(node, 'PUT', '/inner', {
    settings: { number_of_shards: 3 },
    mappings: { properties: { n: { type: 'nested', properties: { w, k: { type: 'keyword' } } } } },
  });
  await call(node, 'PUT', '/inner/_doc/1?refresh', { n: [{ w: [1, 2], k: 'a' }] });
  const knn = { field: 'n.w', query_vector: [1, 2], k: 3, num_candidates: 5 };
  const nested = (inner) => ({ query: { nested: { path: 'n', query: { match_all: {} }, inner_hits: inner } } });
  for (const body of [
    nested({ size: 1000 }),
    nested({ sort: ['nowhere'] }),
    { knn: { ...knn, inner_hits: { size: 1000 } } },
    { knn: { ...knn, inner_hits: { sort: ['nowhere'] } } },
  ]) {
    const { status, body: answer } = await call(node, 'POST', '/inner/_search', body);
    const reason = answer.error?.root_cause?.[0]?.reason ?? JSON.stringify(answer._shards);
    assert.equal(status, 400, `${JSON.stringify(body)}: ${reason}`);
    assert.match(reason, /Inner result window is too large|No mapping found for \[nowhere\]/);
  }
});
