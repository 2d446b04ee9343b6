// Classes that the comparison with Elasticsearch 8.12 (test/compare) found, on a whole node; answers are those of 8.12.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
});
after(() => node?.stop());

const create = (index, body = {}) => call(node, 'PUT', `/${index}`, body);
const SHARDS = { settings: { number_of_shards: 2, number_of_replicas: 0 } };
const put = (index, id, source) => call(node, 'PUT', `/${index}/_doc/${id}?refresh=true`, source);
const search = async (index, body, query = '') => (await call(node, 'POST', `/${index}/_search${query}`, body)).body;
const reasonOf = ({ body }) => body.error.reason;

test('equal hits of several indices come by number of the shard, then by name of the index', async () => {
  for (const index of ['order-a', 'order-b']) {
    await create(index, SHARDS);
    for (const id of ['0', '1', '2', '3', '4', '5']) await put(index, id, { k: 1 });
  }
  const found = await search('order-*', { size: 20, explain: true });
  const shards = found.hits.hits.map((hit) => hit._shard);
  assert.deepEqual([...new Set(shards)], ['[order-a][0]', '[order-b][0]', '[order-a][1]', '[order-b][1]']);
});

test('an explained hit names the node of its shard', async () => {
  await create('explained');
  await put('explained', '1', { k: 1 });
  const [hit] = (await search('explained', { explain: true })).hits.hits;
  const nodes = (await call(node, 'GET', '/_nodes/_all')).body.nodes;
  assert.deepEqual(Object.keys(hit).slice(0, 3), ['_shard', '_node', '_index']);
  assert.ok(Object.hasOwn(nodes, hit._node));
});

test('filter_path does not apply to errors', async () => {
  const { status, body } = await call(node, 'GET', '/missing/_search?filter_path=status');
  assert.equal(status, 404);
  assert.equal(body.error.type, 'index_not_found_exception');
});

test('templates are missing (404) when a pattern matches none', async () => {
  for (const kind of ['_index_template', '_component_template', '_template']) {
    assert.equal((await call(node, 'GET', `/${kind}/none*`)).status, 404, kind);
    assert.equal((await call(node, 'GET', `/${kind}`)).status, 200, kind);
  }
  assert.deepEqual((await call(node, 'GET', '/_index_template/none*')).body, { index_templates: [] });
});

test('mappings of fields are missing (404) when no index is meant', async () => {
  assert.equal((await call(node, 'GET', '/none*/_mapping/field/f')).status, 404);
});

test('a block needs names of indices, not patterns', async () => {
  const answer = await call(node, 'PUT', '/none*/_block/write');
  assert.equal(answer.status, 400);
  assert.equal(reasonOf(answer), 'Wildcard expressions or all indices are not allowed');
});

test('a query over a geo_point names itself when the field is of another type', async () => {
  await create('geo', { mappings: { properties: { n: { type: 'long' } } } });
  const box = { top: 1, left: 0, bottom: 0, right: 1 };
  const { body } = await call(node, 'POST', '/geo/_search', { query: { geo_bounding_box: { n: box } } });
  const reason = 'Field [n] is of unsupported type [long] for [geo_bounding_box] query';
  assert.equal(body.error.root_cause[0].reason, reason);
});

test('texts of _analyze are an increment of positions apart with a custom analyzer too', async () => {
  const body = { text: ['a b', 'c'], tokenizer: 'standard' };
  const { tokens } = (await call(node, 'POST', '/_analyze', body)).body;
  assert.deepEqual(
    tokens.map(({ position }) => position),
    [0, 1, 102],
  );
});

test('the analyzer of an index that _analyze takes unasked is called default', async () => {
  await create('analyzed');
  const { detail } = (await call(node, 'POST', '/analyzed/_analyze', { text: 'a', explain: true })).body;
  assert.equal(detail.analyzer.name, 'default');
});

test('clearing a scroll counts the shards that it kept, and all its pages show the best score', async () => {
  await create('scrolled', SHARDS);
  for (const id of ['0', '1', '2']) await put('scrolled', id, { k: 1 });
  const first = await search('scrolled', { size: 1 }, '?scroll=1m');
  const scroll = { scroll: '1m', scroll_id: first._scroll_id };
  const next = (await call(node, 'POST', '/_search/scroll', scroll)).body;
  assert.equal(next.hits.max_score, 1);
  const cleared = await call(node, 'DELETE', '/_search/scroll', { scroll_id: first._scroll_id });
  assert.deepEqual(cleared.body, { succeeded: true, num_freed: 2 });
});

test('inner hits from behind the last have no total, unless they are sorted', async () => {
  await create('inner', { mappings: { properties: { n: { type: 'nested' } } } });
  await put('inner', '1', { n: [{ a: 1 }] });
  const totalOf = async (inner) => {
    const query = { nested: { path: 'n', query: { match_all: {} }, inner_hits: inner } };
    return (await search('inner', { query })).hits.hits[0].inner_hits.n.hits.total.value;
  };
  assert.equal(await totalOf({ from: 1 }), 0);
  assert.equal(await totalOf({ from: 1, sort: ['n.a'] }), 1);
});

test('the fast vector highlighter passes over fields of patterns that it cannot show, and fails at hits', async () => {
  await create('vectors', { mappings: { properties: { t: { type: 'text' } } } });
  await put('vectors', '1', { t: 'fox' });
  const highlight = (name) => ({ fields: { [name]: { type: 'fvh' } } });
  const ask = (text, name) =>
    call(node, 'POST', '/vectors/_search', { query: { match: { t: text } }, highlight: highlight(name) });
  assert.equal((await ask('fox', 't*')).status, 200);
  assert.equal((await ask('none', 't')).status, 200);
  assert.equal((await ask('fox', 't')).status, 400);
});

test('a search that only suggests does not say whether it ended early', async () => {
  await create('suggested', { mappings: { properties: { t: { type: 'text' } } } });
  const suggest = { s: { text: 'a', term: { field: 't' } } };
  assert.ok(!('terminated_early' in (await search('suggested', { size: 0, terminate_after: 9, suggest }))));
});

test('documents with one value are grouped where others of the field have several', async () => {
  await create('grouped', { mappings: { properties: { n: { type: 'long' }, k: { type: 'keyword' } } } });
  await put('grouped', '1', { n: [1, 2], k: ['a', 'b'] });
  await put('grouped', '2', { n: 3, k: 'a' });
  for (const field of ['n', 'k']) {
    const one = await call(node, 'POST', '/grouped/_search', {
      query: { ids: { values: ['2'] } },
      collapse: { field },
    });
    assert.equal(one.status, 200, field);
    const all = await call(node, 'POST', '/grouped/_search', { collapse: { field } });
    const reason = 'failed to extract doc:0, the grouping field must be single valued';
    assert.equal(all.body.error.root_cause[0].reason, reason);
  }
});

test('fields shows the bounds of ranges as they were indexed', async () => {
  const types = { d: 'date_range', i: 'integer_range', f: 'double_range', p: 'ip_range' };
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
  await create('ranges', { mappings: { properties } });
  await put('ranges', '1', {
    d: [{ gte: '2024-02-29', lt: '2024-03-01T10:00:00Z' }, { gt: '2024-01-01||+1d' }],
    i: { gte: '3', lt: 7 },
    f: { gte: '1.5' },
    p: '10.0.0.0/24',
  });
  const fieldsOf = async (fields) => (await search('ranges', { fields })).hits.hits[0].fields;
  assert.deepEqual(await fieldsOf(['*']), {
    d: [{ gte: '2024-02-29T00:00:00.000Z', lt: '2024-03-01T10:00:00.000Z' }, { gt: '2024-01-02T00:00:00.000Z' }],
    i: [{ gte: 3, lt: 7 }],
    f: [{ gte: 1.5 }],
    p: ['10.0.0.0/24'],
  });
  const [, second] = (await fieldsOf([{ field: 'd', format: 'yyyy' }])).d;
  assert.deepEqual(second, { gt: '2024' });
});

test('a hit without stored fields still shows its version and sequence number', async () => {
  await create('bare');
  await put('bare', '1', { a: 1 });
  const body = { stored_fields: '_none_', version: true, seq_no_primary_term: true };
  const [hit] = (await search('bare', body)).hits.hits;
  assert.deepEqual(hit, { _index: 'bare', _version: 1, _seq_no: 0, _primary_term: 1, _score: 1 });
});

test('explanations in an index with nested objects show the filter on root documents', async () => {
  const properties = { k: { type: 'keyword' }, n: { type: 'nested' } };
  await create('rooted', { mappings: { properties } });
  await put('rooted', '1', { k: 'a', n: [{ i: 1 }] });
  const explain = async (query) => (await call(node, 'POST', '/rooted/_explain/1', { query })).body.explanation;
  const roots = { value: 1, description: 'FieldExistsQuery [field=_primary_term]', details: [] };
  const clause = {
    value: 0,
    description: 'match on required clause, product of:',
    details: [{ value: 0, description: '# clause', details: [] }, roots],
  };
  const exists = { value: 1, description: 'ConstantScore(FieldExistsQuery [field=k])', details: [] };
  assert.deepEqual(await explain({ exists: { field: 'k' } }), {
    value: 1,
    description: 'sum of:',
    details: [exists, clause],
  });
  assert.equal((await explain({ match_all: {} })).description, 'ConstantScore(FieldExistsQuery [field=_primary_term])');
  const missed = await explain({ range: { 'n.i': { gte: 0 } } });
  assert.equal(missed.description, 'Failure to meet condition(s) of required/prohibited clause(s)');
});

test('capabilities of fields of some types come with the objects above them', async () => {
  await create('typed', { mappings: { properties: { o: { properties: { k: { type: 'keyword' } } } } } });
  const { fields } = (await call(node, 'GET', '/typed/_field_caps?fields=*.k&types=keyword')).body;
  assert.deepEqual(Object.keys(fields).sort(), ['o', 'o.k']);
});

test('term vectors keep the terms of a filter with their scores, and take analyzers of the request', async () => {
  await create('vectored', { mappings: { properties: { t: { type: 'text' } } } });
  await put('vectored', '1', { t: 'the quick fox the' });
  const terms = async (body) => {
    const wanted = { fields: ['t'], positions: false, offsets: false, ...body };
    return (await call(node, 'POST', '/vectored/_termvectors/1', wanted)).body.term_vectors.t.terms;
  };
  assert.deepEqual(await terms({ filter: { max_num_terms: 1 } }), { the: { term_freq: 2, score: 2 } });
  assert.deepEqual(Object.keys(await terms({ per_field_analyzer: { t: 'stop' } })), ['fox', 'quick']);
});

test('settings and mappings are put to some index, unless allow_no_indices says otherwise', async () => {
  for (const [path, body] of [
    ['_settings', { 'index.priority': 1 }],
    ['_mapping', { properties: {} }],
  ]) {
    assert.equal((await call(node, 'PUT', `/none*/${path}`, body)).status, 404);
    assert.equal((await call(node, 'PUT', `/none/${path}?ignore_unavailable=true`, body)).status, 404);
    assert.equal((await call(node, 'PUT', `/none*/${path}?allow_no_indices=true`, body)).status, 200);
  }
});

test('an update of a bulk with a version refuses the bulk', async () => {
  const lines = '{"update":{"_index":"versioned","_id":"1","version":3}}\n{"doc":{}}\n';
  const answer = await call(node, 'POST', '/_bulk', lines);
  assert.equal(answer.status, 400);
  assert.match(reasonOf(answer), /^Update requests do not support versioning\./);
});

test('an empty id of a multi-get fails alone', async () => {
  await create('got');
  const { docs } = (await call(node, 'POST', '/got/_mget', { ids: ['', '1'] })).body;
  assert.equal(docs[0].error.reason, "Ids can't be empty");
  assert.deepEqual(docs[1], { _index: 'got', _id: '1', found: false });
});

test('the source of a document is not asked for by its version', async () => {
  const answer = await call(node, 'GET', '/got/_source/1?version=1&version_type=external');
  assert.equal(answer.status, 400);
  assert.match(reasonOf(answer), /contains unrecognized parameters: \[version\], \[version_type\]$/);
});

test('a template that is simulated must not compete with another of its priority', async () => {
  await call(node, 'PUT', '/_index_template/one', { index_patterns: ['compete-*'] });
  const answer = await call(node, 'POST', '/_index_template/_simulate', { index_patterns: ['compete-a'] });
  assert.equal(answer.status, 400);
  assert.match(reasonOf(answer), /that have the same priority \[0\]/);
});

test('the version of a template of the old kind is an integer', async () => {
  for (const version of [1e12, 'a', '5', 1.5]) {
    const answer = await call(node, 'PUT', '/_template/old', { index_patterns: ['old-*'], version });
    assert.equal(answer.status, 400, String(version));
    assert.equal(reasonOf(answer), 'Malformed [version] value, should be an integer');
  }
});

test('an error of a document names the id that was made for it', async () => {
  await create('made-ids', { mappings: { properties: { n: { type: 'long' } } } });
  const { body } = await call(node, 'POST', '/made-ids/_doc', { n: 'x' });
  assert.match(body.error.reason, /of type \[long\] in document with id '[\w-]{20}'\. Preview/);
});

test('_ignored of a document is told when it is asked for', async () => {
  await create('ignored', { mappings: { properties: { n: { type: 'long', ignore_malformed: true } } } });
  await put('ignored', '1', { n: 'x' });
  const get = async (query) => (await call(node, 'GET', `/ignored/_doc/1${query}`)).body;
  assert.equal((await get(''))._ignored, undefined);
  assert.equal((await get('?_source=false'))._ignored, undefined);
  assert.deepEqual((await get('?stored_fields=_ignored'))._ignored, ['n']);
  assert.deepEqual((await search('ignored', {})).hits.hits[0]._ignored, ['n']);
});

test('a phrase over all fields passes by a completion field, which matches whole inputs', async () => {
  await create('completion-phrases', {
    mappings: { properties: { c: { type: 'completion' }, t: { type: 'text' } } },
  });
  await put('completion-phrases', '1', { t: 'a b', c: 'x y' });
  await put('completion-phrases', '2', { c: 'A b' });
  const find = async (query) => {
    const answer = await search('completion-phrases', { query });
    return answer.hits?.hits.map((hit) => hit._id).sort() ?? answer.error.root_cause[0].reason;
  };
  const { body } = await call(node, 'GET', '/completion-phrases/_search?q=%22a%20b%22');
  assert.deepEqual(body.hits?.hits.map((hit) => hit._id).sort(), ['1', '2']);
  for (const query of [
    { query_string: { query: '"a b"' } },
    { simple_query_string: { query: '"a b"' } },
    { multi_match: { query: 'a b', type: 'phrase' } },
    { multi_match: { query: 'a b', type: 'phrase', fields: ['c', 't'] } },
  ])
    assert.deepEqual(await find(query), ['1', '2'], JSON.stringify(query));
  assert.deepEqual(await find({ multi_match: { query: 'a b', type: 'phrase_prefix' } }), ['1']);
  for (const name of ['match', 'match_phrase']) assert.deepEqual(await find({ [name]: { c: 'a b' } }), ['2'], name);
  assert.deepEqual(await find({ match: { c: 'a' } }), []);
  assert.match(
    await find({ match_phrase_prefix: { c: 'a b' } }),
    /Can only use phrase prefix queries on text fields - not on \[c\] which is of type \[completion\]/,
  );
});

test('aggregations over summer time, points, counts of buckets and filtered aliases answer as by 8.12', async () => {
  const nested = { type: 'nested', properties: { x: { type: 'long' } } };
  const properties = { d: { type: 'date' }, n: { type: 'long' }, g: { type: 'geo_point' }, k: { type: 'keyword' } };
  const aliases = { 'several-x': { filter: { range: { n: { lte: 4 } } } } };
  await create('several', { mappings: { properties: { ...properties, o: nested } }, aliases });
  await put('several', '1', { d: '2024-10-26T21:30:00Z', n: 2, g: '1,2', k: 'a', o: [{ x: 1 }, { x: 2 }] });
  await put('several', '2', { d: '2024-10-27T00:30:00Z', n: 3, g: ['1,2', '3,4'], k: 'a' });
  await put('several', '3', { d: '2024-10-27T01:30:00Z', n: 4, k: 'b' });
  await put('several', '4', { d: '2024-10-27T23:30:00Z', n: 5, g: '3,4', k: 'b' });
  const zone = { field: 'd', fixed_interval: '1h', time_zone: 'Europe/Berlin', min_doc_count: 1 };
  const { aggregations, hits } = await search('several', {
    query: { function_score: { field_value_factor: { field: 'n' } } },
    aggs: {
      zone: { date_histogram: zone },
      points: { cardinality: { field: 'g' } },
      h: { histogram: { field: 'n', interval: 2 } },
      max: { max_bucket: { buckets_path: 'h._count' } },
    },
  });
  // The nested object of the first document has no value and is not asked for one.
  assert.deepEqual(
    hits.hits.map(({ _score }) => _score),
    [5, 4, 3, 2],
  );
  assert.deepEqual(
    aggregations.zone.buckets.map(({ key_as_string }) => key_as_string),
    [
      ...['2024-10-26T23:00:00.000+02:00', '2024-10-27T02:00:00.000+02:00'],
      ...['2024-10-27T02:00:00.000+01:00', '2024-10-28T00:00:00.000+01:00'],
    ],
  );
  assert.equal(aggregations.points.value, 2);
  assert.deepEqual(aggregations.max, { value: 2, keys: ['2.0', '4.0'] });
  const significant = await search('several-x', {
    query: { term: { k: 'a' } },
    aggs: { s: { significant_terms: { field: 'k', min_doc_count: 1 } } },
  });
  assert.deepEqual(significant.aggregations.s, {
    doc_count: 2,
    bg_count: 3,
    buckets: [{ key: 'a', doc_count: 2, score: 0.5, bg_count: 2 }],
  });
});

test('_info tells of the targets that it is asked for', async () => {
  const { body } = await call(node, 'GET', '/_info/http');
  assert.ok(body.http.total_opened > 0);
  assert.equal((await call(node, 'GET', '/_info/bogus')).status, 400);
});
