// Answers of a whole node, as Elasticsearch 8.12.0 gave them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode({
    settings: { 'http.cors.enabled': 'true', 'http.cors.allow-origin': 'http://page.example' },
  });
});
after(() => node?.stop());

const created = async (index, mappings, docs, settings = {}) => {
  await call(node, 'PUT', `/${index}`, { settings, mappings });
  for (const [id, source] of Object.entries(docs)) await call(node, 'PUT', `/${index}/_doc/${id}`, source);
  await call(node, 'POST', `/${index}/_refresh`);
};
const textOf = async (path, body) =>
  (
    await fetch(`${node.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).text();

const SMILE_REFUSED = 'answers in SMILE are not supported: json, yaml and cbor are';

test('a scroll by a coarse date format gives out every document once', async () => {
  const docs = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [i, { d: `20${20 - (i >> 1)}-0${i + 1}-01` }]));
  await created('coarse', { properties: { d: { type: 'date' } } }, docs, { number_of_shards: 2 });
  const ids = [];
  let page = await call(node, 'POST', '/coarse/_search?scroll=1m&size=2', {
    sort: [{ d: { order: 'desc', format: 'yyyy' } }],
  });
  while (page.body.hits.hits.length > 0) {
    ids.push(...page.body.hits.hits.map((hit) => hit._id));
    page = await call(node, 'POST', '/_search/scroll', { scroll: '1m', scroll_id: page.body._scroll_id });
  }
  assert.deepEqual(ids, ['1', '0', '3', '2', '5', '4', '6']);
});

test('addresses and versions of several shards sort by what they are, not by their text', async () => {
  const inOrder = {
    ip: [
      '2.0.0.1',
      '9.0.0.1',
      '10.0.0.1',
      '10.0.0.9',
      '10.0.0.10',
      '100.0.0.1',
      '192.168.0.2',
      '192.168.0.11',
      'ffff::1',
    ],
    version: ['1.2.0', '1.9.0', '1.10.0', '1.10.1', '2.0.0', '9.0.0', '10.0.0', '10.1.0', '100.0.0'],
  };
  for (const [type, values] of Object.entries(inOrder)) {
    await created(
      `${type}s`,
      { properties: { v: { type } } },
      Object.fromEntries(values.map((v, i) => [`${i}-${type}`, { v }])),
      { number_of_shards: 3 },
    );
    const shown = (answer) => answer.body.hits.hits.flatMap(({ sort }) => sort);
    const found = (body) => call(node, 'POST', `/${type}s/_search`, body);
    assert.deepEqual(shown(await found({ sort: ['v'] })), values);
    assert.deepEqual(
      shown(await found({ size: 4, sort: [{ v: 'desc' }], search_after: [values[6]] })),
      values.slice(2, 6).reverse(),
    );
    const scrolled = [];
    let page = await call(node, 'POST', `/${type}s/_search?scroll=1m&size=2`, { sort: ['v'] });
    while (page.body.hits.hits.length > 0) {
      scrolled.push(...shown(page));
      page = await call(node, 'POST', '/_search/scroll', { scroll: '1m', scroll_id: page.body._scroll_id });
    }
    assert.deepEqual(scrolled, values);
    const { aggregations } = (
      await found({
        size: 0,
        aggs: {
          hits: { top_hits: { size: 9, sort: ['v'] } },
          metrics: { top_metrics: { size: 9, metrics: { field: 'v' }, sort: 'v' } },
        },
      })
    ).body;
    assert.deepEqual(
      aggregations.hits.hits.hits.flatMap(({ sort }) => sort),
      values,
    );
    assert.deepEqual(
      aggregations.metrics.top.flatMap(({ sort }) => sort),
      values,
    );
  }
});

test('a term on a boolean is scored by its rarity, in a filter it is not', async () => {
  await created(
    'flags',
    { properties: { b: { type: 'boolean' } } },
    Object.fromEntries([true, false, true, true, true, true, true].map((b, i) => [i, { b }])),
  );
  const best = async (query) => (await call(node, 'POST', '/flags/_search', { query })).body.hits.max_score;
  assert.equal(await best({ term: { b: true } }), 0.20763937);
  assert.equal(await best({ term: { b: { value: false, boost: 2 } } }), 3.3479528);
  assert.equal(await best({ constant_score: { filter: { term: { b: true } } } }), 1);
});

test(
  'doubles print with a decimal point wherever they are ' + 'computed or fetched, sources as they were sent',
  async () => {
    await created(
      'numbers',
      { properties: { d: { type: 'double' }, f: { type: 'float' }, n: { type: 'long' } } },
      { 1: { d: 4, f: 1.1, n: 4 }, 2: { d: 1e10, f: 2, n: 5 } },
    );
    const hits = await textOf('/numbers/_search?filter_path=hits.hits', {
      fields: ['d', 'f', 'n'],
      docvalue_fields: ['f'],
      sort: [{ d: 'asc' }, { f: 'asc' }, { n: 'asc' }],
      size: 1,
    });
    assert.match(hits, /"_source":\{"d":4,"f":1\.1,"n":4\},"fields":\{.*\},"sort":\[4\.0,1\.1,4\]/);
    const aggregations = await textOf('/numbers/_search?size=0&filter_path=aggregations', {
      aggs: {
        s: { sum: { field: 'd' } },
        c: { value_count: { field: 'd' } },
        t: { top_hits: { size: 1, _source: false } },
      },
    });
    assert.match(aggregations, /"s":\{"value":1\.0000000004E10\}/);
    assert.match(aggregations, /"c":\{"value":2\}/);
    assert.match(aggregations, /"_score":1\.0/);
  },
);

test('points are found by shapes, with their holes and outside of them', async () => {
  await created(
    'places',
    { properties: { p: { type: 'geo_point' } } },
    { in: { p: [5, 5] }, hole: { p: [2, 2] }, out: { p: [50, 50] } },
  );
  const ids = async (clause) =>
    (
      await call(node, 'POST', '/places/_search', { query: { geo_shape: { p: clause } }, sort: ['_doc'] })
    ).body.hits.hits.map((hit) => hit._id);
  const ring = (a, b) => [
    [a, a],
    [b, a],
    [b, b],
    [a, b],
    [a, a],
  ];
  const shape = { type: 'polygon', coordinates: [ring(0, 10), ring(1, 3)] };
  assert.deepEqual(await ids({ shape }), ['in']);
  assert.deepEqual(await ids({ shape, relation: 'disjoint' }), ['hole', 'out']);
  assert.deepEqual(await ids({ shape: 'ENVELOPE (0, 10, 10, 0)' }), ['in', 'hole']);
  assert.deepEqual(await ids({ shape: 'MULTIPOINT ((50 50), (5 5))', relation: 'contains' }), ['in', 'out']);
  const refused = await call(node, 'POST', '/places/_search', {
    query: { geo_shape: { p: { indexed_shape: { id: '1', index: 'x' } } } },
  });
  assert.equal(refused.status, 400);
});

test('an index that is kept in an order gives its documents out in it', async () => {
  const settings = { 'index.sort.field': 'n', 'index.sort.order': 'desc' };
  await created(
    'ordered',
    { properties: { n: { type: 'integer' } } },
    { a: { n: 1 }, b: { n: 3 }, c: { n: 2 } },
    settings,
  );
  await call(node, 'POST', '/ordered/_forcemerge?max_num_segments=1');
  await call(node, 'POST', '/ordered/_refresh');
  const { body } = await call(node, 'POST', '/ordered/_search', { sort: ['_doc'] });
  assert.deepEqual(
    body.hits.hits.map((hit) => hit._id),
    ['b', 'c', 'a'],
  );
  const refused = await call(node, 'PUT', '/disordered', {
    settings: { ...settings, 'index.sort.order': ['desc', 'asc'] },
    mappings: { properties: { n: { type: 'integer' } } },
  });
  assert.match(refused.body.error.reason, /size mismatch/);
});

test('slow searches and writes are logged while a threshold is set', async () => {
  await created(
    'slow',
    {},
    {},
    { 'index.search.slowlog.threshold.query.warn': '0ms', 'index.indexing.slowlog.threshold.index.info': '0ms' },
  );
  await call(node, 'PUT', '/slow/_doc/7?refresh=true', { marked: 1 });
  await call(node, 'POST', '/slow/_search', { query: { term: { marked: 1 } } });
  assert.match(node.log(), /slow indexing of a document|index_indexing_slowlog/);
  assert.match(node.log(), /index_search_slowlog/);
  await call(node, 'PUT', '/slow/_settings', { 'index.search.slowlog.threshold.query.warn': '-1' });
  const lines = node.log().split('index_search_slowlog').length;
  await call(node, 'POST', '/slow/_search', { query: { term: { marked: 1 } } });
  assert.equal(node.log().split('index_search_slowlog').length, lines);
});

test('segments of a closed index are counted when asked for, and the index opens meanwhile', async () => {
  await created('resting', {}, { 1: { n: 1 } });
  await call(node, 'POST', '/resting/_close');
  const path = '/resting/_stats/segments?expand_wildcards=all&forbid_closed_indices=false';
  const count = async (more) => (await call(node, 'GET', path + more)).body.indices.resting.primaries.segments.count;
  assert.equal(await count(''), 0);
  assert.equal(await count('&include_unloaded_segments=true'), 1);
  const [unloaded] = await Promise.all([
    count('&include_unloaded_segments=true'),
    call(node, 'POST', '/resting/_open'),
  ]);
  assert.ok(unloaded === 1 || unloaded === 0);
  assert.equal((await call(node, 'GET', '/resting/_count')).body.count, 1);
  assert.equal(await count(''), 1);
});

test('pages of allowed origins may call, others may not', async () => {
  const asked = (origin) =>
    fetch(`${node.url}/_search`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });
  const allowed = await asked('http://page.example');
  assert.equal(allowed.status, 200);
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'http://page.example');
  assert.equal((await asked('http://other.example')).status, 403);
});

test('what is not understood is refused by name', async () => {
  await created('plain', { properties: { t: { type: 'text' } } }, { 1: { t: 'a b' } });
  const reason = async (method, path, body) => {
    const answer = await call(node, method, path, body);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    return answer.body.error.reason;
  };
  assert.match(
    await reason('POST', '/plain/_search', { query: { intervals: { t: { match: { query: 'a', mode: 'ordered' } } } } }),
    /\[match\] unknown field \[mode\]/,
  );
  assert.match(await reason('GET', '/plain/_doc/1?force_synthetic_source=true'), /force_synthetic_source/);
  assert.match(await reason('PUT', '/plain/_doc/2?include_source_on_error=true', {}), /unrecognized parameter/);
  assert.match(await reason('POST', '/plain/_disk_usage'), /run_expensive_tasks/);
  const typed = await fetch(`${node.url}/plain/type/1`, {
    headers: { accept: 'application/vnd.elasticsearch+json;compatible-with=7' },
  });
  assert.equal(typed.status, 400);
  const smile = await fetch(`${node.url}/plain/_search`, {
    method: 'POST',
    headers: { 'content-type': 'application/smile' },
    body: ':)',
  });
  assert.equal(smile.status, 406);
  const inSmile = await fetch(`${node.url}/plain/_count?format=smile`);
  assert.deepEqual([inSmile.status, (await inSmile.json()).error], [406, SMILE_REFUSED]);
  const accepted = await fetch(`${node.url}/plain/_count`, { headers: { accept: 'application/smile' } });
  assert.deepEqual([accepted.status, (await accepted.json()).error], [406, SMILE_REFUSED]);
});

test('the health of wildcards that match nothing is green, that of a missing index red after the timeout', async () => {
  await created('health-open', {}, {}, { number_of_replicas: 0 });
  const healthOf = async (names, parameters = '') => {
    const { status, body } = await call(
      node,
      'GET',
      `/_cluster/health/${names}?level=indices&timeout=50ms${parameters}`,
    );
    return [status, body.status, Object.keys(body.indices)];
  };
  assert.deepEqual(await healthOf('health-*', '&expand_wildcards=none'), [200, 'green', []]);
  assert.deepEqual(await healthOf('health-open,health-*', '&expand_wildcards=none'), [200, 'green', ['health-open']]);
  assert.deepEqual(await healthOf('absent-*'), [200, 'green', []]);
  assert.deepEqual(await healthOf('absent'), [408, 'red', []]);
  assert.deepEqual(await healthOf('health-open,absent', '&ignore_unavailable=true'), [408, 'red', ['health-open']]);
});

test('reloading of search analyzers names each index and the nodes that have it', async () => {
  await call(node, 'PUT', '/reloaded', { settings: { number_of_replicas: 0 } });
  for (const method of ['GET', 'POST']) {
    const { status, body } = await call(node, method, '/reloaded/_reload_search_analyzers');
    const [{ reloaded_node_ids: ids, ...told }] = body.reload_details;
    assert.deepEqual([status, body._shards.total, ids.length], [200, 1, 1]);
    assert.deepEqual(told, { index: 'reloaded', reloaded_analyzers: [] });
  }
  assert.equal((await call(node, 'GET', '/absent/_reload_search_analyzers')).status, 404);
});

test('_field_usage_stats tells by shard copy what searches read of fields', async () => {
  await call(node, 'PUT', '/used', {
    settings: { number_of_replicas: 0 },
    mappings: { properties: { n: { type: 'long' } } },
  });
  await call(node, 'PUT', '/used/_doc/1?refresh', { n: 1, t: 'red fox' });
  await call(node, 'POST', '/used/_search', { query: { match: { t: 'fox' } }, sort: ['n'] });
  const { body } = await call(node, 'GET', '/used/_field_usage_stats?fields=t,n*&human');
  assert.deepEqual(body._shards, { total: 1, successful: 1, failed: 0 });
  const [{ tracking_id, tracking_started_at, tracking_started_at_millis, routing, stats }] = body.used.shards;
  assert.equal(tracking_started_at, new Date(tracking_started_at_millis).toISOString());
  assert.equal(typeof tracking_id, 'string');
  assert.deepEqual({ ...routing, node: null }, { state: 'STARTED', primary: true, node: null, relocating_node: null });
  assert.deepEqual(Object.keys(stats.fields), ['n', 't']);
  const none = { stored_fields: 0, doc_values: 0, points: 0, norms: 0, term_vectors: 0, knn_vectors: 0 };
  const read = { terms: 1, postings: 1, term_frequencies: 0, positions: 0, offsets: 0, payloads: 0, proximity: 0 };
  assert.deepEqual(stats.fields.t, { any: 1, inverted_index: read, ...none });
  assert.deepEqual(stats.all_fields, { any: 2, inverted_index: read, ...none, doc_values: 1 });
  const [unknown, missing] = [
    await call(node, 'GET', '/used/_field_usage_stats?level=shards'),
    await call(node, 'GET', '/nowhere/_field_usage_stats'),
  ];
  assert.match(unknown.body.error.reason, /unrecognized parameter: \[level\]/);
  assert.deepEqual([unknown.status, missing.status], [400, 404]);
});

test('_rank_eval scores searches by ratings, with templates, and tells which failed', async () => {
  for (const i of [1, 2, 3]) await call(node, 'PUT', `/rated/_doc/${i}?refresh`, { n: i, t: 'berlin' });
  const ratings = [
    { _index: 'rated', _id: '1', rating: 0 },
    { _index: 'rated', _id: '3', rating: 2 },
  ];
  const { body, status } = await call(node, 'POST', '/rated/_rank_eval', {
    templates: [{ id: 't', template: { source: { query: { match: { t: '{{city}}' } }, sort: ['n'] } } }],
    requests: [
      { id: 'plain', request: { query: { match_all: {} }, sort: ['n'], size: 1 }, ratings, summary_fields: ['n'] },
      { id: 'made', template_id: 't', params: { city: 'berlin' }, ratings: [] },
      { id: 'failed', request: { query: { term: { n: 'x' } } }, ratings: [] },
    ],
    metric: { mean_reciprocal_rank: { k: 3 } },
  });
  assert.equal(status, 200);
  assert.equal(body.metric_score, 1 / 6);
  assert.deepEqual(body.details.plain, {
    metric_score: 1 / 3,
    unrated_docs: [{ _index: 'rated', _id: '2' }],
    hits: [1, 2, 3].map((n) => ({
      hit: { _index: 'rated', _id: `${n}`, _score: null, _source: { n }, sort: [n] },
      rating: [0, null, 2][n - 1],
    })),
    metric_details: { mean_reciprocal_rank: { first_relevant: 3 } },
  });
  assert.equal(body.details.made.unrated_docs.length, 3);
  assert.match(
    body.failures.failed.error.caused_by?.reason ?? body.failures.failed.error.reason,
    /shards failed|For input/,
  );
  const request = { requests: [{ id: 'a', request: {}, ratings: [] }], metric: { precision: {} } };
  const { body: missing } = await call(node, 'POST', '/nowhere/_rank_eval', request);
  assert.deepEqual([missing.metric_score, missing.failures.a.error.type], ['NaN', 'index_not_found_exception']);
});

test('scripts sort by versions over several shards, page after page', async () => {
  await call(node, 'PUT', '/releases', {
    settings: { number_of_shards: 3 },
    mappings: { properties: { v: { type: 'version' }, k: { type: 'keyword' } } },
  });
  const versions = ['1.10.0', '1.9.0', '1.9.0-rc1', '10.0.0', 'junk', '2.0.0+b1'];
  for (const v of versions) await call(node, 'PUT', `/releases/_doc/${v}?refresh`, { v, k: v });
  const sorted = ['1.9.0-rc1', '1.9.0', '1.10.0', '2.0.0+b1', '10.0.0', 'junk'];
  for (const field of ['k', 'v']) {
    const found = [];
    for (let after; ; ) {
      const sort = [{ _script: { type: 'version', script: `doc['${field}'].value` } }];
      const page = { size: 2, sort, ...(after === undefined ? {} : { search_after: after }) };
      const { body } = await call(node, 'POST', '/releases/_search', page);

      if (body.hits.hits.length === 0) break;
      found.push(...body.hits.hits.map((hit) => hit.sort[0]));
      after = body.hits.hits.at(-1).sort;
    }
    assert.deepEqual(found, sorted, field);
  }
});
