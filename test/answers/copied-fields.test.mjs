// Fields that others are copied to are shown, highlighted and analysed by the values of those; keys of flattened fields
// by their own. As in Elasticsearch 8.12, except for the order in which values of several fields come there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

const text = (copy_to) => ({ type: 'text', ...(copy_to && { copy_to }) });
const properties = {
  a: text(['cc', 'kw', 'num']),
  b: { type: 'keyword', copy_to: 'cc', null_value: 'nn' },
  cc: text(),
  kw: { type: 'keyword' },
  num: text(),
  mf: text('mt'),
  mt: { type: 'text', fields: { raw: { type: 'keyword' } } },
  n: { type: 'nested', properties: { y: text('n.z'), z: text() } },
  fl: { type: 'flattened' },
};
let node;

before(async () => {
  node = await startNode();
  await call(node, 'PUT', '/copies', { settings: { number_of_replicas: 0 }, mappings: { properties } });
  const documents = [
    { a: ['one quick', 'two'], mf: 'multi quick', n: [{ y: 'nested quick' }, { y: 'second' }] },
    {
      b: ['only', null],
      cc: 'own words',
      fl: { key: 'v', k2: { in: [1, true, null] }, 'a.b': 'dot', arr: [{ x: 1 }] },
    },
  ];
  for (const [i, document] of documents.entries()) await call(node, 'PUT', `/copies/_doc/${i + 1}?refresh`, document);
});
after(() => node?.stop());

const hits = async (body) => {
  const { body: answer } = await call(node, 'POST', '/copies/_search', { _source: false, sort: ['_doc'], ...body });
  return answer.hits.hits;
};
const shown = async (key, body) => (await hits(body)).map((hit) => hit[key]);

test('fields shows the values that were copied, in nested objects those of the object', async () =>
  assert.deepEqual(await shown('fields', { fields: ['cc', 'kw', 'num', 'mt', 'mt.raw', 'n.z'] }), [
    {
      cc: ['one quick', 'two'],
      kw: ['one quick', 'two'],
      num: ['one quick', 'two'],
      mt: ['multi quick'],
      'mt.raw': ['multi quick'],
      n: [{ z: ['nested quick'] }, { z: ['second'] }],
    },
    { cc: ['only', 'own words'] },
  ]));

test('copied values are highlighted, and shown where nothing matches', async () => {
  const marked = async (field, query, options = {}) =>
    (
      await shown('highlight', {
        query: { match: { [field]: query } },
        highlight: { ...options, fields: { [field]: {} } },
      })
    )[0];
  assert.deepEqual(await marked('cc', 'quick'), { cc: ['one <em>quick</em>'] });
  assert.deepEqual(await marked('cc', 'quick', { type: 'plain' }), { cc: ['one <em>quick</em>'] });
  assert.deepEqual(await marked('kw', 'two'), { kw: ['<em>two</em>'] });
  assert.deepEqual(await marked('mt.raw', 'multi quick'), { 'mt.raw': ['<em>multi quick</em>'] });
  const highlight = { no_match_size: 10, fields: { num: {}, kw: {} } };
  assert.deepEqual(await shown('highlight', { highlight }), [{ num: ['one quick'], kw: ['one quick'] }, undefined]);
  const inner_hits = { _source: false, highlight: { fields: { 'n.z': {} } } };
  const [{ inner_hits: inner }] = await hits({
    query: { nested: { path: 'n', query: { match: { 'n.z': 'quick' } }, inner_hits } },
  });
  assert.deepEqual(inner.n.hits.hits[0].highlight, { 'n.z': ['nested <em>quick</em>'] });
});

test('term vectors are of the copied values', async () => {
  const { body } = await call(node, 'GET', '/copies/_termvectors/1?fields=num,kw&offsets=false&field_statistics=false');
  const at = (position) => ({ term_freq: 1, tokens: [{ position }] });
  assert.deepEqual(body.term_vectors, {
    num: { terms: { one: at(0), quick: at(1), two: at(102) } },
    kw: { terms: { 'one quick': at(0), two: at(1) } },
  });
});

test('significant_text analyses the copied values', async () => {
  const aggs = { t: { significant_text: { field: 'cc', min_doc_count: 1 } } };
  const { body } = await call(node, 'POST', '/copies/_search', { size: 0, query: { match: { cc: 'quick' } }, aggs });
  assert.deepEqual(body.aggregations.t.buckets.map(({ key }) => key).toSorted(), ['one', 'quick', 'two']);
});

test('fields shows the values of a key of a flattened field', async () =>
  assert.deepEqual(
    (await shown('fields', { fields: ['fl.key', 'fl.k2', 'fl.k2.in', 'fl.a.b', 'fl.arr.x', 'fl.none'] }))[1],
    {
      'fl.key': ['v'],
      'fl.k2': [{ in: [1, true, null] }],
      'fl.k2.in': [1, true],
      'fl.a.b': ['dot'],
      'fl.arr.x': [1],
    },
  ));
