// Requests about runtime fields without scripts; runtime-fields.json has the answers of Elasticsearch 8.12
// (record-runtime-fields.mjs).
const runtime = {
  k: { type: 'keyword' },
  l: { type: 'long' },
  d: { type: 'double' },
  b: { type: 'boolean' },
  t: { type: 'date' },
  day: { type: 'date', format: 'yyyy/MM/dd' },
  i: { type: 'ip' },
  g: { type: 'geo_point' },
  'n.x': { type: 'long' },
  'u.v': { type: 'long' },
  id: { type: 'keyword' },
};
const properties = {
  id: { type: 'long' },
  m: { type: 'keyword' },
  n: { type: 'nested', properties: { y: { type: 'long' } } },
};
const documents = [
  {
    ...{ id: 1, m: 'x', k: 'a', l: 1, d: 1.5, b: true, t: '2020-01-01', i: '10.0.0.1', g: { lat: 1, lon: 2 } },
    ...{
      n: [
        { x: 1, y: 1 },
        { x: 2, y: 2 },
      ],
      day: '2020/01/02',
      u: { v: 4 },
    },
  },
  {
    ...{ id: 2, m: 'y', k: ['b', 'a', null, 3, true, { z: 1 }], l: ['7', 'x', 2.7, 7, '5.5', true, 1e30, { a: 1 }] },
    ...{ d: ['1e3', 2, 'no'], b: ['false', 'yes', true, true, '', 0], i: ['::1', 'zz', '1.2.3.4', 5] },
    ...{
      t: ['bad', 0, '2021-05-05T10:00:00.123456Z', '1577836800000'],
      g: [
        [3, 4],
        [5, 6],
      ],
    },
    ...{ day: ['2020-01-01', '2021/01/02'], 'u.v': [9, 8] },
  },
  { id: 3, m: 'x' },
  { id: 4, k: '', l: null, d: null, b: null, t: 1577836800000, i: '', g: '1,2', n: { x: 5 } },
  { id: 5, m: 'y', k: [[], ['q', ['p']]], l: '', d: '', b: '', t: '', g: [7, 8], u: [{ v: 1 }, { v: [3, 2] }] },
];

/** Requests that make the indices: [method, path, body]. */
export const SETUP = [
  ['PUT', '/computed', { settings: { number_of_replicas: 0 }, mappings: { dynamic: false, runtime, properties } }],
  ...documents.map((document, i) => ['PUT', `/computed/_doc/${i + 1}`, document]),
  ['POST', '/computed/_refresh'],
  [
    'PUT',
    '/found',
    {
      settings: { number_of_replicas: 0, 'index.mapping.total_fields.limit': 30 },
      mappings: {
        dynamic: 'runtime',
        dynamic_templates: [
          { addresses: { match: 'ip_*', runtime: { type: 'ip' } } },
          { counts: { match_mapping_type: 'long', match: 'm_*', mapping: { type: 'integer' } } },
          { any: { match: 'any_*', runtime: {} } },
        ],
        properties: { st: { type: 'object', dynamic: 'strict' }, o: { type: 'object', dynamic: true } },
      },
    },
  ],
];

const search = (body) => ['POST', '/computed/_search', { _source: false, ...body }];
const query = (clause) => search({ query: clause, sort: ['_doc'], track_scores: true });
const refused = (mappings) => ['PUT', '/refused', { mappings }];
const all = Object.keys(runtime);

const CONDITIONS = [
  ...['a', '', 'true', '3'].map((k) => ({ term: { k } })),
  { term: { k: { value: 'A', case_insensitive: true, boost: 3 } } },
  { terms: { k: ['b', 'p'] } },
  { match: { k: { query: 'aa', fuzziness: 1, boost: 2 } } },
  { match_bool_prefix: { k: 'a' } },
  { match_phrase_prefix: { k: 'a' } },
  { prefix: { k: 't' } },
  { wildcard: { k: '?' } },
  { regexp: { k: '[ab]' } },
  { fuzzy: { k: 'truu' } },
  { range: { k: { gt: 'a', lte: 'p' } } },
  { range: { k: { gt: 'a' } } },
  ...[1, 2, '7', 2.5, 'x'].map((l) => ({ term: { l } })),
  { terms: { l: [5, 1] } },
  { range: { l: { gt: 1, lt: 5.5 } } },
  { prefix: { l: '1' } },
  { match: { l: '7' } },
  { range: { d: { gte: 1.5, lt: 1000 } } },
  { term: { d: 2 } },
  ...[true, 'false', 'x', 1].map((b) => ({ term: { b } })),
  { terms: { b: [true, false] } },
  ...[{ gte: false }, { lte: true }, { gt: false, lte: true }, { lt: true }, { gte: true }].map((b) => ({
    range: { b },
  })),
  { term: { t: '2020' } },
  { term: { t: '2021' } },
  { range: { t: { gte: '2020', lt: '2021' } } },
  { range: { t: { gte: '2020-01-01||/y', time_zone: '+01:00' } } },
  { range: { day: { gte: '2020/01/01' } } },
  { range: { day: { gte: '2020-01-01' } } },
  { term: { i: '10.0.0.0/8' } },
  { terms: { i: ['::1', '10.0.0.1'] } },
  { range: { i: { gte: '1.0.0.0', lt: '10.0.0.0' } } },
  { geo_distance: { g: '1,2', distance: '10km' } },
  { geo_bounding_box: { g: { top: 7, left: 4, bottom: 5, right: 8 } } },
  { term: { g: '1,2' } },
  ...[...all, 'u', 'n'].map((field) => ({ exists: { field } })),
  { term: { 'n.x': 5 } },
  { nested: { path: 'n', query: { term: { 'n.x': 1 } } } },
  { term: { id: '2' } },
  { query_string: { query: 'id:2 OR k:(p AND q)' } },
  { simple_query_string: { query: 'a', fields: ['k', 'm'] } },
  { multi_match: { query: 'a', fields: ['k', 'l'], lenient: true } },
  { bool: { must: [{ term: { m: 'y' } }], must_not: [{ exists: { field: 'd' } }], should: [{ term: { k: 'q' } }] } },
  { terms_set: { k: { terms: ['a', 'b', 'q'], minimum_should_match_field: 'l' } } },
  { function_score: { query: { exists: { field: 'l' } }, field_value_factor: { field: 'l' }, boost_mode: 'replace' } },
  { distance_feature: { field: 't', origin: '2020-01-01', pivot: '1d' } },
  { intervals: { k: { match: { query: 'a' } } } },
  { combined_fields: { query: 'a', fields: ['k'] } },
];

const SORTS = [
  ...['k', 'l', 'd', 'b', 't', 'i', 'id', 'u.v', 'day'].flatMap((field) => [
    [{ [field]: 'asc' }, '_doc'],
    [{ [field]: { order: 'desc', missing: '_first' } }, '_doc'],
  ]),
  [{ l: { order: 'desc', mode: 'avg' } }],
  [{ t: { order: 'asc', format: 'yyyy' } }],
  ['n.x'],
  [{ k: { order: 'asc', missing: 'aa' } }],
];

const AGGREGATIONS = {
  ...Object.fromEntries(
    ['k', 'l', 'd', 'b', 'i', 'n.x', 'id'].map((field) => [`terms ${field}`, { terms: { field } }]),
  ),
  stats: { stats: { field: 'l' } },
  max: { max: { field: 't' } },
  years: { date_histogram: { field: 't', calendar_interval: 'year', min_doc_count: 1 } },
  steps: { histogram: { field: 'd', interval: 10, min_doc_count: 1 } },
  parts: { range: { field: 'l', ranges: [{ to: 5 }, { from: 5 }] } },
  days: { date_range: { field: 'day', ranges: [{ from: '2020/06/01' }] } },
  bounds: { geo_bounds: { field: 'g' } },
  tiles: { geotile_grid: { field: 'g', precision: 4 } },
  distinct: { cardinality: { field: 'k' } },
  lacking: { missing: { field: 'k' } },
  found: { filter: { range: { l: { gte: 5 } } }, aggs: { k: { terms: { field: 'k' } } } },
  inside: { nested: { path: 'n' }, aggs: { x: { terms: { field: 'n.x' } } } },
  everything: { global: {}, aggs: { k: { terms: { field: 'k', order: { _key: 'desc' }, missing: 'none' } } } },
  pages: { composite: { sources: [{ k: { terms: { field: 'k' } } }, { l: { terms: { field: 'l' } } }] } },
  best: { top_hits: { sort: [{ l: 'desc' }], size: 1, _source: false, docvalue_fields: ['k'] } },
};

/** Requests in their order: [method, path, body]. */
export const REQUESTS = [
  ...CONDITIONS.map(query),
  ...SORTS.map((sort) => search({ sort })),
  ...Object.entries(AGGREGATIONS).flatMap(([name, aggregation]) => [
    search({ size: 0, aggs: { [name]: aggregation } }),
    search({ size: 0, query: { term: { m: 'y' } }, aggs: { [name]: aggregation } }),
  ]),
  search({ fields: all, docvalue_fields: all.filter((field) => field !== 'g') }),
  search({ fields: [{ field: 't', format: 'yyyy' }, { field: 'l', format: '0.0' }, 'u.*'], sort: ['id'] }),
  search({ stored_fields: ['id', 'k'], docvalue_fields: [{ field: 'day', format: 'yyyy' }, 'g'] }),
  search({ collapse: { field: 'k' } }),
  search({ query: { term: { k: 'a' } }, highlight: { fields: { k: {} } }, post_filter: { term: { l: 7 } } }),
  search({ query: { term: { k: { value: 'a', boost: 2 } } }, explain: true, sort: ['_doc'], size: 1 }),
  search({ size: 1, sort: ['l'], search_after: [1] }),
  search({
    runtime_mappings: { m: { type: 'long' }, z: { type: 'long' }, l: { type: 'keyword' } },
    fields: ['l', 'm'],
  }),
  search({ runtime_mappings: { r: { type: 'foo' } } }),
  search({ runtime_mappings: { r: null } }),
  search({ runtime_mappings: { r: { type: 'long', zz: 1 } } }),
  search({ runtime_mappings: { r: { type: 'composite' } } }),
  search({ runtime_mappings: [] }),
  ['POST', '/computed/_count', { query: { term: { k: 'a' } } }],
  ['POST', '/computed/_count', { query: { term: { l: 1 } }, runtime_mappings: { l: { type: 'long' } } }],
  ['GET', `/computed/_field_caps?fields=${all.join()},m`],
  ['POST', '/computed/_field_caps?fields=l,q', { runtime_mappings: { q: { type: 'long' }, l: { type: 'ip' } } }],
  ['GET', '/computed/_mapping'],
  ['GET', '/computed/_mapping/field/k,id'],
  ['PUT', '/computed/_mapping', { runtime: { k: null, l: { type: 'keyword' }, q: { type: 'boolean' } } }],
  ['GET', '/computed/_mapping'],
  search({ query: { term: { k: 'a' } }, sort: ['l'] }),
  [
    'PUT',
    '/found/_doc/1?refresh',
    {
      ...{ s: 'x', l: 1, f: 1.5, b: true, d: '2020-01-01', d2: '2020/01/01', obj: { p: { q: 'z' }, r: [1, 2] } },
      ...{ ip_a: '1.2.3.4', m_x: 3, any_s: 's', any_l: 3, any_o: { z: 1 }, e: {}, arr: [{ w: 1 }, { w: 2 }] },
      ...{ o: { n: 1 }, nul: null, 'a.b.c': 'dd', big: [], mixed: [1, 2.5] },
    },
  ],
  ['PUT', '/found/_doc/2?refresh', { s: 5, l: 'abc', d: 'hello', 's.sub': 5 }],
  ['GET', '/found/_mapping'],
  ['POST', '/found/_search', { sort: 'l', _source: false, fields: ['*'] }],
  ['PUT', '/found/_doc/3', { st: { zz: 1 } }],
  ['PUT', '/found/_mapping', { runtime: { 'st.zz': { type: 'long' } } }],
  ['PUT', '/found/_doc/3', { st: { zz: [1] } }],
  ['PUT', '/found/_doc/4', Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`new${i}`, i]))],
  refused({ runtime: { k: { type: 'foo' } } }),
  refused({ runtime: { k: {} } }),
  refused({ runtime: { k: 'x' } }),
  refused({ runtime: [] }),
  refused({ runtime: { k: { type: 'keyword', foo: 1 } } }),
  refused({ runtime: { k: { type: 'long', format: 'yyyy' } } }),
  refused({ runtime: { k: { type: 'composite' } } }),
  refused({ runtime: { k: { type: 'keyword', on_script_error: 'foo' } } }),
  refused({ runtime: { k: { type: 'keyword', on_script_error: 'continue' } } }),
  refused({ dynamic_templates: [{ t: { match: 'ip_*', runtime: { type: 'foo' } } }] }),
  refused({ dynamic_templates: [{ t: { match_mapping_type: 'object', runtime: {} } }] }),
  refused({ dynamic_templates: [{ t: { match_mapping_type: 'string', runtime: { type: 'keyword', zz: 1 } } }] }),
];

/** What of answers is not compared: it differs from run to run, or names nodes. */
const LEFT_OUT = new Set(['took', '_shards', 'node', '_node', 'index_uuid']);

/** Returns the part of an answer that is compared. Keys are in one order: that of `fields` is a HashMap's in 8.12. */
export function compared(value) {
  if (Array.isArray(value)) return value.map(compared);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, own]) => [key, compared(own)]));
}
