// What the vector stores of langchain (JavaScript and Python) and haystack send, as plain requests to a real node.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
});
after(() => node?.stop());

const TEXTS = ['restart a node', 'replicas keep copies', 'bread rises by yeast', 'restart the other node now'];
/** Unit vectors, each a little farther from the first. */
const EMBEDDINGS = [0, 1.5, 1, 0.5].map((angle) => [Math.cos(angle), Math.sin(angle), 0, 0]);
const QUESTION = EMBEDDINGS[0];
const METADATA = [
  { source: 'a', page: 1, loc: { lines: { from: 1, to: 3 } } },
  { source: 'a', page: 2 },
  { source: 'b', tags: ['x', 'y'] },
  { source: 'c', lang: 'en' },
];

async function good(method, path, body) {
  const answer = await call(node, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function bulk(path, lines) {
  const response = await fetch(`${node.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/vnd.elasticsearch+x-ndjson;compatible-with=8',
      accept: 'application/vnd.elasticsearch+json;compatible-with=8',
    },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
  assert.equal(response.status, 200);
  return response.json();
}

const idsOf = ({ hits }) => hits.hits.map((hit) => hit._id);
const search = async (index, body) => idsOf(await good('POST', `/${index}/_search`, body));

const langchainMappings = (similarity, engine) => ({
  dynamic_templates: [
    {
      metadata_except_loc: {
        match_mapping_type: '*',
        match: 'metadata.*',
        unmatch: 'metadata.loc',
        mapping: { type: 'keyword' },
      },
    },
  ],
  properties: {
    text: { type: 'text' },
    metadata: { type: 'object', properties: { loc: { type: 'object' } } },
    embedding: {
      type: 'dense_vector',
      dims: 4,
      index: true,
      similarity,
      index_options: { type: engine, m: 16, ef_construction: 100 },
    },
  },
});

async function langchainStore(index, similarity, engine) {
  assert.equal((await call(node, 'HEAD', `/${index}`)).status, 404);
  await good('PUT', `/${index}`, { mappings: langchainMappings(similarity, engine) });
  const lines = TEXTS.flatMap((text, i) => [
    { index: { _id: String(i + 1), _index: index } },
    { embedding: EMBEDDINGS[i], metadata: METADATA[i], text },
  ]);
  assert.equal((await bulk('/_bulk?refresh=true', lines)).errors, false);
  assert.equal((await call(node, 'HEAD', `/${index}`)).status, 200);
}

const nearest = (bool, k = 3) => ({
  size: k,
  knn: { field: 'embedding', query_vector: QUESTION, filter: { bool }, k, num_candidates: 200 },
});

test('ElasticVectorSearch of langchain: index, add, search with metadata filters, delete', async () => {
  const none = { must: [], must_not: [] };
  const should = ['a', 'b'].map((source) => ({ term: { 'metadata.source': source } }));
  const filters = [
    [none, ['1', '4', '3']],
    [{ must: [{ term: { 'metadata.source': 'a' } }], must_not: [] }, ['1', '2']],
    [{ must: [], must_not: [{ terms: { 'metadata.source': ['a'] } }] }, ['4', '3']],
    [{ must: [{ exists: { field: 'metadata.lang' } }], must_not: [] }, ['4']],
    [{ must: [], must_not: [{ exists: { field: 'metadata.lang' } }] }, ['1', '3', '2']],
    [{ ...none, should, minimum_should_match: 1 }, ['1', '3', '2']],
    [{ must: [{ range: { 'metadata.page': { gte: 2 } } }, { wildcard: { 'metadata.source': 'a*' } }] }, ['2']],
  ];
  for (const [similarity, engine] of [
    ['l2_norm', 'hnsw'],
    ['cosine', 'hnsw'],
    ['dot_product', 'int8_hnsw'],
    ['max_inner_product', 'hnsw'],
  ]) {
    await langchainStore('documents', similarity, engine);
    for (const [bool, ids] of filters)
      assert.deepEqual(await search('documents', nearest(bool)), ids, `${similarity} ${JSON.stringify(bool)}`);
    await bulk('/_bulk?refresh=true', [{ delete: { _id: '1', _index: 'documents' } }]);
    assert.deepEqual(await search('documents', nearest(none)), ['4', '3', '2']);
    await good('DELETE', '/documents');
  }
});

test('ElasticsearchStore of langchain: hybrid search by sum and by ranks, exact search by script', async () => {
  await langchainStore('store', 'cosine', 'hnsw');
  const filter = [{ term: { 'metadata.source.keyword': 'a' } }];
  const hybrid = (words, more = {}, filters = []) => ({
    size: 3,
    query: { bool: { must: [{ match: { text: { query: words } } }], filter: filters } },
    knn: { field: 'embedding', filter: filters, k: 3, num_candidates: 50, query_vector: QUESTION },
    ...more,
  });
  for (const rank of [{}, { rank: { rrf: {} } }, { rank: { rrf: { rank_constant: 20, window_size: 50 } } }]) {
    assert.deepEqual(await search('store', hybrid('restart node', rank)), ['1', '4', '3']);
    assert.deepEqual(await search('store', hybrid('copies', rank, filter)).then((ids) => ids.toSorted()), ['1', '2']);
  }
  // Clients since 8.14 write the same with `retriever`.
  const retriever = (words, rrf = {}) => {
    const { query, knn } = hybrid(words);
    return { size: 3, retriever: { rrf: { retrievers: [{ standard: { query } }, { knn }], ...rrf } } };
  };
  for (const rrf of [{}, { rank_constant: 20, rank_window_size: 50 }]) {
    assert.deepEqual(await search('store', retriever('restart node', rrf)), ['1', '4', '3']);
    assert.deepEqual((await search('store', retriever('copies', { ...rrf, filter }))).toSorted(), ['1', '2']);
  }
  const looked = { terms: { _id: { index: 'store', id: '2', path: 'metadata.page' } } };
  assert.deepEqual(await search('store', { retriever: { standard: { query: looked } } }), ['2']);
  const both = await call(node, 'POST', '/store/_search', { ...retriever('node'), query: { match_all: {} } });
  assert.deepEqual([both.status, both.body.error.reason], [400, 'cannot specify [retriever] and [query]']);
  for (const source of [
    "cosineSimilarity(params.query_vector, 'embedding') + 1.0",
    "1 / (1 + l2norm(params.query_vector, 'embedding'))",
    "double value = dotProduct(params.query_vector, 'embedding'); return sigmoid(1, Math.E, -value);",
  ]) {
    const script = { source, params: { query_vector: QUESTION } };
    const body = (query) => ({ size: 3, query: { script_score: { query, script } } });
    assert.deepEqual(await search('store', body({ match_all: {} })), ['1', '4', '3'], source);
    assert.deepEqual(await search('store', body({ bool: { filter } })), ['1', '2'], source);
  }
});

const haystackMappings = {
  properties: {
    embedding: { type: 'dense_vector', index: true, similarity: 'cosine' },
    content: { type: 'text' },
  },
  dynamic_templates: [{ strings: { path_match: '*', match_mapping_type: 'string', mapping: { type: 'keyword' } } }],
};
const haystackLines = (operation) =>
  TEXTS.flatMap((content, i) => [
    { [operation]: { _id: String(i + 1), _index: 'default' } },
    { id: String(i + 1), content, embedding: EMBEDDINGS[i], ...METADATA[i] },
  ]);

test('ElasticsearchDocumentStore of haystack: write by policy, filter, retrieve, change and delete', async () => {
  await good('PUT', '/default', { mappings: haystackMappings });
  assert.equal((await bulk('/default/_bulk?refresh=wait_for', haystackLines('create'))).errors, false);
  const again = await bulk('/default/_bulk?refresh=wait_for', haystackLines('create'));
  for (const { create } of again.items)
    assert.deepEqual([create.status, create.error.type], [409, 'version_conflict_engine_exception']);
  assert.equal((await bulk('/default/_bulk?refresh=wait_for', haystackLines('index'))).errors, false);
  assert.equal((await good('POST', '/default/_count')).count, 4);

  const filter = { bool: { must: { term: { source: 'a' } } } };
  const all = { query: { bool: { filter } } };
  assert.deepEqual((await search('default', all)).toSorted(), ['1', '2']);
  const words = { query: 'restrat node', fuzziness: 'AUTO', type: 'most_fields', operator: 'OR' };
  assert.deepEqual(await search('default', { size: 1, query: { bool: { must: [{ multi_match: words }] } } }), ['1']);
  const knn = { field: 'embedding', query_vector: QUESTION, k: 3, num_candidates: 30 };
  assert.deepEqual(await search('default', { knn }), ['1', '4', '3']);
  assert.deepEqual(await search('default', { knn: { ...knn, filter } }), ['1', '2']);

  const script = { source: 'ctx._source.putAll(params)', lang: 'painless', params: { seen: true } };
  const changed = await good('POST', '/default/_update_by_query?refresh=true', { ...all, script });
  assert.equal(changed.updated, 2);
  assert.equal((await good('POST', '/default/_count', { query: { term: { seen: true } } })).count, 2);
  assert.equal((await good('POST', '/default/_delete_by_query?refresh=true', all)).deleted, 2);
  assert.deepEqual(await search('default', { knn }), ['4', '3']);
  const everything = { query: { match_all: {} } };
  assert.equal((await good('POST', '/default/_delete_by_query?refresh=true', everything)).deleted, 2);
  assert.deepEqual(await search('default', { knn }), []);
});
