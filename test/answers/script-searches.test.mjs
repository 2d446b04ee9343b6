// Searches with scripts: fields, sorts, filters, scores. Answers are those of OpenSearch 2.19.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
  await call(node, 'PUT', '/s', {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: {
      properties: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' }, s: { type: 'long' } },
    },
  });
  const documents = [
    { n: 1, d: 0.5, k: 'b', s: [3, 1] },
    { n: 2, d: 1.5, k: 'a' },
    { n: 3, d: -2.5, s: [5] },
    { n: 10, d: 4, k: 'c', o: { p: 1 } },
  ];
  const lines = documents.map((document, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify(document)}\n`);
  await call(node, 'POST', '/s/_bulk?refresh=true', lines.join(''));
});
after(() => node?.stop());

async function hits(body) {
  const answer = await call(node, 'POST', '/s/_search', body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.hits.hits;
}

test('fields are made by scripts, and hide the source unless it is asked for', async () => {
  const found = await hits({
    script_fields: {
      double: { script: "doc['n'].value * 2" },
      all: { script: "doc['s']" },
      own: { script: 'params._source.o' },
      missing: { script: "doc['k'].value", ignore_failure: true },
    },
    sort: 'n',
  });
  assert.deepEqual(
    found.map(({ fields }) => fields),
    [
      { double: [2], all: [1, 3], own: [null], missing: ['b'] },
      { double: [4], own: [null], missing: ['a'] },
      { double: [6], all: [5], own: [null] },
      { double: [20], own: [{ p: 1 }], missing: ['c'] },
    ],
  );
  assert.equal(found[0]._source, undefined);
  assert.deepEqual((await hits({ script_fields: { a: { script: '1' } }, _source: ['n'], sort: 'n' }))[0]._source, {
    n: 1,
  });
});

test('documents are sorted by the numbers of a script, page by page', async () => {
  const script = { source: "doc['n'].value % params.m", params: { m: 3 } };
  const sort = [{ _script: { type: 'number', script, order: 'asc' } }, { n: 'desc' }];
  const found = await hits({ sort });
  assert.deepEqual(
    found.map((hit) => hit.sort),
    [
      [0, 3],
      [1, 10],
      [1, 1],
      [2, 2],
    ],
  );
  assert.deepEqual(
    (await hits({ sort, search_after: [1, 10] })).map((hit) => hit._id),
    ['0', '1'],
  );
});

test('stored scripts are run by their id', async () => {
  await call(node, 'PUT', '/_scripts/greater', { script: { lang: 'painless', source: "doc['n'].value > params.min" } });
  const query = { script: { script: { id: 'greater', params: { min: 2 } } } };
  assert.deepEqual(
    (await hits({ query, sort: 'n' })).map((hit) => hit._id),
    ['2', '3'],
  );
});

test('documents are sorted by the texts of a script, those without a text last', async () => {
  const script = "doc['k'].size() == 0 ? null : doc['k'].value + params.x";
  const sort = [{ _script: { type: 'string', order: 'desc', script: { source: script, params: { x: '!' } } } }];
  const shown = (found) => found.map(({ _id, sort: values }) => [_id, ...values]);
  const all = [
    ['3', 'c!'],
    ['0', 'b!'],
    ['1', 'a!'],
    ['2', null],
  ];
  assert.deepEqual(shown(await hits({ sort })), all);
  assert.deepEqual(shown(await hits({ sort, search_after: ['b!'], size: 1 })), [all[2]]);
  const { body } = await call(node, 'POST', '/s/_search', {
    size: 0,
    aggs: { a: { top_hits: { sort, size: 1, _source: false } } },
  });
  assert.deepEqual(shown(body.aggregations.a.hits.hits), [all[0]]);
});

test('an explanation of the score of a script shows the score that it gets, and its boost', async () => {
  const query = { constant_score: { filter: { term: { k: 'a' } }, boost: 3 } };
  const body = { query: { script_score: { query, script: '_score * 2', boost: 10 } } };
  const { explanation: boosted } = (await call(node, 'POST', '/s/_explain/1', body)).body;

  assert.deepEqual([boosted.value, boosted.description], [60, 'Boosted score, product of:']);
  assert.deepEqual(
    boosted.details.map(({ value, description }) => [value, description.slice(0, 21)]),
    [
      [10, 'boost'],
      [6, 'script score function'],
    ],
  );
  assert.deepEqual(boosted.details[1].details[0].description, '_score: ');
});

test('intervals are filtered by scripts, stored ones too', async () => {
  await call(node, 'PUT', '/_scripts/late', { script: { lang: 'painless', source: 'interval.start > 3' } });
  await call(node, 'PUT', '/texts/_doc/1?refresh=true', { t: 'a b c d a x' });
  const query = (script) => ({
    intervals: {
      t: { all_of: { intervals: [{ match: { query: 'a' } }, { match: { query: 'x' } }], filter: { script } } },
    },
  });
  const search = async (script) => (await call(node, 'POST', '/texts/_search', { query: query(script) })).body;
  for (const [script, scores] of [
    [{ id: 'late' }, [0.5]],
    [{ source: 'interval.start > 4' }, []],
    [{ source: 'interval.gaps == 0 && interval.end == 5' }, [0.5]],
  ])
    assert.deepEqual(
      (await search(script)).hits.hits.map(({ _score }) => _score),
      scores,
    );
  const { error, status } = await search({ source: '1 / (interval.start - 4) == 1' });
  assert.deepEqual(
    [status, error.root_cause[0].type, error.root_cause[0].reason],
    [400, 'script_exception', 'runtime error'],
  );
  assert.equal(
    (await search('true')).error.root_cause[0].reason,
    '[1:120] [script] Expected START_OBJECT but was: VALUE_STRING',
  );
});

test('documents are sorted by what a script makes of their nested objects', async () => {
  await call(node, 'PUT', '/ns', {
    settings: { number_of_shards: 1 },
    mappings: {
      properties: { o: { type: 'nested', properties: { v: { type: 'long' }, k: { type: 'keyword' } } } },
    },
  });
  const documents = [
    {
      o: [
        { v: 5, k: 'e' },
        { v: 2, k: 'b' },
      ],
    },
    { o: [{ v: 3, k: 'c' }] },
    {},
  ];
  const lines = documents.map((document, i) => `{"index":{"_id":"${i + 1}"}}\n${JSON.stringify(document)}\n`);
  await call(node, 'POST', '/ns/_bulk?refresh=true', lines.join(''));
  const search = async (type, options) => {
    const script = type === 'number' ? "doc['o.v'].value * 10" : "doc['o.k'].value + 'x'";
    const sort = [{ _script: { type, script, nested: { path: 'o' }, ...options } }];
    return (await call(node, 'POST', '/ns/_search', { sort })).body;
  };
  const sorted = async (type, options) =>
    (await search(type, options)).hits.hits.map(({ _id, sort }) => `${_id}:${sort[0]}`).join(' ');
  const none = '3:1.7976931348623157e+308';
  assert.equal(await sorted('number', {}), `1:20 2:30 ${none}`);
  assert.equal(await sorted('number', { order: 'desc' }), `${none} 1:50 2:30`);
  assert.equal(await sorted('number', { mode: 'sum' }), `2:30 1:70 ${none}`);
  assert.equal(await sorted('number', { mode: 'avg' }), `2:30 1:35 ${none}`);
  const filtered = { path: 'o', filter: { range: { 'o.v': { gt: 2 } } } };
  assert.equal(await sorted('number', { nested: filtered }), `2:30 1:50 ${none}`);
  assert.equal(await sorted('string', {}), '1:bx 2:cx 3:null');
  assert.equal(await sorted('string', { order: 'desc' }), '1:ex 2:cx 3:null');
  assert.equal(await sorted('string', { mode: 'max' }), '2:cx 1:ex 3:null');
  const refusal = async (options) => (await search('number', options)).error.root_cause[0].reason;
  assert.equal(await refusal({ mode: 'median' }), 'Unsupported sort mode: MEDIAN');
  assert.equal(await refusal({ nested: { path: 'x' } }), '[nested] failed to find nested object under path [x]');
  assert.match(await refusal({ nested: 5 }), /\[_script\] nested doesn't support values of type: VALUE_NUMBER$/);
});
