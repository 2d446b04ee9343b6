// Scripts in the language `expression` over HTTP.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
  const properties = {
    a: { type: 'double' },
    b: { type: 'long' },
    d: { type: 'date' },
    e: { type: 'integer' },
    g: { type: 'geo_point' },
    k: { type: 'keyword' },
    bo: { type: 'boolean' },
  };
  await call(node, 'PUT', '/i', { mappings: { properties }, settings: { number_of_shards: 1 } });
  await call(node, 'PUT', '/i/_doc/1', {
    a: 1.5,
    b: [3, 7, 20, 4],
    d: '2024-02-29T10:11:12.345Z',
    g: '59.9,10.75',
    k: 'x',
    bo: true,
  });
  await call(node, 'PUT', '/i/_doc/2?refresh', { a: 2.5, b: 5, d: '2023-01-01T00:00:00Z', k: 'y' });
});
after(() => node?.stop());

const search = (body) => call(node, 'POST', '/i/_search', body);
const expression = (source, params = {}) => ({ lang: 'expression', source, params });

test('fields of documents are numbers', async () => {
  const rows = {
    "doc['a'].value": 1.5,
    "doc['a']": 1.5,
    "doc['b'].value": 3,
    "doc['b'].min()": 3,
    "doc['b'].max()": 20,
    "doc['b'].sum()": 34,
    "doc['b'].avg()": 8.5,
    "doc['b'].median()": 5.5,
    "doc['b'].count() * 10 + doc['b'].length": 44,
    "doc['e'].value + doc['e'].empty * 10 + doc['e'].count() + doc['e'].avg() + doc['e'].max()": 10,
    "doc['d'].value": Date.parse('2024-02-29T10:11:12.345Z'),
    "doc['d'].getYear() * 100 + doc['d'].getMonth()": 202401,
    "doc['d'].getDayOfMonth() * 10000 + doc['d'].getHourOfDay() * 100 + doc['d'].getMinutes()": 291011,
    "doc['d'].date.year * 100 + doc['d'].date.monthOfYear": 202402,
    "doc['d'].date.dayOfWeek * 1000 + doc['d'].date.dayOfYear": 4060,
    "doc['d'].date.getWeekOfWeekyear() * 10000 + doc['d'].date.weekyear": 92024,
    "doc['d'].date.millisOfSecond + doc['d'].date.secondOfMinute * 1000": 12345,
    "doc['d'].date.minuteOfDay + doc['d'].date.secondOfDay * 10000": 366720611,
    "doc['g'].lat - doc['g'].getLon() > 49 && !doc['g'].empty": 1,
    "doc['bo'].value": 1,
    "doc['a'].value + n * 2": 7.5,
  };
  for (const [source, value] of Object.entries(rows)) {
    const { body } = await search({
      query: { ids: { values: ['1'] } },
      script_fields: { x: { script: expression(source, { n: 3 }) } },
    });
    assert.equal(body.hits?.hits[0].fields.x[0], value, `${source} ${JSON.stringify(body.error ?? '')}`);
  }
});

test('expressions score, filter, sort and aggregate', async () => {
  const ids = async (body) => (await search(body)).body.hits.hits.map(({ _id, _score }) => [_id, _score]);
  const score = expression("_score * doc['a'].value * n", { n: 2 });
  assert.deepEqual(await ids({ query: { script_score: { query: { match_all: {} }, script: score } } }), [
    ['2', 5],
    ['1', 3],
  ]);
  const filter = { script: { script: expression("doc['a'].value > 2") } };
  assert.deepEqual(await ids({ query: { bool: { filter } } }), [['2', 0]]);
  const sorted = await search({ sort: { _script: { type: 'number', script: expression("-doc['b'].max()") } } });
  assert.deepEqual(
    sorted.body.hits.hits.map(({ _id, sort }) => [_id, sort]),
    [
      ['1', [-20]],
      ['2', [-5]],
    ],
  );
  const { body } = await search({
    size: 0,
    aggs: {
      sum: { sum: { script: expression("doc['a'].value * 2") } },
      own: { sum: { field: 'b', script: expression('_value + 1') } },
      days: {
        histogram: { field: 'a', interval: 1 },
        aggs: {
          s: { sum: { field: 'b' } },
          half: { bucket_script: { buckets_path: { s: 's' }, script: expression('s / n', { n: 2 }) } },
          some: { bucket_selector: { buckets_path: { s: 's' }, script: expression('s > 6') } },
        },
      },
    },
  });
  assert.equal(body.aggregations.sum.value, 8);
  assert.equal(body.aggregations.own.value, 44);
  assert.deepEqual(
    body.aggregations.days.buckets.map(({ key, half }) => [key, half.value]),
    [[1, 17]],
  );
});

test('expressions are refused where they make no sense', async () => {
  const refused = async (source) => {
    const { status, body } = await search({ script_fields: { x: { script: expression(source) } } });
    const { reason } = body.error.failed_shards[0];
    return [status, reason.type, reason.reason, reason.script_stack, reason.caused_by.reason];
  };
  const link = (source, told, portion = source) => [
    ...[400, 'script_exception', 'link error', [portion, '^---- HERE']],
    told,
  ];
  assert.deepEqual(await refused('a'), link('a', 'Unknown variable [a]'));
  assert.deepEqual(await refused("doc['zz'].value"), link("doc['zz'].value", 'Field [zz] does not exist in mappings'));
  assert.deepEqual(
    await refused("1 + doc['k'].value"),
    link('', 'Field [k] must be numeric, date, or geopoint', "doc['k'].value"),
  );
  assert.deepEqual(
    await refused('doc["a"].foo()'),
    link('', 'Member method [foo] does not exist for numeric field [a].', "doc['a'].foo()"),
  );
  const stored = await call(node, 'PUT', '/_scripts/s/score', { script: { lang: 'expression', source: '1 +' } });
  assert.deepEqual(
    [stored.status, stored.body.error.type, stored.body.error.script_stack],
    [400, 'script_exception', ['1 +', '   ^---- HERE']],
  );
  const { body } = await call(node, 'GET', '/_script_language');
  assert.deepEqual(body.language_contexts[0], {
    language: 'expression',
    contexts: [
      ...['aggregation_selector', 'aggs', 'bucket_aggregation', 'field', 'filter', 'number_sort', 'score'],
      'terms_set',
    ],
  });
});
