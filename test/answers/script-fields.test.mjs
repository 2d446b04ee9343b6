// The fields of a document as scripts of searches see them: field('f') and $('f', default).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
  await call(node, 'PUT', '/s', {
    settings: { number_of_shards: 1 },
    mappings: {
      properties: { n: { type: 'long' }, d: { type: 'date' }, k: { type: 'keyword' }, f: { type: 'double' } },
    },
  });
  const documents = [{ n: [2, 1], d: '2020-01-01', k: 'x', f: 1.5 }, { k: ['b', 'a'] }];
  const lines = documents.map((document, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify(document)}\n`);
  await call(node, 'POST', '/s/_bulk?refresh=true', lines.join(''));
});
after(() => node?.stop());

/** What a script makes of the two documents. */
async function made(script) {
  const { status, body } = await call(node, 'POST', '/s/_search', { script_fields: { a: { script } } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.hits.hits.map(({ fields }) => fields.a[0]);
}

test('the first value of a field, or a default', async () => {
  assert.deepEqual(await made("field('n').get(5)"), [1, 5]);
  assert.deepEqual(await made("$('n', 5)"), [1, 5]);
  assert.deepEqual(await made("$('f', 0.5) * 2"), [3, 1]);
  assert.deepEqual(await made("field('d').get(null) == null ? 0 : field('d').get(null).getYear()"), [2020, 0]);
  assert.deepEqual(await made("$('absent', 7)"), [7, 7]);
});

test('all values of a field', async () => {
  assert.deepEqual(await made("field('n').size()"), [2, 0]);
  assert.deepEqual(await made("field('n').isEmpty()"), [false, true]);
  assert.deepEqual(await made("field('k').get(1, '-')"), ['-', 'b']);
  assert.deepEqual(await made("String t = ''; for (v in field('k')) { t += v } return t"), ['x', 'ab']);
  assert.deepEqual(await made("field('n').getName()"), ['n', 'n']);
});

test('filters, sorts, scores and aggregations have them too', async () => {
  const { body } = await call(node, 'POST', '/s/_search', {
    query: {
      script_score: { query: { script: { script: "$('n', 3) > 0" } }, script: { source: "field('n').get(3)" } },
    },
    sort: [{ _script: { type: 'number', script: "$('n', 0)" } }],
    track_scores: true,
    aggs: { sum: { sum: { script: "$('n', 10)" } } },
  });
  assert.deepEqual(
    body.hits.hits.map(({ _id, _score, sort }) => [_id, _score, ...sort]),
    [
      ['1', 3, 0],
      ['0', 1, 1],
    ],
  );
  assert.equal(body.aggregations.sum.value, 11);
});

test('$ is the name of nothing else', async () => {
  for (const script of ['int $ = 5; return $', 'return $', 'int a$b = 1; return 1', '$()', "$('n')"]) {
    const { status, body } = await call(node, 'POST', '/s/_search', { script_fields: { a: { script } } });
    assert.deepEqual([status, body.error.root_cause[0].reason], [400, 'compile error'], script);
  }
});

test('bytes of a binary field have a text', async () => {
  await call(node, 'PUT', '/b', { mappings: { properties: { b: { type: 'binary', doc_values: true } } } });
  await call(node, 'PUT', '/b/_doc/1?refresh=true', { b: Buffer.from('Some bytes: ü').toString('base64') });
  await call(node, 'PUT', '/b/_doc/2?refresh=true', {});
  const script = "doc['b'].size() == 0 ? '-' : doc['b'].value.utf8ToString()";
  const { body } = await call(node, 'POST', '/b/_search', { sort: '_doc', script_fields: { a: { script } } });
  assert.deepEqual(
    body.hits.hits.map(({ fields }) => fields.a[0]),
    ['Some bytes: ü', '-'],
  );
});

test('a random score is the same for the same seed, by a field or by the place of the document', async () => {
  const scores = async (source) => {
    const query = { script_score: { query: { match_all: {} }, script: { source } } };
    const { body } = await call(node, 'POST', '/s/_search', { query, sort: '_doc', track_scores: true });
    return body.hits.hits.map(({ _score }) => _score);
  };
  for (const [one, other] of [
    ['randomScore(100)', 'randomScore(101)'],
    ["randomScore(100, '_seq_no')", "randomScore(101, '_seq_no')"],
    ["randomScore(100, 'k')", "randomScore(101, 'k')"],
  ]) {
    const first = await scores(one);
    assert.ok(first.every((score) => score >= 0 && score < 1) && first[0] !== first[1]);
    assert.deepEqual(await scores(one), first);
    assert.notDeepEqual(await scores(other), first);
  }
  const seeded = {
    function_score: { query: { match_all: {} }, random_score: { seed: 100, field: '_seq_no' }, boost_mode: 'replace' },
  };
  const { body } = await call(node, 'POST', '/s/_search', { query: seeded, sort: '_doc', track_scores: true });
  assert.deepEqual(
    body.hits.hits.map(({ _score }) => _score),
    await scores("randomScore(100, '_seq_no')"),
  );
});
