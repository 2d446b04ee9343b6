// Similarities of index settings over HTTP: scores and explanations of Elasticsearch 8.12.0, and of OpenSearch 2.19.0
// for those by scripts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
});
after(() => node?.stop());

async function fill(index, settings, properties, texts) {
  const created = await call(node, 'PUT', `/${index}`, {
    settings: { number_of_shards: 1, ...settings },
    mappings: { properties },
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  for (const [i, text] of texts.entries()) {
    const fields = Object.fromEntries(Object.keys(properties).map((name) => [name, text]));
    await call(node, 'PUT', `/${index}/_doc/${i + 1}?refresh`, fields);
  }
}

const scores = async (index, query, parameters = '') => {
  const { body } = await call(node, 'POST', `/${index}/_search${parameters}`, { query });
  return Object.fromEntries(body.hits.hits.map((hit) => [hit._id, hit._score]));
};

test('lengths of fields count tokens at the position of another if the similarity says so', async () => {
  await fill(
    'overlaps',
    {
      analysis: { analyzer: { sh: { tokenizer: 'standard', filter: ['shingle'] } } },
      similarity: { o: { type: 'BM25', discount_overlaps: false } },
    },
    { f: { type: 'text', analyzer: 'sh', similarity: 'o' }, g: { type: 'text', analyzer: 'sh' } },
    ['quick brown fox', 'the quick lazy dog', 'brown', 'quick'],
  );
  assert.deepEqual(await scores('overlaps', { term: { f: 'quick' } }), {
    4: 0.50392604,
    1: 0.3034693,
    2: 0.25312418,
  });
  assert.deepEqual(await scores('overlaps', { term: { g: 'quick' } }), {
    4: 0.50392604,
    1: 0.3788134,
    2: 0.33698124,
  });
});

test('scripts of the settings score and are explained', async () => {
  const weight = 'double idf = Math.log((field.docCount+1.0)/(term.docFreq+1.0)) + 1.0; return query.boost * idf;';
  const script = 'double tf = Math.sqrt(doc.freq); double norm = 1/Math.sqrt(doc.length); return weight * tf * norm;';
  const similarity = { s: { type: 'scripted', weight_script: { source: weight }, script: { source: script } } };
  await fill('scripted', { similarity }, { f: { type: 'text', similarity: 's' } }, [
    'quick brown fox',
    'the quick quick quick lazy dog the brown the',
    'brown',
    'a b c d e f g h i j k l m n o p q r s t fox fox',
    'the the the the',
    'lazy dog dog',
  ]);
  const expected = { 1: 1.066538, 2: 1.066538 };
  assert.deepEqual(await scores('scripted', { match: { f: 'quick' } }), expected);
  assert.deepEqual(await scores('scripted', { match: { f: 'quick' } }, '?search_type=dfs_query_then_fetch'), expected);
  assert.deepEqual(await scores('scripted', { match_phrase: { f: 'brown fox' } }), { 1: 1.9669826 });
  const { body } = await call(node, 'POST', '/scripted/_explain/1', { query: { match: { f: 'quick' } } });
  const shown = (source) => `Script{type=inline, lang='painless', idOrCode='${source}', options={}, params={}}`;
  const name = `ScriptedSimilarity(weightScript=[${shown(weight)}], script=[${shown(script)}])`;
  const leaf = (value, description) => ({ value, description, details: [] });
  assert.deepEqual(body.explanation, {
    value: 1.066538,
    description: 'weight(f:quick in 0) [PerFieldSimilarity], result of:',
    details: [
      {
        value: 1.066538,
        description: `score from ${name} computed from:`,
        details: [
          leaf(1.8472979, 'weight'),
          leaf(1, 'query.boost'),
          leaf(6, 'field.docCount'),
          leaf(33, 'field.sumDocFreq'),
          leaf(42, 'field.sumTotalTermFreq'),
          leaf(2, 'term.docFreq'),
          leaf(4, 'term.totalTermFreq'),
          leaf(1, 'doc.freq'),
          leaf(3, 'doc.length'),
        ],
      },
    ],
  });
  const phrase = await call(node, 'POST', '/scripted/_explain/1', { query: { match_phrase: { f: 'brown fox' } } });
  assert.equal(phrase.body.explanation.details[0].description, 'Sum of:');
});

test('scripts of similarities are checked when an index is made', async () => {
  const reason = async (source) => {
    const similarity = { s: { type: 'scripted', script: { source } } };
    const { status, body } = await call(node, 'PUT', '/refused', { settings: { similarity } });
    return [status, body.error.type, body.error.reason.split('\n')[0]];
  };
  const illegal = 'illegal_argument_exception';
  assert.deepEqual(await reason('1 +'), [400, 'script_exception', 'compile error']);
  assert.deepEqual(await reason('-1'), [400, illegal, 'Similarities should not return negative scores:']);
  assert.deepEqual(await reason('doc.length'), [
    400,
    illegal,
    'Similarity scores should not increase when norm increases:',
  ]);
});
