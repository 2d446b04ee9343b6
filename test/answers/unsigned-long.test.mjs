// `unsigned_long` over its whole range, as Elasticsearch 8.12 answers; texts are compared where digits count.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

const VALUES = ['0', '9223372036854775807', '9223372036854775808', '18446744073709551614', '18446744073709551615'];

let node;
const send = async (method, path, body) => {
  const answer = await fetch(`${node.url}${path}`, {
    method,
    headers: { 'content-type': body?.startsWith('{"index"') ? 'application/x-ndjson' : 'application/json' },
    body,
  });
  return { status: answer.status, text: await answer.text() };
};
const search = async (index, body) => (await send('POST', `/${index}/_search`, body)).text;
const idsOf = (text) => JSON.parse(text).hits.hits.map((hit) => hit._id);
const sortsOf = (text) => [...text.matchAll(/"sort":\[([^\]]*)\]/g)].map((match) => match[1]);
const totalOf = async (index, query) => JSON.parse(await search(index, `{"size":0,"query":${query}}`)).hits.total.value;
const keysOf = (text) => [...text.matchAll(/"key":([^,}]*)/g)].map((match) => match[1]);
const fill = (index, docs) =>
  send('POST', `/${index}/_bulk?refresh`, docs.map((doc, i) => `{"index":{"_id":"${i + 1}"}}\n${doc}\n`).join(''));

before(async () => {
  node = await startNode();
  const field = { type: 'unsigned_long', store: true };
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ]) {
    await call(node, 'PUT', `/${index}`, {
      settings: { number_of_shards: shards, number_of_replicas: 0 },
      mappings: { properties: { ul: field, k: { type: 'keyword' } } },
    });
    await fill(
      index,
      VALUES.map((value, i) => `{"ul":${value},"k":"0${i}"}`),
    );
  }
  await call(node, 'PUT', '/longs', {
    settings: { number_of_replicas: 0 },
    mappings: { properties: { ul: { type: 'long' } } },
  });
  await fill('longs', ['{"ul":0}', '{"ul":1000000}', '{"ul":9223372036854775807}']);
});
after(() => node?.stop());

/** Twice: out of the buffer and of one sealed segment. */
async function everywhere(check) {
  for (const index of ['one', 'three']) {
    await check(index);
    await call(node, 'POST', `/${index}/_forcemerge?max_num_segments=1`);
    await call(node, 'POST', `/${index}/_flush`);
    await check(index);
  }
}

test('queries are exact over the whole range', () =>
  everywhere(async (index) => {
    assert.equal(await totalOf(index, '{"exists":{"field":"ul"}}'), 5);
    for (const value of VALUES) assert.equal(await totalOf(index, `{"term":{"ul":${value}}}`), 1, value);
    for (const value of ['18446744073709551616', '-1', '0.5', '"3.14"'])
      assert.equal(await totalOf(index, `{"term":{"ul":${value}}}`), 0, value);
    assert.equal(await totalOf(index, '{"terms":{"ul":[0,9223372036854775808,"18446744073709551615",-5]}}'), 3);
    assert.equal(await totalOf(index, '{"range":{"ul":{"gte":0}}}'), 5);
    assert.equal(await totalOf(index, '{"range":{"ul":{"gte":0.5}}}'), 4);
    assert.equal(await totalOf(index, '{"range":{"ul":{"lte":18446744073709551615}}}'), 5);
    assert.equal(await totalOf(index, '{"range":{"ul":{"lte":"18446744073709551614.5"}}}'), 4);
    assert.equal(await totalOf(index, '{"range":{"ul":{"gt":9223372036854775807}}}'), 3);
    assert.equal(await totalOf(index, '{"range":{"ul":{"gt":18446744073709551615}}}'), 0);
    assert.equal((await send('POST', `/${index}/_search`, '{"query":{"term":{"ul":"18wrong"}}}')).status, 400);
    assert.equal((await send('POST', `/${index}/_search`, '{"query":{"range":{"ul":{"gte":"18wrong"}}}}')).status, 400);
  }));

test('hits sort by all digits, and a page continues where the one before ended', () =>
  everywhere(async (index) => {
    assert.deepEqual(sortsOf(await search(index, '{"sort":[{"ul":"asc"}]}')), VALUES);
    assert.deepEqual(sortsOf(await search(index, '{"sort":[{"ul":"desc"}]}')), VALUES.toReversed());
    assert.deepEqual(
      sortsOf(await search(index, '{"sort":[{"ul":"asc"}],"search_after":[9223372036854775808]}')),
      VALUES.slice(3),
    );
    assert.deepEqual(
      sortsOf(await search(index, '{"sort":[{"ul":"desc"}],"search_after":["18446744073709551615"],"size":2}')),
      ['18446744073709551614', '9223372036854775808'],
    );
    assert.equal((await send('POST', `/${index}/_search`, '{"sort":["ul"],"search_after":[-1]}')).status, 400);
  }));

test('sources, fields, doc values and stored fields keep the digits', () =>
  everywhere(async (index) => {
    const ask = (options) => search(index, `{"sort":["k"],${options}}`);
    const found = (text, pattern) => [...text.matchAll(pattern)].map((match) => match[1]);
    assert.deepEqual(found(await ask('"_source":true'), /"_source":\{"ul":(\d+)/g), VALUES);
    for (const option of ['"fields":["ul"]', '"docvalue_fields":["ul"]'])
      assert.deepEqual(found(await ask(`"_source":false,${option}`), /"ul":\[(\d+)\]/g), VALUES);
    assert.deepEqual(found(await ask('"stored_fields":["ul"]'), /"ul":\["(\d+)"\]/g), VALUES);
    assert.match(
      (await send('GET', `/${index}/_doc/5?stored_fields=ul`)).text,
      /"fields":\{"ul":\["18446744073709551615"\]\}/,
    );
  }));

test('terms have exact keys, metrics and histograms are doubles', () =>
  everywhere(async (index) => {
    const aggregate = async (body) =>
      (await search(index, `{"size":0,"aggs":{"a":${body}}}`)).replace(/^.*"aggregations":/, '');
    const terms = await aggregate('{"terms":{"field":"ul"}}');
    assert.deepEqual(keysOf(terms), VALUES);
    assert.doesNotMatch(terms, /key_as_string/);
    assert.deepEqual(keysOf(await aggregate('{"terms":{"field":"ul","include":[18446744073709551614,"0"]}}')), [
      '0',
      '18446744073709551614',
    ]);
    assert.deepEqual(keysOf(await aggregate('{"rare_terms":{"field":"ul"}}')), VALUES);
    const histogram = JSON.parse(
      await aggregate('{"histogram":{"field":"ul","interval":9223372036854775807}}').then((text) => text.slice(0, -1)),
    ).a.buckets;
    assert.deepEqual(
      histogram.map((bucket) => [bucket.key, bucket.key_as_string, bucket.doc_count]),
      [
        [0, '0.0', 1],
        [2 ** 63, '9.223372036854776E18', 2],
        [2 ** 64, '1.8446744073709552E19', 2],
      ],
    );
    const ranges = JSON.parse(
      (
        await aggregate(
          '{"range":{"field":"ul","ranges":[{"to":9223372036854775807},' +
            '{"from":9223372036854775807,"to":18446744073709551614},{"from":18446744073709551614}]}}',
        )
      ).slice(0, -1),
    ).a.buckets;
    assert.deepEqual(
      ranges.map((bucket) => bucket.doc_count),
      [1, 2, 2],
    );
    const { a: stats } = JSON.parse((await aggregate('{"stats":{"field":"ul"}}')).slice(0, -1));
    assert.deepEqual([stats.count, stats.min, stats.max, stats.sum], [5, 0, 2 ** 64, 3 * 2 ** 64]);
    assert.deepEqual([stats.min_as_string, stats.max_as_string], ['0.0', '1.8446744073709552E19']);
    assert.equal(JSON.parse((await aggregate('{"cardinality":{"field":"ul"}}')).slice(0, -1)).a.value, 5);
    assert.match(
      await aggregate('{"top_metrics":{"metrics":{"field":"ul"},"sort":{"ul":"desc"}}}'),
      /"sort":\[18446744073709551615\],"metrics":\{"ul":18446744073709551615\}/,
    );
  }));

test('a composite pages through exact keys', () =>
  everywhere(async (index) => {
    const keys = [];
    for (let after = '', page = 0; page < 4; page++) {
      const text = await search(
        index,
        `{"size":0,"aggs":{"a":{"composite":{"size":2,"sources":[{"u":{"terms":{"field":"ul"}}}]${after}}}}}`,
      );
      keys.push(...[...text.matchAll(/"key":\{"u":(\d+)\}/g)].map((match) => match[1]));
      after = `,"after":${/"after_key":(\{[^}]*\})/.exec(text)?.[1] ?? '{"u":18446744073709551615}'}`;
    }
    assert.deepEqual(keys, VALUES);
    const both = await search(
      index,
      '{"size":0,"aggs":{"a":{"multi_terms":{"terms":[{"field":"ul"},{"field":"k"}]}}}}',
    );
    assert.match(both, /"key":\[18446744073709551615,"04"\],"key_as_string":"18446744073709551615\|04"/);
  }));

test('searches over unsigned_long and long: counts are exact, keys of terms doubles', async () => {
  assert.equal(await totalOf('one,longs', '{"range":{"ul":{"gte":0}}}'), 8);
  assert.equal(await totalOf('one,longs', '{"range":{"ul":{"gt":0,"lt":9223372036854775807}}}'), 1);
  assert.equal(await totalOf('one,longs', '{"range":{"ul":{"gte":9223372036854775807}}}'), 5);
  const text = await search(
    'one,longs',
    '{"size":0,"aggs":{"a":{"terms":{"field":"ul","order":{"_key":"asc"}}},"s":{"sum":{"field":"ul"}}}}',
  );
  const { a, s } = JSON.parse(text).aggregations;
  assert.deepEqual(
    a.buckets.map((bucket) => [bucket.key, bucket.doc_count]),
    [
      [0, 2],
      [1e6, 1],
      [2 ** 63, 3],
      [2 ** 64, 2],
    ],
  );
  assert.ok(Math.abs(s.value / (3.5 * 2 ** 64) - 1) < 1e-12);
  assert.deepEqual(sortsOf(await search('one,longs', '{"sort":[{"ul":"desc"}],"size":4}')), [
    '18446744073709551615',
    '18446744073709551614',
    '9223372036854775808',
    '9223372036854775807',
  ]);
});

test(
  'documents without a value count as null_value where there is ' + 'one, and sort as the extreme of the range',
  async () => {
    await call(node, 'PUT', '/nulls', {
      mappings: { properties: { ul: { type: 'unsigned_long', null_value: '17446744073709551615', store: true } } },
    });
    await fill('nulls', ['{"ul":0}', '{"ul":null}', '{"ul":""}', '{"ul":18446744073709551614}', '{}']);
    assert.equal(await totalOf('nulls', '{"term":{"ul":17446744073709551615}}'), 2);
    const ascending = await search('nulls', '{"sort":[{"ul":{"order":"asc","missing":"_last"}}]}');
    assert.deepEqual(idsOf(ascending), ['1', '2', '3', '4', '5']);
    assert.deepEqual(sortsOf(ascending), [
      '0',
      '17446744073709551615',
      '17446744073709551615',
      '18446744073709551614',
      '18446744073709551615',
    ]);
    const descending = await search(
      'nulls',
      '{"sort":[{"ul":{"order":"desc","missing":"_first"}}],"fields":["ul"],"stored_fields":["ul"]}',
    );
    assert.deepEqual(idsOf(descending), ['5', '4', '2', '3', '1']);
    assert.deepEqual(sortsOf(await search('nulls', '{"sort":[{"ul":{"order":"desc"}}]}')).at(-1), '0');
    const fields = await search('nulls', '{"sort":["_doc"],"fields":["ul"],"_source":false}');
    assert.deepEqual(
      [...fields.matchAll(/"ul":\[(\d+)\]/g)].map((match) => match[1]),
      ['0', '17446744073709551615', '17446744073709551615', '18446744073709551614'],
    );
  },
);

test(
  'large longs are told apart too, and small values are one key ' + 'whether their shard has large ones or not',
  async () => {
    await call(node, 'PUT', '/wide', {
      settings: { number_of_shards: 3, number_of_replicas: 0 },
      mappings: { properties: { n: { type: 'long' } } },
    });
    const values = ['9223372036854775806', '9223372036854775807', ...Array(9).fill('5'), '-9223372036854775808'];
    await fill(
      'wide',
      values.map((value) => `{"n":${value}}`),
    );
    const text = await search(
      'wide',
      '{"size":0,"aggs":{"a":{"terms":{"field":"n","order":{"_key":"asc"}}},"c":{"cardinality":{"field":"n"}}}}',
    );
    assert.deepEqual(keysOf(text), ['-9223372036854775808', '5', '9223372036854775806', '9223372036854775807']);
    assert.deepEqual(
      JSON.parse(text).aggregations.a.buckets.map((bucket) => bucket.doc_count),
      [1, 9, 1, 1],
    );
    assert.equal(JSON.parse(text).aggregations.c.value, 4);
    const missing = await search(
      'wide',
      '{"size":0,"query":{"range":{"n":{"gt":5}}},' +
        '"aggs":{"a":{"terms":{"field":"n","min_doc_count":0,"order":{"_key":"asc"}}}}}',
    );
    assert.deepEqual(
      JSON.parse(missing).aggregations.a.buckets.map((bucket) => bucket.doc_count),
      [0, 0, 1, 1],
    );
  },
);

test(
  'pages over several shards give out every document once, those without a value and those with the extremes among ' +
    'them',
  async () => {
    const pools = {
      unsigned_long: ['0', '1', ...VALUES.slice(1)],
      long: ['-9223372036854775808', '-9223372036854775807', '0', '1', '9223372036854775806', '9223372036854775807'],
    };
    for (const [type, pool] of Object.entries(pools)) {
      await call(node, 'PUT', `/paged-${type}`, {
        settings: { number_of_shards: 3, number_of_replicas: 0 },
        mappings: { properties: { n: { type } } },
      });
      await fill(
        `paged-${type}`,
        Array.from({ length: 60 }, (_, i) => (i % 7 === 0 ? '{}' : `{"n":${pool[(i * i) % pool.length]}}`)),
      );
      for (const order of ['asc', 'desc'])
        for (const missing of ['_last', '_first']) {
          const { id } = (await call(node, 'POST', `/paged-${type}/_pit?keep_alive=1m`)).body;
          const seen = [];
          const values = [];
          for (let next = '', page = 0; page < 13; page++) {
            const answer = await send(
              'POST',
              '/_search',
              `{"size":5,"pit":{"id":"${id}"},"sort":[{"n":{"order":"${order}","missing":"${missing}"}}]${next}}`,
            );
            const sorts = sortsOf(answer.text);
            if (sorts.length === 0) break;
            seen.push(...idsOf(answer.text));
            values.push(...sorts.map((sort) => BigInt(sort.split(',')[0])));
            next = `,"search_after":[${sorts.at(-1)}]`;
          }
          assert.equal(new Set(seen).size, 60, `${type} ${order} ${missing}`);
          const inOrder = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
          assert.deepEqual(values, order === 'asc' ? inOrder : inOrder.reverse());
        }
    }
  },
);

test('a multi-field takes numbers and texts of its keyword', async () => {
  await call(node, 'PUT', '/several', {
    mappings: { properties: { counter: { type: 'keyword', fields: { ul: { type: 'unsigned_long' } } } } },
  });
  await fill(
    'several',
    ['0', '9223372036854775808', '"9223372036854775808"', '18446744073709551614', '18446744073709551615'].map(
      (value) => `{"counter":${value}}`,
    ),
  );
  assert.deepEqual(idsOf(await search('several', '{"query":{"term":{"counter.ul":9223372036854775808}}}')), ['2', '3']);
  assert.deepEqual(idsOf(await search('several', '{"sort":"counter"}')), ['1', '4', '5', '2', '3']);
  assert.deepEqual(idsOf(await search('several', '{"sort":"counter.ul"}')), ['1', '2', '3', '4', '5']);
});

test('decay functions and updates of other fields work with large values', async () => {
  const decay =
    '{"query":{"function_score":{"functions":[' +
    '{"linear":{"ul":{"scale":18000000000000000000.0,"origin":12000000000000000000.0}}}]}}}';
  const scores = JSON.parse(await search('one', decay)).hits.hits.map((hit) => hit._score);
  [0.9228715, 0.9228715, 0.8209238, 0.8209238, 0.6666667].forEach((score, i) =>
    assert.ok(Math.abs(scores[i] - score) < 0.001, String(scores[i])),
  );
  await call(node, 'PUT', '/changed', { mappings: { properties: { ul: { type: 'unsigned_long' } } } });
  await send('PUT', '/changed/_doc/1?refresh', '{"ul":18446744073709551615,"k":1}');
  await send('POST', '/changed/_update/1', '{"doc":{"k":2}}');
  assert.match((await send('GET', '/changed/_source/1')).text, /"ul":\s*18446744073709551615/);
});

test('hits collapse by exact values', async () => {
  await call(node, 'PUT', '/groups', {
    settings: { number_of_shards: 3 },
    mappings: { properties: { ul: { type: 'unsigned_long' }, k: { type: 'keyword' } } },
  });
  const values = [
    '0',
    '0',
    '9223372036854775807',
    '9223372036854775808',
    '18446744073709551614',
    '18446744073709551615',
    '18446744073709551615',
  ];
  await fill(
    'groups',
    values.map((value, i) => `{"ul":${value},"k":"0${i}"}`),
  );
  const text = await search(
    'groups',
    '{"collapse":{"field":"ul","inner_hits":{"name":"i","_source":false,"size":1}},"sort":["k"]}',
  );
  assert.deepEqual(idsOf(text), ['1', '3', '4', '5', '6']);
  assert.deepEqual(
    [...text.matchAll(/"fields":\{"ul":\[(\d+)\]\}/g)].map((match) => match[1]),
    [...new Set(values)],
  );
  assert.deepEqual(
    JSON.parse(text).hits.hits.map((hit) => hit.inner_hits.i.hits.total.value),
    [2, 1, 1, 1, 2],
  );
});

test('values out of range, with a fraction or that are no number are refused, coerce is unknown', async () => {
  const cause = async (value) =>
    JSON.parse((await send('PUT', '/one/_doc/x', `{"ul":${value}}`)).text).error?.caused_by?.reason;
  assert.equal(await cause('-1'), 'Value [-1] is out of range for unsigned long.');
  assert.equal(await cause('18446744073709551616'), 'Value [18446744073709551616] is out of range for unsigned long');
  assert.equal(await cause('1.5'), 'Value "1.5" has a decimal part');
  assert.equal(await cause('"zz"'), 'For input string: "zz"');
  const made = await call(node, 'PUT', '/coerced', {
    mappings: { properties: { ul: { type: 'unsigned_long', coerce: true } } },
  });
  assert.equal(made.status, 400);
  assert.match(JSON.stringify(made.body), /unknown parameter \[coerce\] on mapper \[ul\] of type \[unsigned_long\]/);
});
