// Requests whose parts are long lists, deep nests or long texts where a few are usual: names of indices, filters of
// fields, sorts, sources of aggregations, headers, parameters.
import { answerOf } from './send.mjs';

const KB = 1024;
const MB = 1024 * KB;
const NDJSON = { 'content-type': 'application/x-ndjson' };
const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const entries = (count, make) => Object.fromEntries(list(count, make));
const lines = (values) => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
const nest = (depth, inner, wrap) => {
  let value = inner;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
};
const textOf = (body) => (body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body));
const of = (method, path, body, headers = {}) => ({ method, path, body, headers });
const search = (body, parameters = '') => of('POST', `/many/_search${parameters}`, body);
const aggregate = (aggs) => search(() => ({ size: 0, aggs: aggs() }));
const fans = (agg) => of('POST', '/fans/_search', () => ({ size: 0, aggs: { a: agg() } }));
const term = (i) => ({ term: { k: `key${i}` } });

async function fill(call) {
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const properties = {
    k: { type: 'keyword' },
    n: { type: 'long' },
    when: { type: 'date' },
    t: { type: 'text' },
    where: { type: 'geo_point' },
    nest: { type: 'nested', properties: { a: { type: 'keyword' } } },
    ...entries(300, (i) => [`field${i}`, { type: 'keyword' }]),
  };
  await call('PUT', '/many', { settings, mappings: { properties } });
  const document = (i) => ({
    k: `key${i}`,
    n: i,
    when: 1.6e12 + i * 3_600_000,
    t: `some words about ${i % 97} things`,
    where: [(i % 360) - 180, (i % 180) - 90],
    nest: list(3, (j) => ({ a: `a${(i + j) % 20}` })),
    ...entries(20, (j) => [`field${j}`, `f${i % (j + 1)}`]),
  });
  for (let part = 0; part < 4; part++)
    await call('POST', '/many/_bulk', lines(list(2_500, (i) => [{ index: {} }, document(part * 2_500 + i)]).flat()));
  await call('PUT', '/wanted', { settings });
  await call('PUT', '/wanted/_doc/1', { ids: list(60_000, (i) => `key${i}`) });
  await call('PUT', '/fans', { settings, mappings: { properties: { v: { type: 'long' }, one: { type: 'keyword' } } } });
  const fan = (i) => ({ v: list(100, (j) => i + j), one: 'one', other: `o${i}` });
  await call('POST', '/fans/_bulk', lines(list(2_000, (i) => [{ index: {} }, fan(i)]).flat()));
  await call('POST', '/_refresh');
}

const BODIES = {
  'aggregations 200 deep': aggregate(() => nest(200, {}, (aggs) => ({ a: { filter: term(1), aggs } }))),
  'aggregations 500 beside each other': aggregate(() => entries(500, (i) => [`a${i}`, { avg: { field: 'n' } }])),
  'filters of 5,000': aggregate(() => ({ a: { filters: { filters: entries(5_000, (i) => [`f${i}`, term(i)]) } } })),
  'adjacency_matrix of 100': aggregate(() => ({
    a: { adjacency_matrix: { filters: entries(100, (i) => [`f${i}`, { range: { n: { gte: i } } }]) } },
  })),
  'range of 100,000': aggregate(() => ({
    a: { range: { field: 'n', ranges: list(100_000, (i) => ({ from: i, to: i + 10 })) } },
  })),
  'date_range of 50,000': aggregate(() => ({
    a: { date_range: { field: 'when', ranges: list(50_000, (i) => ({ from: `now-${i}d/d`, to: `now-${i}h/h` })) } },
  })),
  'geo_distance of 50,000': aggregate(() => ({
    a: { geo_distance: { field: 'where', origin: '0,0', ranges: list(50_000, (i) => ({ from: i, to: i + 1e6 })) } },
  })),
  'composite of 100,000 sources': aggregate(() => ({
    a: { composite: { sources: list(100_000, (i) => ({ [`s${i}`]: { terms: { field: 'k' } } })) } },
  })),
  'composite of 60 sources': aggregate(() => ({
    a: { composite: { size: 10_000, sources: list(60, (i) => ({ [`s${i}`]: { terms: { field: 'k' } } })) } },
  })),
  'composite of 100 sources, one value in all but the last': fans(() => ({
    composite: {
      size: 65_536,
      sources: list(100, (i) => ({ [`s${i}`]: { terms: { field: i < 99 ? 'one' : 'other.keyword' } } })),
    },
  })),
  'composite of 8 sources of 100 values a document': fans(() => ({
    composite: { sources: list(8, (i) => ({ [`s${i}`]: { terms: { field: 'v' } } })) },
  })),
  'composite of 4 sources of 100 values a document, a large page': fans(() => ({
    composite: { size: 65_536, sources: list(4, (i) => ({ [`s${i}`]: { terms: { field: 'v' } } })) },
  })),
  'multi_terms of 6 terms of 100 values a document': fans(() => ({
    multi_terms: { terms: list(6, () => ({ field: 'v' })) },
  })),
  'multi_terms of 100 terms': fans(() => ({
    multi_terms: { size: 65_000, terms: list(100, () => ({ field: 'one' })) },
  })),
  'terms in terms in terms of 100 values a document': fans(
    () =>
      nest(5, { a: { terms: { field: 'v', size: 100 } } }, (aggs) => ({
        a: { terms: { field: 'v', size: 100 }, aggs },
      })).a,
  ),
  'multi_terms of 10,000': aggregate(() => ({ a: { multi_terms: { terms: list(10_000, () => ({ field: 'k' })) } } })),
  'percentiles of 100,000': aggregate(() => ({
    a: { percentiles: { field: 'n', percents: list(100_000, (i) => i / 1000) } },
  })),
  'terms include of 100,000': aggregate(() => ({
    a: { terms: { field: 'k', include: list(100_000, (i) => `key${i}`) } },
  })),
  'terms include of a regexp': aggregate(() => ({
    a: { terms: { field: 'k', include: `(${'k|e|y|'.repeat(160)}.)*[0-9]{1,90}` } },
  })),
  'top_hits of 100, 100 times': aggregate(() =>
    entries(100, (i) => [`a${i}`, { terms: { field: 'field19', size: 20 }, aggs: { h: { top_hits: { size: 100 } } } }]),
  ),
  'pipelines of 5,000': aggregate(() => ({
    h: { histogram: { field: 'n', interval: 100 }, aggs: { m: { max: { field: 'n' } } } },
    ...entries(5_000, (i) => [`p${i}`, { avg_bucket: { buckets_path: 'h>m' } }]),
  })),
  'bucket_script of 1,000 paths': aggregate(() => ({
    h: {
      histogram: { field: 'n', interval: 10 },
      aggs: {
        m: { max: { field: 'n' } },
        s: { bucket_script: { buckets_path: entries(1_000, (i) => [`p${i}`, 'm']), script: '1' } },
      },
    },
  })),
  'sort of 100,000': search(() => ({ sort: list(100_000, () => ({ n: 'asc' })) })),
  'sort of 1,000': search(() => ({ sort: list(1_000, (i) => ({ [`field${i % 20}`]: 'asc' })) })),
  'sort by 1,000 distances': search(() => ({
    sort: list(1_000, (i) => ({ _geo_distance: { where: [i % 90, 1], order: 'asc' } })),
  })),
  'sort by distance to 100,000 points': search(() => ({
    sort: [{ _geo_distance: { where: list(100_000, (i) => [i % 90, 1]), order: 'asc' } }],
  })),
  'sort by 100 scripts': search(() => ({
    sort: list(100, (i) => ({ _script: { type: 'number', script: { source: `doc['n'].value % ${i + 7}` } } })),
  })),
  '_source of 100,000 patterns': search(() => ({ size: 100, _source: list(100_000, (i) => `a*${i}*b`) })),
  '_source of 100,000 names': search(() => ({ size: 100, _source: { excludes: list(100_000, (i) => `field${i}`) } })),
  '_source of 1,000 patterns of stars': search(() => ({
    size: 1_000,
    _source: list(1_000, (i) => `*f*i*e*l*d*${i}*x`),
  })),
  'fields of 100,000 patterns': search(() => ({ fields: list(100_000, (i) => `a*${i}`) })),
  'fields of 200 patterns of stars': search(() => ({ size: 1_000, fields: list(200, (i) => `*f*i*e*${i}*`) })),
  'docvalue_fields of 100,000': search(() => ({ docvalue_fields: list(100_000, () => 'k') })),
  'docvalue_fields of stars': search(() => ({ size: 1_000, docvalue_fields: list(100, () => '*') })),
  'stored_fields of 100,000': search(() => ({ stored_fields: list(100_000, (i) => `s${i}`) })),
  'script_fields of 10,000': search(() => ({ script_fields: entries(10_000, (i) => [`s${i}`, { script: '1' }]) })),
  'runtime_mappings of 5,000': search(() => ({
    runtime_mappings: entries(5_000, (i) => [`r${i}`, { type: 'long', script: `emit(${i})` }]),
  })),
  'runtime_mappings of 100,000, no scripts': search(() => ({
    runtime_mappings: entries(100_000, (i) => [`r${i}`, { type: 'keyword' }]),
  })),
  'indices_boost of 100,000': search(() => ({ indices_boost: list(100_000, (i) => ({ [`many${i}*`]: 2 })) })),
  'rescore of 10,000': search(() => ({
    rescore: list(10_000, (i) => ({ window_size: 1_000, query: { rescore_query: term(i) } })),
  })),
  'rescore of 100, window 10,000': search(() => ({
    rescore: list(100, () => ({ window_size: 10_000, query: { rescore_query: { match: { t: 'words' } } } })),
  })),
  'collapse with 1,000 inner hits': search(() => ({
    size: 100,
    collapse: { field: 'field19', inner_hits: list(1_000, (i) => ({ name: `h${i}`, size: 10 })) },
  })),
  'nested with inner hits of 100': search(() => ({
    size: 1_000,
    query: { nested: { path: 'nest', query: { match_all: {} }, inner_hits: { size: 100 } } },
  })),
  'highlight of 100,000 fields': search(() => ({ highlight: { fields: entries(100_000, (i) => [`f${i}*`, {}]) } })),
  'highlight of 1,000 queries': search(() => ({
    query: { match: { t: 'words' } },
    highlight: { fields: list(1_000, () => ({ t: { highlight_query: { match: { t: 'words things' } } } })) },
  })),
  'suggest of 5,000': search(() => ({
    suggest: entries(5_000, (i) => [`s${i}`, { text: 'wrods', term: { field: 't' } }]),
  })),
  'post_filter of 10,000 clauses': search(() => ({ post_filter: { bool: { should: list(10_000, term) } } })),
  'names of 10,000 queries': search(() => ({
    size: 1_000,
    query: { bool: { should: list(10_000, (i) => ({ term: { k: { value: `key${i}`, _name: `n${i}` } } })) } },
  })),
  'search_after of 100,000': search(() => ({ sort: ['n'], search_after: list(100_000, (i) => i) })),
  'range with a date of 1 MB': search(() => ({ query: { range: { when: { gte: `now${'+1d'.repeat(350_000)}` } } } })),
  'range with a format of 1 MB': search(() => ({
    query: { range: { when: { gte: '2020', format: 'yyyy||'.repeat(170_000) } } },
  })),
  'range with a zone of 1 MB': search(() => ({
    query: { range: { when: { gte: 'now', time_zone: '+'.repeat(MB) } } },
  })),
  '1,000 ranges with date mathematics': search(() => ({
    query: { bool: { should: list(1_000, () => ({ range: { when: { gte: `now${'-1d/d'.repeat(200)}` } } })) } },
  })),
  'match with minimum_should_match of 1 MB': search(() => ({
    query: { match: { t: { query: 'a b', minimum_should_match: '2<50% '.repeat(170_000) } } },
  })),
  'terms of a large document': search(() => ({
    query: { terms: { k: { index: 'wanted', id: '1', path: 'ids' } } },
  })),
  '50 terms of a large document': search(() => ({
    query: { bool: { should: list(50, () => ({ terms: { k: { index: 'wanted', id: '1', path: 'ids' } } })) } },
  })),
  'ids of 60,000': search(() => ({ query: { ids: { values: list(60_000, (i) => `id${i}`) } } })),
  'more_like_this of 10,000': search(() => ({
    query: { more_like_this: { fields: ['t'], like: list(10_000, (i) => ({ _index: 'many', _id: `${i}` })) } },
  })),
  'geo_polygon of 200,000 points': search(() => ({
    query: { geo_polygon: { where: { points: list(200_000, (i) => [Math.cos(i) * 90, Math.sin(i) * 80]) } } },
  })),
  'geo_shape of 200,000 points': search(() => ({
    query: {
      geo_shape: {
        where: { shape: { type: 'linestring', coordinates: list(200_000, (i) => [(i % 360) - 180, (i * 7) % 90]) } },
      },
    },
  })),
  'geo_bounding_box of 5,000': search(() => ({
    query: {
      bool: {
        should: list(5_000, (i) => ({
          geo_bounding_box: { where: { top_left: [-180 + (i % 90), 80], bottom_right: [90, -80] } },
        })),
      },
    },
  })),
  'script of 60 KB': search(() => ({
    query: { script: { script: `return ${'('.repeat(15_000)}true${')'.repeat(15_000)}` } },
  })),
  'script of 60 KB of !': search(() => ({ query: { script: { script: `return ${'!'.repeat(60_000)}true` } } })),
  'script of 60 KB of blocks': search(() => ({
    query: { script: { script: `${'{'.repeat(30_000)}${'}'.repeat(30_000)} return true` } },
  })),
  'script of 60 KB of lists': search(() => ({
    query: { script: { script: `def x = ${'['.repeat(30_000)}${']'.repeat(30_000)}; return true` } },
  })),
  'script of 60 KB of sums': search(() => ({ query: { script: { script: `return 1${'+1'.repeat(30_000)} > 0` } } })),
  'script of 60 KB of ifs': search(() => ({
    query: { script: { script: `${'if (true) '.repeat(6_000)} return true; return false` } },
  })),
  '_msearch of 5,000': of(
    'POST',
    '/_msearch',
    () => lines(list(5_000, () => [{ index: 'many' }, { size: 1 }]).flat()),
    NDJSON,
  ),
  '_bulk to 20,000 other indices': of(
    'POST',
    '/_bulk',
    () => lines(list(20_000, (i) => [{ index: { _index: `other-${i}`, require_alias: true } }, {}]).flat()),
    NDJSON,
  ),
  '_bulk of 500,000 deletes': of(
    'POST',
    '/many/_bulk',
    () => list(500_000, (i) => `{"delete":{"_id":"${i}"}}\n`).join(''),
    NDJSON,
  ),
  '_bulk of 300,000 unknown actions': of('POST', '/many/_bulk', () => '{"other":{}}\n'.repeat(300_000), NDJSON),
  '_aliases of 50,000': of('POST', '/_aliases', () => ({
    actions: list(50_000, (i) => ({ add: { index: 'many', alias: `alias${i}` } })),
  })),
  '_aliases that removes 100,000 patterns': of('POST', '/_aliases', () => ({
    actions: list(100_000, (i) => ({ remove: { index: '*', alias: `a*b*${i}` } })),
  })),
  '_reindex from 100,000 indices': of('POST', '/_reindex', () => ({
    source: { index: list(100_000, (i) => `from${i}*`) },
    dest: { index: 'to' },
  })),
  '_rank_eval of 5,000 requests': of('POST', '/many/_rank_eval', () => ({
    requests: list(5_000, (i) => ({ id: `${i}`, request: { query: term(i) }, ratings: [] })),
    metric: { precision: {} },
  })),
  '_field_caps of 100,000 fields': of('POST', '/many/_field_caps', () => ({ fields: list(100_000, (i) => `f*${i}`) })),
  'preview of a transform of 1,000 aggregations': of('POST', '/_transform/_preview', () => ({
    source: { index: 'many' },
    pivot: {
      group_by: { k: { terms: { field: 'field19' } } },
      aggregations: entries(1_000, (i) => [`a${i}`, { avg: { field: 'n' } }]),
    },
  })),
  'a transform of 1,000 aggregations': of('PUT', '/_transform/wide', () => ({
    source: { index: 'many' },
    dest: { index: 'wide' },
    pivot: {
      group_by: { k: { terms: { field: 'field19' } } },
      aggregations: entries(1_000, (i) => [`a${i}`, { avg: { field: 'n' } }]),
    },
  })),
};

/** A request line may have 4 KB (`http.max_initial_line_length`); method, version and path need some of them. */
const LINE = 4 * KB - 100;
const names = (length, one) => one.repeat(Math.floor(length / one.length)).slice(0, -1);
const PATHS = {
  '4 KB of index names': of('GET', `/${names(LINE, 'a,')}/_search`),
  '4 KB of patterns of stars': of('GET', `/${names(LINE, '*a*b*c*,')}/_search`),
  '4 KB of exclusions': of('GET', `/*,${names(LINE, '-a*,')}/_search`),
  '4 KB of date mathematics': of('GET', `/${encodeURIComponent(`<a-{now/d{yyyy.MM.dd|+12:00}}>,`).repeat(60)}/_search`),
  '4 KB of columns': of('GET', `/_cat/indices?h=${names(LINE, 'i,')}`),
  '4 KB of patterns of columns': of('GET', `/_cat/nodes?h=${names(LINE, '*a*,')}`),
  '4 KB of sorts of a table': of('GET', `/_cat/shards?s=${names(LINE, 'i,')}`),
  '4 KB of filter_path': of('GET', `/many/_search?size=1000&filter_path=${names(LINE, '**.a,')}`),
  '4 KB of filter_path of stars': of('GET', `/_nodes/stats?filter_path=${names(LINE, '*.*.*,')}`),
  '4 KB of routing': of('GET', `/many/_search?routing=${names(LINE, 'r,')}`),
  '4 KB of _source': of('GET', `/many/_search?size=1000&_source=${names(LINE, '*a*b,')}`),
  '4 KB of q': of('GET', `/many/_search?q=${names(LINE, '((')}`),
  '4 KB of node filters': of('GET', `/_nodes/${names(LINE, '_all,!a*,')}/stats`),
  '800 parameters': of('GET', `/many/_search?${list(600, (i) => `p${i}=1`).join('&')}`),
  '4 KB of escapes in a path': of('GET', `/${'%25'.repeat(1_300)}`),
  '4 KB of slashes': of('GET', '/'.repeat(LINE)),
};

const SETTINGS = Object.freeze({});
const filled = new WeakSet();

async function prepare(node) {
  if (filled.has(node)) return;
  filled.add(node);
  await fill(async (method, path, body) => {
    const { status, text } = await answerOf(node, method, path, textOf(body), path.endsWith('_bulk') ? NDJSON : {});
    if (status > 299 || text.includes('"errors":true'))
      throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  });
}

/** All attacks of this file. */
export const listAttacks = Object.entries({ ...BODIES, ...PATHS }).map(([name, { method, path, body, headers }]) => ({
  name: `list: ${name}`,
  isLong: true,
  settings: SETTINGS,
  prepare,
  run: async (node) => [(await answerOf(node, method, path, textOf(body?.()), headers)).status],
}));
