// What roles grant and hide, over HTTP: names in paths and bodies, parts of documents, things that belong to others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicAuth, call, startNode, temporaryFolder } from '../node-process.mjs';

let node;
const backups = temporaryFolder('backups');
const PASSWORD = 'long-enough';

async function user(name, indices, cluster = []) {
  assert.equal((await call(node, 'PUT', `/_security/role/${name}`, { cluster, indices })).status, 200);
  assert.equal((await call(node, 'PUT', `/_security/user/${name}`, { password: PASSWORD, roles: [name] })).status, 200);
}

const as = (name) => async (method, target, body) => call(node, method, target, body, basicAuth(`${name}:${PASSWORD}`));
const [reader, limited, shopper, scroller, writer, manager, nothing] = [
  'reader',
  'limited',
  'shopper',
  'scroller',
  'writer',
  'manager',
  'nothing',
].map(as);

const DOCS = [
  { team: 'red', n: 1, secret: 'alpha', deep: { shown: 'x', hidden: 'beta' }, text: 'quick fox' },
  { team: 'red', n: 2, secret: 'gamma', deep: { shown: 'y', hidden: 'delta' }, text: 'slow fox' },
  { team: 'blue', n: 3, secret: 'omega', deep: { shown: 'z', hidden: 'zeta' }, text: 'quick dog' },
];
/** Texts that no answer to `limited` may hold. */
const HIDDEN = /alpha|beta|gamma|delta|omega|zeta|blue|dog/;

before(async () => {
  node = await startNode({
    env: { ELASTIC_PASSWORD: 'elastic-secret' },
    auth: 'elastic:elastic-secret',
    settings: { 'path.repo': backups },
  });
  const mappings = {
    properties: {
      team: { type: 'keyword' },
      n: { type: 'long' },
      secret: { type: 'keyword', copy_to: 'everything' },
      everything: { type: 'text' },
      deep: { properties: { shown: { type: 'keyword' }, hidden: { type: 'keyword' } } },
      text: { type: 'text', fielddata: true },
    },
  };
  for (const index of ['logs-1', 'other']) {
    assert.equal(
      (await call(node, 'PUT', `/${index}`, { mappings, settings: { number_of_replicas: 0, number_of_shards: 2 } }))
        .status,
      200,
    );
    const lines = DOCS.flatMap((doc, i) => [{ index: { _index: index, _id: String(i + 1) } }, doc]);
    assert.equal(
      (await call(node, 'POST', '/_bulk?refresh=true', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`))
        .body.errors,
      false,
    );
  }
  await call(node, 'POST', '/_aliases', {
    actions: [{ add: { index: 'other', alias: 'blue-only', filter: { term: { team: 'blue' } } } }],
  });
  await user('reader', [{ names: ['logs-*'], privileges: ['read'] }]);
  await user('limited', [
    {
      names: ['logs-*'],
      privileges: ['read', 'view_index_metadata', 'index', 'manage'],
      query: { term: { team: 'red' } },
      field_security: { grant: ['*'], except: ['secret', 'everything', 'deep.hidden'] },
    },
  ]);
  await user('shopper', [{ names: ['blue-only'], privileges: ['read'] }]);
  await user('scroller', [{ names: ['logs-*'], privileges: ['read'] }]);
  await user('writer', [{ names: ['made-*'], privileges: ['create_doc'] }]);
  await user('manager', [{ names: ['logs-*'], privileges: ['manage'] }], ['monitor']);
  await user('nothing', []);
});
after(async () => {
  await node?.stop();
});

const ids = ({ body }) => body.hits.hits.map(({ _index, _id }) => `${_index}/${_id}`).sort();

test('a key of a flattened field that a role excepts is told by no call', async () => {
  await call(node, 'PUT', '/tags', {
    mappings: { properties: { labels: { type: 'flattened' } } },
    settings: { number_of_replicas: 0 },
  });
  await call(node, 'PUT', '/tags/_doc/1?refresh=true', { labels: { team: 'red', secret: 'hush' } });
  const tagger = as('tagger');
  await user('tagger', [
    { names: ['tags'], privileges: ['read'], field_security: { grant: ['*'], except: ['labels.secret'] } },
  ]);
  const all = ['labels', 'labels.team', 'labels.secret'];
  const told = [
    await tagger('POST', '/tags/_search', {
      docvalue_fields: all,
      fields: [...all, 'labels*'],
      stored_fields: ['_source'],
      highlight: { fields: { 'labels*': {} } },
      aggs: Object.fromEntries(all.map((field) => [field, { terms: { field, min_doc_count: 0 } }])),
    }),
    await tagger('POST', '/tags/_search', {
      query: { match_all: {} },
      sort: ['labels.team'],
    }),
    await tagger('GET', '/tags/_doc/1'),
    await tagger('POST', '/tags/_mget', { ids: ['1'] }),
    ...(await Promise.all(all.map((field) => tagger('POST', '/tags/_terms_enum', { field, string: 'h' })))),
    await tagger('POST', '/tags/_termvectors/1', { fields: all }),
    await tagger('GET', '/tags/_field_caps?fields=labels*'),
  ];
  for (const { status, body } of told)
    assert.ok(status === 200 && !JSON.stringify(body).includes('hush'), JSON.stringify(body));
  assert.deepEqual(
    [told[0].body.hits.hits[0]._source, told[0].body.aggregations['labels.team'].buckets.map(({ key }) => key)],
    [{ labels: { team: 'red' } }, ['red']],
  );
  for (const field of ['labels', 'labels.secret'])
    assert.equal((await tagger('POST', '/tags/_count', { query: { term: { [field]: 'hush' } } })).body.count, 0);
});

test('wildcards see what is granted, other names are refused whether they exist or not', async () => {
  assert.deepEqual(ids(await reader('GET', '/_search')), ['logs-1/1', 'logs-1/2', 'logs-1/3']);
  assert.deepEqual(ids(await reader('GET', '/*/_search')), ['logs-1/1', 'logs-1/2', 'logs-1/3']);
  for (const name of ['other', 'gone', 'blue-only', '.security-7', 'logs-1,other'])
    assert.equal((await reader('GET', `/${name}/_search`)).status, 403, name);
  assert.equal((await reader('GET', '/logs-gone/_search')).status, 404);
  assert.deepEqual(ids(await reader('GET', '/logs-1,other/_search?ignore_unavailable=true')), [
    'logs-1/1',
    'logs-1/2',
    'logs-1/3',
  ]);
  const { body } = await reader('GET', '/other/_search');
  assert.equal(
    body.error.reason,
    'action [indices:data/read/search] is unauthorized for user [reader] with effective roles [reader] on indices ' +
      '[other], this action is granted by the index privileges [read,all]',
  );
});

test('names in bodies are checked as those in paths are', async () => {
  const lookup = { query: { terms: { team: { index: 'other', id: '3', path: 'team' } } } };
  assert.equal((await reader('POST', '/logs-1/_search', lookup)).status, 403);
  assert.equal((await reader('POST', '/logs-1/_count', lookup)).status, 403);
  const like = {
    query: {
      more_like_this: { fields: ['text'], like: [{ _index: 'other', _id: '3' }], min_term_freq: 1, min_doc_freq: 1 },
    },
  };
  assert.equal((await reader('POST', '/logs-1/_search', like)).status, 403);
  const { body } = await reader('POST', '/_mget', {
    docs: [
      { _index: 'other', _id: '1' },
      { _index: 'logs-1', _id: '1' },
    ],
  });
  assert.equal(body.docs[0].error.type, 'security_exception');
  assert.equal(body.docs[1].found, true);
  const searches = await reader('POST', '/_msearch', '{"index":"other"}\n{}\n{"index":"logs-1"}\n{}\n');
  assert.deepEqual(
    searches.body.responses.map(({ status }) => status),
    [403, 200],
  );
  const vectors = await reader('POST', '/_mtermvectors', { docs: [{ _index: 'other', _id: '1', fields: ['text'] }] });
  assert.equal(vectors.body.docs[0].error.type, 'security_exception');
});

test('templates search what their caller may search, and stored scripts are for managers', async () => {
  const source = '{"query":{"match_all":{}}}';
  assert.deepEqual(ids(await limited('POST', '/logs-1/_search/template', { source })), ['logs-1/1', 'logs-1/2']);
  assert.equal((await limited('POST', '/other/_search/template', { source })).status, 403);
  const lines = ['logs-1', 'other'].map((index) => `${JSON.stringify({ index })}\n${JSON.stringify({ source })}\n`);
  const { body } = await limited('POST', '/_msearch/template', lines.join(''));
  assert.deepEqual(
    body.responses.map(({ status }) => status),
    [200, 403],
  );
  assert.equal((await reader('POST', '/_render/template', { source })).status, 200);
  assert.equal((await nothing('POST', '/_render/template', { source })).status, 403);
  const script = { script: { lang: 'mustache', source } };
  for (const [method, target, sent] of [
    ['PUT', '/_scripts/s', script],
    ['GET', '/_scripts/s'],
    ['DELETE', '/_scripts/s'],
    ['POST', '/_scripts/painless/_execute', { script: { source: '1' } }],
  ])
    for (const caller of [reader, manager]) assert.equal((await caller(method, target, sent)).status, 403, target);
});

test('a filtered alias shows what passes its filter', async () => {
  for (const target of ['/blue-only/_search', '/_search', '/*/_search', '/blue*/_search'])
    assert.deepEqual(ids(await shopper('GET', target)), ['other/3'], target);
  assert.equal((await shopper('GET', '/other/_search')).status, 403);
});

const TEAMS = { terms: { field: 'team' } };
/** Requests that could show a hidden document or field, each in another way. */
const CURIOUS = [
  ['GET', '/logs-1/_search?track_total_hits=true'],
  [
    'POST',
    '/logs-1/_search',
    {
      query: { match_all: {} },
      fields: ['*'],
      docvalue_fields: ['secret', 'deep.hidden', 'n'],
      _source: ['*'],
      highlight: { fields: { '*': {} } },
      sort: ['n'],
    },
  ],
  [
    'POST',
    '/logs-1/_search',
    {
      size: 0,
      aggs: {
        teams: TEAMS,
        secrets: { terms: { field: 'secret' } },
        all: { global: {}, aggs: { teams: TEAMS, hits: { top_hits: { size: 10 } } } },
        missing: { missing: { field: 'secret' } },
        empty: { terms: { field: 'team', min_doc_count: 0 } },
        below: {
          histogram: { field: 'n', interval: 10 },
          aggs: { empty: { terms: { field: 'team', min_doc_count: 0 } } },
        },
        words: { significant_text: { field: 'text', min_doc_count: 1 } },
        filters: { filters: { filters: { a: { term: { secret: 'alpha' } } } } },
      },
    },
  ],
  ['POST', '/logs-1/_search', { query: { query_string: { query: 'alpha OR omega OR quick' } } }],
  [
    'POST',
    '/logs-1/_search',
    {
      query: {
        bool: {
          should: [
            { term: { secret: 'alpha' } },
            { match: { everything: 'alpha' } },
            { wildcard: { 'deep.hidden': '*' } },
          ],
        },
      },
    },
  ],
  ['POST', '/logs-1/_search', { collapse: { field: 'team', inner_hits: { name: 'inner', size: 5 } } }],
  ['POST', '/logs-1/_search', { query: { ids: { values: ['3'] } } }],
  ['GET', '/logs-1/_doc/1'],
  ['GET', '/logs-1/_doc/3'],
  ['GET', '/logs-1/_source/1'],
  ['GET', '/logs-1/_source/3'],
  ['POST', '/logs-1/_mget', { ids: ['1', '2', '3'] }],
  ['POST', '/logs-1/_explain/3', { query: { match_all: {} } }],
  ['POST', '/logs-1/_explain/1?_source=true', { query: { match_all: {} } }],
  ['GET', '/logs-1/_termvectors/3?fields=*'],
  ['GET', '/logs-1/_termvectors/1?fields=*&term_statistics=true'],
  ['POST', '/logs-1/_terms_enum', { field: 'team' }],
  ['POST', '/logs-1/_terms_enum', { field: 'secret' }],
  ['POST', '/logs-1/_search?search_type=dfs_query_then_fetch', { query: { match: { text: 'quick' } } }],
];

test('no answer holds a hidden document or field', async () => {
  for (const [method, target, sent] of CURIOUS) {
    const { status, body: answer } = await limited(method, target, sent);
    assert.equal(
      status,
      /_(doc|source|explain)\/3$/.test(target) ? 404 : 200,
      `${method} ${target} ${JSON.stringify(answer)}`,
    );
    assert.doesNotMatch(JSON.stringify(answer), HIDDEN, `${method} ${target} ${JSON.stringify(sent)}`);
  }
  for (const target of ['/logs-1/_mapping', '/logs-1', '/logs-1/_mapping/field/*', '/logs-1/_field_caps?fields=*']) {
    assert.doesNotMatch(JSON.stringify((await limited('GET', target)).body), /"secret"|everything"|hidden/, target);
  }
});

test('counts are those of the visible documents', async () => {
  assert.equal((await limited('GET', '/logs-1/_count')).body.count, 2);
  assert.equal((await limited('GET', '/logs-1/_search?size=0&track_total_hits=true')).body.hits.total.value, 2);
  assert.equal((await reader('GET', '/logs-1/_search?size=0&track_total_hits=true')).body.hits.total.value, 3);
  assert.equal((await limited('GET', '/logs-1/_search?size=0&track_total_hits=true')).body.hits.total.value, 2);
  const { body } = await limited('GET', '/_cat/count/logs-1?format=json');
  assert.equal(body[0].count, '2');
});

test('what would tell of hidden documents otherwise is refused', async () => {
  const refused = async (method, target, body) => {
    const answer = await limited(method, target, body);
    assert.deepEqual([answer.status, answer.body.error.type], [400, 'security_exception'], `${method} ${target}`);
  };
  await refused('POST', '/logs-1/_search', { suggest: { s: { text: 'quik', term: { field: 'text' } } } });
  await refused('POST', '/logs-1/_search', { profile: true });
  await refused('POST', '/logs-1/_update/1', { doc: { n: 9 } });
  await refused('PUT', '/logs-1/_alias/logs-mine');
  await refused('PUT', '/logs-1/_clone/logs-copy');
});

test('scrolls and points in time are of no use to others', async () => {
  const { body: page } = await reader('POST', '/logs-1/_search?scroll=1m', { size: 1 });
  assert.equal((await scroller('POST', '/_search/scroll', { scroll_id: page._scroll_id })).status, 404);
  assert.equal((await scroller('DELETE', '/_search/scroll', { scroll_id: page._scroll_id })).body.num_freed, 0);
  const next = { scroll_id: page._scroll_id, scroll: '1m' };
  assert.equal((await reader('POST', '/_search/scroll', next)).status, 200);
  assert.equal((await scroller('DELETE', '/_search/scroll/_all')).status, 403);
  // One context for each of the two shards, as in 8.12.
  assert.equal((await reader('DELETE', '/_search/scroll', { scroll_id: page._scroll_id })).body.num_freed, 2);
  const { body: pit } = await limited('POST', '/logs-1/_pit?keep_alive=1m');
  assert.equal((await scroller('POST', '/_search', { pit: { id: pit.id } })).status, 404);
  assert.equal((await scroller('DELETE', '/_pit', { id: pit.id })).body.num_freed, 0);
  const { body: found } = await limited('POST', '/_search', { pit: { id: pit.id } });
  assert.equal(found.hits.hits.length, 2);
  assert.doesNotMatch(JSON.stringify(found), HIDDEN);
  assert.ok((await limited('DELETE', '/_pit', { id: pit.id })).body.num_freed > 0);
});

test('writers make and fill what their privileges name, nothing else', async () => {
  assert.equal((await writer('POST', '/made-1/_doc', { a: 1 })).status, 403);
  await user('writer', [{ names: ['made-*'], privileges: ['create_doc', 'auto_configure'] }]);
  assert.equal((await writer('POST', '/made-1/_doc', { a: 1 })).status, 201);
  assert.equal((await writer('PUT', '/made-1/_create/1', { a: 1 })).status, 201);
  assert.equal((await writer('PUT', '/made-1/_doc/1', { a: 2 })).status, 403);
  assert.equal((await writer('DELETE', '/made-1/_doc/1')).status, 403);
  assert.equal((await writer('GET', '/made-1/_doc/1')).status, 403);
  assert.equal((await writer('PUT', '/made-2')).status, 403);
});

test('managers see and change their indices only', async () => {
  const { body } = await manager('GET', '/_cat/indices?format=json');
  assert.deepEqual(
    body.map(({ index }) => index),
    ['logs-1'],
  );
  assert.deepEqual(Object.keys((await manager('GET', '/_stats')).body.indices), ['logs-1']);
  assert.deepEqual(Object.keys((await manager('GET', '/_mapping')).body), ['logs-1']);
  assert.deepEqual((await manager('GET', '/_resolve/index/*')).body.aliases, []);
  assert.equal((await manager('DELETE', '/other')).status, 403);
  assert.equal(
    (await manager('POST', '/_aliases', { actions: [{ add: { index: 'other', alias: 'logs-x' } }] })).status,
    403,
  );
  assert.equal(
    (await manager('POST', '/_aliases', { actions: [{ add: { index: 'logs-1', alias: 'elsewhere' } }] })).status,
    403,
  );
  assert.equal((await manager('POST', '/_aliases', { actions: [{ remove_index: { index: 'other' } }] })).status, 403);
  assert.equal((await manager('PUT', '/logs-2', { aliases: { elsewhere: {} } })).status, 403);
  assert.equal((await manager('PUT', '/logs-1/_clone/elsewhere')).status, 403);
  assert.equal((await manager('GET', '/logs-1/_search')).status, 403);
  assert.equal((await manager('PUT', '/_cluster/settings', { persistent: {} })).status, 403);
});

test('another name for an index opens nothing that its own name does not', async () => {
  await user('widener', [
    { names: ['logs-*'], privileges: ['manage'] },
    { names: ['mine-*'], privileges: ['all'] },
  ]);
  const widener = as('widener');
  const refused = async (method, target, body, reason) => {
    const answer = await widener(method, target, body);
    assert.deepEqual([answer.status, answer.body.error?.type], [403, 'security_exception'], `${method} ${target}`);
    assert.match(answer.body.error.reason, reason);
  };
  await refused(
    'PUT',
    '/logs-1/_alias/mine-1',
    undefined,
    /^Adding an alias is not allowed when the alias has more permissions than any of the indices$/,
  );
  await refused(
    'POST',
    '/_aliases',
    { actions: [{ add: { indices: ['logs-*'], aliases: ['logs-too', 'mine-1'] } }] },
    /^Adding an alias is not allowed/,
  );
  await refused(
    'PUT',
    '/logs-1/_clone/mine-1',
    undefined,
    /^Resizing an index is not allowed when the target index has more permissions than the source index$/,
  );
  await refused('PUT', '/logs-1/_clone/logs-9', { aliases: { 'mine-1': {} } }, /^Resizing an index is not allowed/);
  assert.equal((await widener('PUT', '/logs-1/_alias/logs-too')).status, 200);
  assert.equal(
    (await widener('PUT', '/mine-000001', { aliases: { 'mine-way': {} }, settings: { 'index.number_of_replicas': 0 } }))
      .status,
    200,
  );
  await refused(
    'POST',
    '/mine-way/_rollover',
    { aliases: { 'blue-only': { is_write_index: true } } },
    /^action \[indices:admin\/aliases\] is unauthorized .* on indices \[blue-only\]/,
  );
  assert.equal((await widener('PUT', '/mine-000001/_block/write')).status, 200);
  await refused('PUT', '/mine-000001/_clone/mine-copy', { aliases: { 'blue-only': {} } }, /on indices \[blue-only\]/);
  assert.equal((await widener('PUT', '/mine-000001/_clone/mine-copy', { aliases: { 'mine-too': {} } })).status, 200);
  assert.equal((await widener('POST', '/mine-way/_rollover', { aliases: { 'mine-too': {} } })).body.rolled_over, true);
  await call(node, 'DELETE', '/logs-1/_alias/logs-too');
});

test('a snapshot gives restricted indices to who may change roles only, whatever they are to be called', async () => {
  assert.equal((await call(node, 'POST', '/_security/api_key', { name: 'kept' })).status, 200);
  assert.equal(
    (await call(node, 'PUT', '/_snapshot/backups', { type: 'fs', settings: { location: backups } })).status,
    200,
  );
  assert.equal(
    (await call(node, 'PUT', '/_snapshot/backups/all?wait_for_completion=true')).body.snapshot.state,
    'SUCCESS',
  );
  await user('keeper', [{ names: ['*'], privileges: ['all'] }], ['manage']);
  const { body } = await as('keeper')('POST', '/_snapshot/backups/all/_restore?wait_for_completion=true', {
    indices: ['.security-7', 'other'],
    rename_pattern: '^',
    rename_replacement: 'restored-',
    include_aliases: false,
  });
  assert.deepEqual(body.snapshot.indices, ['restored-other']);
  assert.equal((await call(node, 'DELETE', '/restored-other')).status, 200);
});

test('who has no privileges learns nothing from names', async () => {
  for (const target of [
    '/logs-1',
    '/gone',
    '/_cat/indices',
    '/_cluster/state',
    '/_security/user',
    '/_nodes',
    '/_snapshot',
  ])
    assert.equal((await nothing('GET', target)).status, 403, target);
  assert.deepEqual((await nothing('GET', '/_security/user/_privileges')).body, {
    cluster: [],
    global: [],
    indices: [],
    applications: [],
    run_as: [],
  });
});

test('what the security layer keeps is in no state', async () => {
  const { body } = await call(node, 'GET', '/_cluster/state');
  assert.doesNotMatch(JSON.stringify(body), /scrypt|securityUsers|securityRoles/);
});

/** Rows of a point in time: `[layout, [[index, uuid, shard, node, reader, filter, boost, shards]]]`. */
test('a point in time that was tampered with shows no more than it did', async () => {
  const { decodeValue, encodeValue } = await import('@shoal/codec');
  const open = async (who, target) => (await who('POST', `/${target}/_pit?keep_alive=1m`)).body.id;
  const change = (id, edit) => {
    const [layout, rows] = decodeValue(Buffer.from(id, 'base64url'));
    return Buffer.from(encodeValue([layout, rows.map(edit)])).toString('base64url');
  };
  const unfiltered = change(await open(shopper, 'blue-only'), (row) => row.with(5, null));
  const { body: found } = await shopper('POST', '/_search', { pit: { id: unfiltered } });
  assert.deepEqual(ids({ body: found }), ['other/3']);
  const foreign = decodeValue(Buffer.from(await open(reader, 'logs-1'), 'base64url'))[1];
  const stolen = change(await open(limited, 'logs-1'), (row, i) => row.with(4, foreign[i][4]));
  assert.equal((await limited('POST', '/_search', { pit: { id: stolen } })).status, 404);
  assert.equal(
    (
      await limited('POST', '/_search', {
        pit: { id: await open(limited, 'logs-1') },
        suggest: { s: { text: 'quik', term: { field: 'text' } } },
      })
    ).status,
    400,
  );
  const bare = change(await open(limited, 'logs-1'), (row) => row.with(4, null));
  assert.equal((await limited('POST', '/_search', { pit: { id: bare } })).status, 400);
  const elsewhere = change(await open(limited, 'logs-1'), (row) => row.with(1, 'other'));
  assert.notEqual((await limited('POST', '/_search', { pit: { id: elsewhere } })).status, 200);
});
