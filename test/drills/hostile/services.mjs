// Attacks on services that work upon documents: enrich policies, transforms, results of machine learning, quarantines,
// snapshots and restores; and by users with few privileges on a secured node.
import { temporaryFolder } from '../../node-process.mjs';
import { answerOf } from './send.mjs';

const KB = 1024;
const NDJSON = { 'content-type': 'application/x-ndjson' };
const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const lines = (values) => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
const textOf = (body) => (body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body));

const SECRET = 'elastic-secret';
const ADMIN = { authorization: `Basic ${Buffer.from(`elastic:${SECRET}`).toString('base64')}` };
const as = (user) => ({ authorization: `Basic ${Buffer.from(`${user}:long-enough`).toString('base64')}` });
const backups = temporaryFolder('hostile-backups');

/** Settings of the node of these attacks: a snapshot repository, security. */
const SETTINGS = Object.freeze({ 'path.repo': backups, 'xpack.security.enabled': true });

const ONE = { number_of_shards: 1, number_of_replicas: 0 };
const ROLES = {
  limited: {
    indices: [
      {
        names: ['docs'],
        privileges: ['read', 'view_index_metadata'],
        query: JSON.stringify({ bool: { should: list(500, (i) => ({ term: { k: `key${i}` } })) } }),
        field_security: { grant: ['*'], except: ['secret*'] },
      },
    ],
  },
  nothing: { indices: [{ names: ['mine'], privileges: ['read'] }] },
};

async function fill(call) {
  const properties = {
    k: { type: 'keyword' },
    n: { type: 'long' },
    when: { type: 'date' },
    secret: { type: 'keyword' },
  };
  await call('PUT', '/docs', { settings: ONE, mappings: { properties } });
  for (let part = 0; part < 5; part++)
    await call(
      'POST',
      '/docs/_bulk',
      lines(
        list(4_000, (i) => [
          { index: {} },
          { k: `key${part * 4_000 + i}`, n: i, when: 1.6e12 + i * 60_000, secret: `s${i}` },
        ]).flat(),
      ),
    );
  await call('PUT', '/ranges', { settings: ONE, mappings: { properties: { r: { type: 'long_range' } } } });
  await call(
    'POST',
    '/ranges/_bulk',
    lines(list(5_000, (i) => [{ index: {} }, { r: { gte: 0, lte: 1e6 }, v: `v${i}` }]).flat()),
  );
  await call('POST', '/_refresh');
  const match = { indices: 'docs', match_field: 'k', enrich_fields: ['n', 'when'] };
  await call('PUT', '/_enrich/policy/by-key', { match });
  await call('PUT', '/_enrich/policy/by-range', {
    range: { indices: 'ranges', match_field: 'r', enrich_fields: ['v'] },
  });
  for (const name of ['by-key', 'by-range']) await call('PUT', `/_enrich/policy/${name}/_execute`);
  const enriching = (policy_name, more) => ({
    processors: [{ enrich: { policy_name, field: 'a', target_field: 'b', ...more } }],
  });
  await call('PUT', '/_ingest/pipeline/by-key', enriching('by-key', { max_matches: 128 }));
  await call('PUT', '/_ingest/pipeline/by-range', enriching('by-range', { max_matches: 128 }));
  const refusing = {
    settings: { ...ONE, 'index.shoal.quarantine': true },
    mappings: { properties: { n: { type: 'integer' } } },
  };
  await call('PUT', '/refusing', refusing);
  await call('PUT', '/_snapshot/store', { type: 'fs', settings: { location: backups } });
  await call('PUT', '/_snapshot/store/first?wait_for_completion=true', { indices: 'docs,ranges' });
  for (const [name, role] of Object.entries(ROLES)) {
    await call('PUT', `/_security/role/${name}`, role);
    await call('PUT', `/_security/user/${name}`, { password: 'long-enough', roles: [name] });
  }
}

const of = (method, path, body, headers = {}) => ({ method, path, body, headers: { ...ADMIN, ...headers } });
const byUser = (user, method, path, body, headers = {}) => ({
  method,
  path,
  body,
  headers: { ...as(user), ...headers },
});
const pivot = (group_by, aggregations) => ({
  source: { index: 'docs' },
  dest: { index: 'pivoted' },
  pivot: { group_by, aggregations },
});
const K = { k: { terms: { field: 'k' } } };

const ENRICH = {
  'policy executed over 20,000 documents': of('PUT', '/_enrich/policy/by-key/_execute'),
  'bulk of 5,000 documents with a policy': of(
    'POST',
    '/enriched/_bulk?pipeline=by-key',
    () => lines(list(5_000, (i) => [{ index: {} }, { a: `key${i}` }]).flat()),
    NDJSON,
  ),
  'bulk of 500 documents that 5,000 ranges match': of(
    'POST',
    '/enriched/_bulk?pipeline=by-range',
    () => lines(list(500, (i) => [{ index: {} }, { a: i }]).flat()),
    NDJSON,
  ),
  'values by the thousand in a field': of(
    'POST',
    '/enriched/_bulk?pipeline=by-key',
    () => lines(list(20, () => [{ index: {} }, { a: list(5_000, (i) => `key${i}`) }]).flat()),
    NDJSON,
  ),
  'policies by the hundred, _stats and _cat': of('GET', '/_enrich/policy,by-*,*'),
};

const TRANSFORMS = {
  'preview of a pivot by each document': of('POST', '/_transform/_preview', () =>
    pivot(K, { n: { sum: { field: 'n' } }, p: { percentiles: { field: 'n' } } }),
  ),
  'preview with a script that loops': of('POST', '/_transform/_preview', () =>
    pivot(K, {
      s: {
        scripted_metric: {
          init_script: 'state.n = 0',
          map_script: 'for (int i = 0; i < 900000; i++) { state.n += i }',
          combine_script: 'return state.n',
          reduce_script: 'return states.size()',
        },
      },
    }),
  ),
  'pivot of 1,000 aggregations': of('PUT', '/_transform/wide', () =>
    pivot(K, Object.fromEntries(list(1_000, (i) => [`a${i}`, { max: { field: 'n' } }]))),
  ),
  'transform over all, put': of('PUT', '/_transform/all', () => pivot(K, { n: { sum: { field: 'n' } } })),
  'transform over all, run': of('POST', '/_transform/all/_start'),
  'stats of all transforms': of('GET', '/_transform/_all/_stats?size=10000'),
  'latest by each document': of('POST', '/_transform/_preview', () => ({
    source: { index: 'docs' },
    dest: { index: 'latest' },
    latest: { unique_key: ['k', 'n'], sort: 'when' },
  })),
};

const RESULTS = {
  'a job': of('PUT', '/_ml/anomaly_detectors/one', () => ({
    analysis_config: { bucket_span: '1m', detectors: [{ function: 'mean', field_name: 'n', by_field_name: 'k' }] },
    data_description: { time_field: 'when' },
  })),
  'its opening': of('POST', '/_ml/anomaly_detectors/one/_open'),
  'data of 9 MB with 50,000 values of a field': of('POST', '/_ml/anomaly_detectors/one/_data', () =>
    lines(list(120_000, (i) => ({ when: 1.6e12 + i * 1000, n: i, k: `key${i % 50_000}` }))),
  ),
  'its flush': of('POST', '/_ml/anomaly_detectors/one/_flush'),
  'records, all': of('GET', '/_ml/anomaly_detectors/one/results/records?size=10000'),
  'buckets with all records': of('GET', '/_ml/anomaly_detectors/one/results/buckets?expand=true&size=10000'),
  'influencers of a page beyond all': of('GET', '/_ml/anomaly_detectors/*/results/influencers?from=9000&size=1000'),
  'overall buckets by the millisecond': of('POST', '/_ml/anomaly_detectors/*/results/overall_buckets', () => ({
    bucket_span: '1ms',
    top_n: 1_000_000,
  })),
  'a forecast of ten years': of('POST', '/_ml/anomaly_detectors/one/_forecast?duration=3650d'),
};

const QUARANTINE = {
  '20,000 refused documents': of(
    'POST',
    '/refusing/_bulk',
    () => lines(list(20_000, (i) => [{ index: {} }, { n: `x${i}`, text: 'y'.repeat(200) }]).flat()),
    NDJSON,
  ),
  'all entries': of('GET', '/refusing/_quarantine?size=10000'),
  'replay of all': of('POST', '/refusing/_quarantine/_replay'),
  'a document of 1 MB that is refused': of('POST', '/refusing/_doc', () => ({ n: 'x', text: 'y'.repeat(1024 * KB) })),
};

const rename = (rename_pattern, rename_replacement) => ({ indices: '*', rename_pattern, rename_replacement });
const RESTORES = {
  'renamed by an expression that backtracks': of('POST', '/_snapshot/store/first/_restore', () =>
    rename('(d+|o+|c+|s+)+(a+)+$', 'x'),
  ),
  'renamed by an expression of 60 KB': of('POST', '/_snapshot/store/first/_restore', () =>
    rename('(.)'.repeat(20_000), '$1'),
  ),
  'renamed to a name of 60 KB': of('POST', '/_snapshot/store/first/_restore', () =>
    rename('(.+)', '$1'.repeat(30_000)),
  ),
  'onto open indices': of('POST', '/_snapshot/store/first/_restore', () => ({ indices: 'docs' })),
  '500 indices that are not in it': of('POST', '/_snapshot/store/first/_restore', () => ({
    indices: list(500, (i) => `none-${i}*`),
  })),
  'settings of 1 MB': of('POST', '/_snapshot/store/first/_restore', () => ({
    indices: 'docs',
    ...{ rename_pattern: '(.+)', rename_replacement: 'again-$1' },
    index_settings: Object.fromEntries(list(20_000, (i) => [`index.a${i}`, 'x'.repeat(30)])),
  })),
  'the whole, waited for': of('POST', '/_snapshot/store/first/_restore?wait_for_completion=true', () =>
    rename('(.+)', 'copy-$1'),
  ),
  'snapshot whose name is 60 KB': of('PUT', `/_snapshot/store/${'a'.repeat(8 * KB)}`),
  'snapshots by 500 patterns': of('GET', `/_snapshot/store/${list(500, (i) => `f*${i}`)}`),
};

const search = (user, body) => byUser(user, 'POST', '/docs/_search', () => body);
const FEW_RIGHTS = {
  'search of all by one who sees a part': search('limited', { size: 10_000 }),
  'aggregations of what is hidden': search('limited', {
    size: 0,
    aggs: Object.fromEntries(list(300, (i) => [`a${i}`, { terms: { field: 'secret', size: 1000 } }])),
  }),
  'runtime fields of what is hidden': search('limited', {
    size: 100,
    runtime_mappings: { r: { type: 'keyword', script: { source: "emit(params._source.toString() + '')" } } },
    fields: ['r'],
  }),
  'names by the thousand, none allowed': byUser('nothing', 'GET', `/${list(400, (i) => `docs${i}`)}/_search`),
  'wildcards by the hundred, none allowed': byUser('nothing', 'GET', `/${list(400, (i) => `*o*${i}*`)}/_search`),
  'bulk into 100,000 names, none allowed': byUser(
    'nothing',
    'POST',
    '/_bulk',
    () => lines(list(100_000, (i) => [{ index: { _index: `no${i % 5000}` } }, { a: 1 }]).flat()),
    NDJSON,
  ),
  '_msearch of 5,000, none allowed': byUser(
    'nothing',
    'POST',
    '/_msearch',
    () => '{"index":"docs"}\n{}\n'.repeat(5_000),
    NDJSON,
  ),
  '_mget of 50,000, none allowed': byUser('nothing', 'POST', '/_mget', () => ({
    docs: list(50_000, (i) => ({ _index: 'docs', _id: `${i}` })),
  })),
  '_has_privileges of 5,000 names': byUser('nothing', 'POST', '/_security/user/_has_privileges', () => ({
    index: list(500, (i) => ({ names: list(10, (j) => `a${i}-${j}*`), privileges: ['read', 'write', 'manage'] })),
  })),
  '_has_privileges of patterns': byUser('limited', 'POST', '/_security/user/_has_privileges', () => ({
    index: [{ names: list(1000, (i) => `*${'a*'.repeat(20)}${i}`), privileges: ['read'] }],
  })),
  'update by query by one from whom fields are hidden': byUser('limited', 'POST', '/docs/_update_by_query', () => ({})),
  'restore, none allowed': byUser('nothing', 'POST', '/_snapshot/store/first/_restore', () => ({})),
  'transform, none allowed': byUser('nothing', 'PUT', '/_transform/mine', () =>
    pivot(K, { n: { sum: { field: 'n' } } }),
  ),
  'job, none allowed': byUser('nothing', 'POST', '/_ml/anomaly_detectors/one/_data', () =>
    lines(list(1000, (i) => ({ when: i }))),
  ),
  'quarantine, none allowed': byUser('nothing', 'GET', '/refusing/_quarantine'),
  'a role of 5,000 indices': of('PUT', '/_security/role/large', () => ({
    indices: list(5_000, (i) => ({ names: [`r${i}-*`], privileges: ['read'], query: `{"term":{"k":"${i}"}}` })),
  })),
  'a role of 9 MB of names': of('PUT', '/_security/role/huge', () => ({
    indices: [{ names: list(900_000, (i) => `r${i}-*`), privileges: ['read'] }],
  })),
  'a role of 1 MB of patterns': of('PUT', '/_security/role/wide', () => ({
    indices: [{ names: list(80_000, (i) => `*r${i}*`), privileges: ['read'] }],
  })),
  'a user of 1,000 roles': of('PUT', '/_security/user/many', () => ({
    password: 'long-enough',
    roles: ['large', ...list(1_000, (i) => `role${i}`)],
  })),
  'search by one of 5,000 grants': byUser('many', 'GET', '/r1-*,r2-*/_search'),
};

const filled = new WeakSet();

async function prepare(node) {
  if (filled.has(node)) return;
  filled.add(node);
  await fill(async (method, path, body) => {
    const headers = path.endsWith('_bulk') ? { ...ADMIN, ...NDJSON } : ADMIN;
    const { status, text } = await answerOf(node, method, path, textOf(body), headers);
    if (status > 299 || text.includes('"errors":true'))
      throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  });
}

const GROUPS = {
  enrich: ENRICH,
  transform: TRANSFORMS,
  results: RESULTS,
  quarantine: QUARANTINE,
  restore: RESTORES,
  rights: FEW_RIGHTS,
};

/** All attacks of this file. */
export const serviceAttacks = Object.entries(GROUPS).flatMap(([group, attacks]) =>
  Object.entries(attacks).map(([name, { method, path, body, headers }]) => ({
    name: `${group}: ${name}`,
    isLong: true,
    settings: SETTINGS,
    secret: SECRET,
    prepare,
    run: async (node) => [(await answerOf(node, method, path, textOf(body?.()), headers)).status],
  })),
);
