// Reading calls beside _search: documents by id, counts, explanations, term vectors, analysis, capabilities of fields.
import { text } from '../fields.mjs';
import { query, queryString } from './queries.mjs';

const id = (r) => r.pick(['0', '1', '2', '3', '99']);
const at = (r, world) => r.pick(world.names);
const sourceParameters = (r) =>
  r.options(
    {
      _source: () => r.pick(['false', 'true', 'k', 't,n.k']),
      _source_includes: () => 'k,n.*',
      _source_excludes: () => 't',
      stored_fields: () => r.pick(['k', 't,k', '_none_', 'n.k']),
      realtime: () => 'false',
      refresh: () => 'true',
      routing: () => 'r1',
      version: () => r.pick(['1', '2']),
      version_type: () => r.pick(['external', 'internal', 'external_gte']),
      preference: () => '_local',
    },
    0.1,
  );

const get = (r, world) => ({
  method: r.pick(['GET', 'GET', 'HEAD']),
  path: `/${world.index}/${r.pick(['_doc', '_source'])}/${id(r)}`,
  query: sourceParameters(r),
});
function mget(r, world) {
  const doc = () => ({
    _id: id(r),
    ...r.options(
      {
        _index: () => r.pick([world.index, 'none']),
        _source: () => r.pick([false, ['k'], { include: ['t'] }]),
        stored_fields: () => ['k'],
        routing: () => 'r2',
        version: () => 1,
      },
      0.15,
    ),
  });
  const body = r.chance(0.3) ? { ids: r.list(0, 3, () => id(r)) } : { docs: r.list(0, 3, doc) };
  return {
    method: 'POST',
    path: `/${world.index}/_mget`,
    query: r.options({ _source: () => 'false', stored_fields: () => 'k', realtime: () => 'false' }, 0.1),
    body,
  };
}
const count = (r, world) => ({
  method: 'POST',
  path: `/${at(r, world)}/_count`,
  query: r.options({ min_score: () => '0.5', terminate_after: () => '1000' }, 0.1),
  body: { query: query(r, world) },
});
const explain = (r, world) => ({
  method: 'POST',
  path: `/${world.index}/_explain/${id(r)}`,
  query: r.options({ _source: () => 'k', stored_fields: () => 'k' }, 0.1),
  body: { query: query(r, world, null, 1) },
});
const validate = (r, world) => ({
  method: 'POST',
  path: `/${at(r, world)}/_validate/query`,
  query: r.options({ explain: () => 'true', rewrite: () => 'true', all_shards: () => 'true' }, 0.3),
  body: { query: query(r, world, null, 1) },
});
function fieldCaps(r, world) {
  const fields = r.pick(['*', 't*,k', 'n.*', 'date', '_id,_index', 'missing', 'o*', '*.k']);
  const more = r.options(
    {
      include_unmapped: () => 'true',
      filters: () => r.pick(['-metadata', '-nested', '-parent', '-multifield', '+metadata']),
      types: () => r.pick(['keyword', 'long,text', 'object']),
      include_empty_fields: () => 'true',
    },
    0.15,
  );
  delete more.include_empty_fields;
  const body = r.options(
    { index_filter: () => r.pick([{ match_all: {} }, { range: { date: { gte: '2030-01-01' } } }]) },
    0.1,
  );
  return {
    method: 'POST',
    path: `/${at(r, world)}/_field_caps`,
    query: { fields, ...more },
    ...(Object.keys(body).length > 0 ? { body } : {}),
  };
}
function termVectors(r, world) {
  const more = r.options(
    {
      offsets: () => false,
      positions: () => false,
      payloads: () => true,
      term_statistics: () => true,
      field_statistics: () => false,
      realtime: () => false,
      filter: () => ({
        max_num_terms: 3,
        ...r.options({ min_term_freq: () => 1, min_word_length: () => 3, min_doc_freq: () => 1 }),
      }),
      per_field_analyzer: () => ({ t: 'whitespace' }),
    },
    0.2,
  );
  const fields = r.options({ fields: () => r.several(['t', 'u', 'k', 'all', 't.kw', 'o.t'], 2) }, 0.7);
  if (r.chance(0.25))
    return {
      method: 'POST',
      path: `/${world.index}/_termvectors`,
      body: { doc: { t: text(r), k: 'a' }, ...fields, ...more },
    };
  delete more.per_field_analyzer;
  if (r.chance(0.2))
    return {
      method: 'POST',
      path: `/${world.index}/_mtermvectors`,
      body: { docs: r.list(1, 2, () => ({ _id: id(r), ...fields, ...more })) },
    };
  return { method: 'POST', path: `/${world.index}/_termvectors/${id(r)}`, body: { ...fields, ...more } };
}
const TEXTS = [
  'The quick brown Foxes',
  "o'neil's wi-fi e.mail 3.14 x_y",
  ['a b', 'c d'],
  '',
  'über ÄRGER 漢字 テスト 😀 done',
  'THE not the',
];
function analyze(r, world) {
  const how = r.weighted([
    [3, { analyzer: r.pick(['standard', 'simple', 'whitespace', 'stop', 'keyword', 'own', 'default']) }],
    [3, { field: r.pick(world.fields).path }],
    [1, { normalizer: 'lower' }],
    [
      2,
      {
        tokenizer: 'standard',
        filter: r.several(
          [
            'lowercase',
            'stop',
            'shingle',
            'no_the',
            { type: 'stop', stopwords: ['a'] },
            { type: 'shingle', max_shingle_size: 3 },
          ],
          2,
        ),
      },
    ],
    [1, {}],
  ]);
  return {
    method: 'POST',
    path: `/${world.index}/_analyze`,
    body: { text: r.pick(TEXTS), ...how, ...r.options({ explain: () => true, attributes: () => ['keyword'] }, 0.15) },
  };
}
const META = [
  ...['_mapping', '_settings', '_alias', '_settings/index.number*', '_mapping/field/t*,k', '_mapping/field/*', ''],
  '_search_shards',
];
const meta = (r, world) => ({
  method: 'GET',
  path: `/${at(r, world)}/${r.pick(META)}`,
  query: r.options({ flat_settings: () => 'true', expand_wildcards: () => 'open', local: () => 'true' }, 0.06),
});
function profile(r, world) {
  return {
    method: 'POST',
    path: `/${world.index}/_search`,
    body: { profile: true, size: 0, query: query(r, world, null, 1) },
  };
}
const deepExplain = (r, world) => ({
  method: 'POST',
  path: `/${world.index}/_search`,
  body: { explain: true, size: 3, _source: false, query: { bool: { must: query(r, world, null, 0) } } },
});
const filtered = (r, world) => ({
  method: 'POST',
  path: `/${world.index}/_search`,
  query: {
    filter_path: r.pick([
      'hits.total',
      'hits.hits._id',
      '**._id',
      '-hits.hits',
      'hits.*,-hits.max_score',
      'took,_shards.*',
    ]),
  },
  body: { query: query(r, world, null, 0) },
});
const rankEval = (r, world) => ({
  method: 'GET',
  path: `/${world.index}/_search`,
  query: { size: '0', q: queryString(r, world), lenient: 'true' },
});

const CALLS = [
  [4, get],
  [3, mget],
  [3, count],
  [3, explain],
  [3, validate],
  [3, fieldCaps],
  [3, termVectors],
  [4, analyze],
  [4, meta],
  [2, deepExplain],
  [2, filtered],
  [1, profile],
  [1, rankEval],
];

/** One call that reads. */
export const readRequest = (r, world) => [r.weighted(CALLS)(r, world)];
