// Searches that ask for much work with few bytes, or with many: what a user who may search may send.

import { answerOf } from './send.mjs';

const KB = 1024;
const MB = 1024 * KB;
const WORDS = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore'.split(
  ' ',
);

/** A text of about `length` characters: sentences of ten words, one word of many without a repetition. */
function prose(length) {
  const parts = [];
  for (let i = 0, size = 0; size < length; i++) {
    const word = i % 10 === 3 ? `w${i}` : WORDS[(i * 7 + (i >> 4)) % WORDS.length];
    parts.push(i % 10 === 9 ? `${word}.` : word);
    size += word.length + 1;
  }
  return parts.join(' ').slice(0, length);
}

const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));

/** Indices that the searches read: texts of 200 KB and 900 KB, one word repeated, many small documents, many fields. */
export async function prepare(call) {
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const vectors = { type: 'text', term_vector: 'with_positions_offsets' };
  await call('PUT', '/texts', { settings, mappings: { properties: { t: { type: 'text' }, v: vectors } } });
  for (let i = 0; i < 8; i++) await call('PUT', `/texts/_doc/${i}`, { t: prose(200 * KB), v: prose(200 * KB) });
  await call('PUT', '/large', { settings, mappings: { properties: { t: { type: 'text' } } } });
  for (let i = 0; i < 2; i++) await call('PUT', `/large/_doc/${i}`, { t: prose(900_000) });
  await call('PUT', '/huge', { settings: { ...settings, 'index.highlight.max_analyzed_offset': 20_000_000 } });
  await call('PUT', '/huge/_doc/1', { t: prose(8 * MB) });
  await call('PUT', '/same', { settings, mappings: { properties: { t: { type: 'text' } } } });
  await bulk(
    call,
    'same',
    list(200, () => ({ t: 'a b '.repeat(1000) })),
  );
  await call('PUT', '/small', { settings, mappings: { properties: { when: { type: 'date' } } } });
  for (let part = 0; part < 5; part++)
    await bulk(
      call,
      'small',
      list(10_000, (i) => ({
        k: `key${part * 10_000 + i}`,
        g: i % 100,
        n: part * 10_000 + i,
        when: 1.6e12 + i * 86_400_000,
        t: prose(60 + (i % 50)),
      })),
    );
  const properties = Object.fromEntries(list(900, (i) => [`field${i}`, { type: 'keyword' }]));
  await call('PUT', '/wide', { settings, mappings: { properties } });
  await call('POST', '/_refresh');
}

async function bulk(call, index, documents) {
  await call(
    'POST',
    `/${index}/_bulk`,
    `${documents.map((source) => `{"index":{}}\n${JSON.stringify(source)}`).join('\n')}\n`,
  );
}

const search = (name, index, body) => ({ name, method: 'POST', path: `/${index}/_search`, body });
const query = (name, index, value) => search(name, index, () => ({ query: value() }));
const deep = (name, depth, open, close) => ({
  name,
  method: 'POST',
  path: '/small/_search',
  body: () => `{"query":${open.repeat(depth)}{"match_all":{}}${close.repeat(depth)}}`,
});
const term = (i) => ({ term: { 'k.keyword': `key${i}` } });
const nest = (depth, inner, wrap) => {
  let value = inner;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
};

const TERMS = [
  {
    name: '_mget of 1,000,000 ids',
    method: 'POST',
    path: '/small/_mget',
    body: () => ({ ids: list(1_000_000, String) }),
  },
  query('terms of 1,000,000', 'small', () => ({ terms: { n: list(1_000_000, (i) => i) } })),
  query('terms of 65,536 texts', 'small', () => ({ terms: { 'k.keyword': list(65_536, (i) => `key${i}`) } })),
  query('ids of 1,000,000', 'small', () => ({ ids: { values: list(1_000_000, String) } })),
  query('bool of 100,000 clauses', 'small', () => ({ bool: { should: list(100_000, term) } })),
  query('bool of 1,000 x 1,000 clauses', 'small', () => ({
    bool: { should: list(1000, (i) => ({ bool: { should: list(1000, (j) => term(i * 50 + j)) } })) },
  })),
  query('dis_max of 100,000 queries', 'small', () => ({ dis_max: { queries: list(100_000, term) } })),
  deep('bool 100,000 deep', 100_000, '{"bool":{"must":', '}}'),
  deep('constant_score 100,000 deep', 100_000, '{"constant_score":{"filter":', '}}'),
  deep('function_score 300 deep', 300, '{"function_score":{"query":', '}}'),
  deep('constant_score 20 deep', 20, '{"constant_score":{"filter":', '}}'),
  query('function_score of 20,000 functions', 'small', () => ({
    function_score: { functions: list(20_000, (i) => ({ filter: term(i), weight: 2 })) },
  })),
];

const SYNTAX = [
  ['query_string, 10 KB of (', () => '('.repeat(10 * KB)],
  ['query_string, 100 KB of ( and )', () => `${'('.repeat(50 * KB)}a${')'.repeat(50 * KB)}`],
  ['query_string, 100 KB of operators', () => 'a AND NOT b OR '.repeat(7 * KB)],
  ['query_string, 100 KB of + -', () => '+ - '.repeat(25 * KB)],
  ['query_string, 100 KB of !', () => '!'.repeat(100 * KB)],
  ['query_string, 1 MB of words', () => prose(MB)],
  ['query_string, 9 MB of one word', () => 'a'.repeat(9 * MB)],
  ['query_string, 9 MB of blanks', () => ' '.repeat(9 * MB)],
  ['query_string, 256 KB of ~', () => 'a~'.repeat(128 * KB)],
  ['query_string, 256 KB of :', () => 'a:'.repeat(128 * KB)],
  ['query_string, 256 KB of \\', () => '\\'.repeat(256 * KB)],
  ['query_string, 256 KB of ?', () => '?'.repeat(256 * KB)],
  ['query_string, 10 KB of *', () => `a${'*'.repeat(10 * KB)}b`],
  ['query_string, 1,000 regular expressions', () => '/(a|b)*c{1,20}/ '.repeat(1000)],
  ['query_string, 1,000 fuzzy words', () => list(1000, (i) => `lorm${i}~2`).join(' ')],
  ['query_string, 1,000 prefixes', () => list(1000, () => `w*`).join(' ')],
].map(([name, text]) => query(name, 'small', () => ({ query_string: { query: text() } })));

const SIMPLE = [
  ['simple_query_string, 10 KB of words', () => prose(10 * KB)],
  ['simple_query_string, 100 KB of (', () => '('.repeat(100 * KB)],
  ['simple_query_string, 10 KB of ( a |', () => '(a | '.repeat(2 * KB)],
  ['simple_query_string, 100 KB of -', () => '-'.repeat(100 * KB)],
  ['simple_query_string, 100 KB of "', () => '"'.repeat(100 * KB)],
  ['simple_query_string, 9 MB of (', () => '('.repeat(9 * MB)],
  ['simple_query_string, 9 MB of ""', () => '"" '.repeat(3_000_000)],
  ['simple_query_string, 9 MB of -', () => '-'.repeat(9 * MB)],
  ['simple_query_string, 256 KB of ""', () => '"" '.repeat(85 * KB)],
  ['simple_query_string, 256 KB of ()', () => '()'.repeat(128 * KB)],
  ['simple_query_string, 256 KB of \\', () => '\\'.repeat(256 * KB)],
  ['simple_query_string, 256 KB of x~', () => '~|'.repeat(128 * KB)],
  ['simple_query_string, 256 KB of +-|', () => '+-|'.repeat(85 * KB)],
  ['simple_query_string, 256 KB of (((', () => '('.repeat(128 * KB) + ')'.repeat(128 * KB)],
  ['simple_query_string, 10 KB of a*', () => 'w* '.repeat(3 * KB)],
  ['simple_query_string, 10 KB of lorm~2', () => 'lorm~2 '.repeat(KB)],
].map(([name, text]) => query(name, 'small', () => ({ simple_query_string: { query: text() } })));

const PATTERNS = [
  query('match, 8 MB of words', 'small', () => ({ match: { t: prose(8 * MB) } })),
  query('match_phrase, 8 MB of words', 'small', () => ({ match_phrase: { t: prose(8 * MB) } })),
  query('match, 1 MB, fuzziness 2', 'small', () => ({ match: { t: { query: prose(MB), fuzziness: 2 } } })),
  query('match of 1,000 fuzzy words', 'small', () => ({
    match: { t: { query: list(1000, (i) => `lorem${i}`).join(' '), fuzziness: 2 } },
  })),
  query('wildcard of 10,000 stars', 'small', () => ({ wildcard: { 'k.keyword': '*'.repeat(10_000) } })),
  query('wildcard of 1 MB of *?', 'small', () => ({ wildcard: { 'k.keyword': '*?'.repeat(MB / 2) } })),
  query('wildcard of *a*a*a', 'small', () => ({ wildcard: { 'k.keyword': `${'*k*e*y'.repeat(100)}*` } })),
  query('regexp of 1,000 characters', 'small', () => ({ regexp: { 'k.keyword': '(.*a){20}.*[0-9]{1,200}' } })),
  query('regexp with large repetitions', 'small', () => ({ regexp: { 'k.keyword': '((a{1,100}){1,100}){1,100}' } })),
  query('regexp ((((', 'small', () => ({ regexp: { 'k.keyword': `${'('.repeat(450)}a${')'.repeat(450)}` } })),
  query('regexp of many alternatives', 'small', () => ({ regexp: { 'k.keyword': `(${'a|b?'.repeat(240)})*c` } })),
  query('fuzzy of a word of 1 MB', 'small', () => ({
    fuzzy: { 'k.keyword': { value: 'k'.repeat(MB), fuzziness: 2 } },
  })),
  query('1,000 wildcards with a leading star', 'small', () => ({
    bool: { should: list(1000, (i) => ({ wildcard: { 'k.keyword': `*${i}*` } })) },
  })),
  query('multi_match over 900 fields', 'wide', () => ({ multi_match: { query: prose(2 * KB), fields: ['field*'] } })),
];

const spanTerm = (word) => ({ span_term: { t: word } });
const a = { match: { query: 'a' } };
const POSITIONS = [
  query('10 unordered intervals', 'same', () => ({ intervals: { t: { all_of: { intervals: list(10, () => a) } } } })),
  query('1,000 unordered intervals', 'same', () => ({
    intervals: { t: { all_of: { intervals: list(1000, () => a) } } },
  })),
  query('1,000 ordered intervals', 'same', () => ({
    intervals: { t: { all_of: { ordered: true, intervals: list(1000, () => a) } } },
  })),
  query('intervals any_of in all_of, 6 deep', 'same', () => ({
    intervals: {
      t: nest(6, a, (rule) => ({ all_of: { intervals: [rule, { any_of: { intervals: [rule, a] } }, rule] } })),
    },
  })),
  query('intervals filtered by not_overlapping', 'same', () => ({
    intervals: { t: { match: { query: 'a', filter: { not_overlapping: { match: { query: 'b' } } } } } },
  })),
  query('span_near of 30 equal terms', 'same', () => ({
    span_near: { clauses: list(30, () => spanTerm('a')), slop: 10, in_order: true },
  })),
  query('span_near of 1,000 equal terms', 'same', () => ({
    span_near: { clauses: list(1000, () => spanTerm('a')), slop: 10, in_order: false },
  })),
  query('span_near 10 deep', 'same', () => ({
    ...nest(10, spanTerm('a'), (clause) => ({ span_near: { clauses: [clause, clause], slop: 5, in_order: false } })),
  })),
  query('span_not of the same term', 'same', () => ({
    span_not: { include: spanTerm('a'), exclude: { span_or: { clauses: list(100, () => spanTerm('b')) } } },
  })),
  query('span_containing of near', 'same', () => ({
    span_containing: {
      big: { span_near: { clauses: list(2, () => spanTerm('a')), slop: 900 } },
      little: spanTerm('b'),
    },
  })),
  query('match_phrase of 1,000 equal words, slop 50', 'same', () => ({
    match_phrase: { t: { query: 'a '.repeat(1000), slop: 50 } },
  })),
  query('match_phrase of 10,000 equal words', 'same', () => ({ match_phrase: { t: 'a '.repeat(10_000) } })),
];

const highlight = (name, index, type, text, options = {}) =>
  search(name, index, () => ({
    query: { match: { t: text } },
    _source: false,
    highlight: { type, fields: { t: {} }, ...options },
  }));
const TEXTS = [
  highlight('plain highlighter, 8 x 200 KB', 'texts', 'plain', WORDS.join(' ')),
  highlight('unified highlighter, 8 x 200 KB', 'texts', 'unified', WORDS.join(' ')),
  search('fvh highlighter, 8 x 200 KB', 'texts', () => ({
    query: { match: { v: WORDS.join(' ') } },
    _source: false,
    highlight: { type: 'fvh', fields: { v: {} } },
  })),
  highlight('plain highlighter, 2 x 900 KB', 'large', 'plain', WORDS.join(' ')),
  highlight('unified highlighter, 2 x 900 KB, all fragments', 'large', 'unified', WORDS.join(' '), {
    number_of_fragments: 100_000,
    fragment_size: 1,
  }),
  highlight('unified highlighter, 8 MB allowed', 'huge', 'unified', WORDS.join(' ')),
  search('highlight of a phrase in 200 KB', 'texts', () => ({
    query: { match_phrase: { t: { query: 'lorem ipsum', slop: 10_000 } } },
    highlight: { fields: { t: {} } },
  })),
  search('highlight of spans in same words', 'same', () => ({
    size: 100,
    query: { span_near: { clauses: list(30, () => spanTerm('a')), slop: 10, in_order: true } },
    highlight: { fields: { t: {} } },
  })),
  {
    name: '_analyze of 8 MB',
    method: 'POST',
    path: '/_analyze',
    body: () => ({ analyzer: 'standard', text: prose(8 * MB) }),
  },
  {
    name: '_analyze of 1 MB, ngram',
    method: 'POST',
    path: '/_analyze',
    body: () => ({ tokenizer: { type: 'ngram', min_gram: 1, max_gram: 2 }, text: prose(MB) }),
  },
  {
    name: '_analyze of one token of 8 MB',
    method: 'POST',
    path: '/_analyze',
    body: () => ({ tokenizer: 'keyword', filter: ['lowercase', 'reverse'], text: 'ab'.repeat(4 * MB) }),
  },
  {
    name: '_analyze of 100,000 texts',
    method: 'POST',
    path: '/_analyze',
    body: () => ({ analyzer: 'standard', text: list(100_000, () => 'a') }),
  },
  {
    name: '_termvectors of 900 KB',
    method: 'POST',
    path: '/large/_termvectors/1',
    body: () => ({ fields: ['t'], term_statistics: true }),
  },
  {
    name: '_termvectors of 8 MB sent',
    method: 'POST',
    path: '/large/_termvectors',
    body: () => ({ doc: { t: prose(8 * MB) } }),
  },
  {
    name: '_explain of 1,000 clauses',
    method: 'POST',
    path: '/large/_explain/1',
    body: () => ({ query: { bool: { should: list(1000, (i) => ({ match: { t: `w${i * 10 + 3}` } })) } } }),
  },
  query('more_like_this of 8 MB', 'small', () => ({
    more_like_this: { fields: ['t'], like: prose(8 * MB), min_term_freq: 1, max_query_terms: 1000 },
  })),
  query('more_like_this of 2 documents of 900 KB', 'large', () => ({
    more_like_this: { fields: ['t'], like: list(2, (i) => ({ _index: 'large', _id: String(i) })), min_doc_freq: 1 },
  })),
];

const nestedAggs = (depth) =>
  nest(depth, { max: { field: 'n' } }, (agg) => ({ terms: { field: 'g' }, aggs: { x: agg } }));
const AGGREGATIONS = [
  ['10,000 aggregations', () => Object.fromEntries(list(10_000, (i) => [`a${i}`, { max: { field: 'n' } }]))],
  [
    '1,000 terms aggregations',
    () => Object.fromEntries(list(1000, (i) => [`a${i}`, { terms: { field: 'k.keyword' } }])),
  ],
  [
    'terms of 50,000 with a metric',
    () => ({ k: { terms: { field: 'k.keyword', size: 65_000 }, aggs: { m: { avg: { field: 'n' } } } } }),
  ],
  ['aggregations 400 deep', () => ({ x: nestedAggs(400) })],
  ['filters of 5,000', () => ({ f: { filters: { filters: list(5000, term) } } })],
  [
    'adjacency_matrix of 100',
    () => ({
      f: {
        adjacency_matrix: { filters: Object.fromEntries(list(100, (i) => [`f${i}`, { range: { n: { gte: i } } }])) },
      },
    }),
  ],
  ['histogram of 10 million buckets', () => ({ h: { histogram: { field: 'n', interval: 0.005 } } })],
  ['date_histogram by second', () => ({ h: { date_histogram: { field: 'when', fixed_interval: '1s' } } })],
  [
    'date_histogram with extended bounds',
    () => ({ h: { date_histogram: { field: 'when', fixed_interval: '1ms', extended_bounds: { min: 0, max: 4e12 } } } }),
  ],
  [
    'composite of 65,000 with 10 sources',
    () => ({
      c: {
        composite: {
          size: 65_000,
          sources: list(10, (i) => ({ [`s${i}`]: { terms: { field: i % 2 ? 'n' : 'k.keyword' } } })),
        },
      },
    }),
  ],
  [
    'significant_text of 200 KB texts',
    () => ({ s: { significant_text: { field: 't', size: 1000, min_doc_count: 1 } } }),
    'texts',
  ],
  [
    'cardinality in terms of 50,000',
    () => ({
      k: {
        terms: { field: 'k.keyword', size: 65_000 },
        aggs: { c: { cardinality: { field: 'n', precision_threshold: 40_000 } } },
      },
    }),
  ],
  [
    'terms in terms in terms',
    () => ({
      k: {
        terms: { field: 'k.keyword', size: 60_000 },
        aggs: { g: { terms: { field: 'n', size: 60_000 }, aggs: { h: { terms: { field: 'g', size: 1000 } } } } },
      },
    }),
  ],
  [
    'top_hits of 50,000 buckets',
    () => ({ k: { terms: { field: 'k.keyword', size: 60_000 }, aggs: { t: { top_hits: { size: 100 } } } } }),
  ],
  ['1,000 ranges', () => ({ r: { range: { field: 'n', ranges: list(1000, (i) => ({ from: i })) } } })],
].map(([name, aggs, index = 'small']) => search(name, index, () => ({ size: 0, aggs: aggs() })));

const PARTS = [
  search('term suggester of 1 MB', 'small', () => ({
    suggest: { s: { text: prose(MB), term: { field: 't', suggest_mode: 'always' } } },
  })),
  search('term suggester of 1,000 words, 1,000 times', 'small', () => ({
    suggest: Object.fromEntries(
      list(100, (i) => [`s${i}`, { text: list(100, (j) => `lorm${j}`).join(' '), term: { field: 't' } }]),
    ),
  })),
  search('phrase suggester of 10 KB', 'small', () => ({
    suggest: {
      s: {
        text: prose(10 * KB),
        phrase: { field: 't', max_errors: 1000, direct_generator: [{ field: 't', suggest_mode: 'always' }] },
      },
    },
  })),
  search('10,000 sorts', 'small', () => ({ sort: list(10_000, () => ({ n: 'asc' })) })),
  search('collapse with 1,000 inner hits', 'small', () => ({
    size: 100,
    collapse: { field: 'g', inner_hits: list(100, (i) => ({ name: `i${i}`, size: 10 })) },
  })),
  search('rescore of 10,000, 100 times', 'small', () => ({
    query: { match_all: {} },
    rescore: list(100, () => ({ window_size: 10_000, query: { rescore_query: { match: { t: 'lorem' } } } })),
  })),
  search('a page of 10,000', 'small', () => ({ size: 10_000, fields: ['*'], docvalue_fields: ['n'] })),
  search('from beyond the window', 'small', () => ({ from: 1_000_000, size: 10 })),
  search('source filter of 10,000 patterns', 'small', () => ({
    size: 1000,
    _source: list(10_000, (i) => `a*${i}*.b*`),
  })),
  search('fields of 10,000 patterns', 'wide', () => ({ fields: list(10_000, () => 'field*') })),
  search('10,000 docvalue_fields', 'small', () => ({ docvalue_fields: list(10_000, () => 'n') })),
  {
    name: '_field_caps of 900 fields, 1,000 times',
    method: 'GET',
    path: `/wide/_field_caps?fields=${list(400, () => 'field*').join(',')}`,
  },
  { name: '_mapping of 900 fields', method: 'GET', path: '/wide/_mapping/field/*' },
  {
    name: '_msearch of 5,000',
    method: 'POST',
    path: '/small/_msearch',
    body: () => `${list(5000, () => '{}\n{"query":{"match":{"t":"lorem ipsum"}}}').join('\n')}\n`,
  },
  {
    name: '_validate of 100,000 clauses',
    method: 'POST',
    path: '/small/_validate/query?explain=true',
    body: () => ({ query: { bool: { should: list(100_000, term) } } }),
  },
];

const NDJSON = { 'content-type': 'application/x-ndjson' };
const prepared = new WeakSet();

/** Fills the node with what the searches read, once. */
async function fill(node) {
  if (prepared.has(node)) return;
  prepared.add(node);
  await prepare(async (method, path, body) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const { status, text: answer } = await answerOf(node, method, path, text, path.endsWith('_bulk') ? NDJSON : {});
    if (status > 299) throw new Error(`${method} ${path}: ${status} ${answer.slice(0, 300)}`);
  });
}

const textOf = (body) => (body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body));
const SETTINGS = Object.freeze({});

/** Requests as data, for other programs: `{ name, method, path, body() }`. */
export const searches = [
  ...TERMS,
  ...SYNTAX,
  ...SIMPLE,
  ...PATTERNS,
  ...POSITIONS,
  ...TEXTS,
  ...AGGREGATIONS,
  ...PARTS,
];

/** All attacks by searches. They share a node, apart from those by bodies. */
export const searchAttacks = searches.map(({ name, method, path, body }) => ({
  name: `search: ${name}`,
  isLong: true,
  settings: SETTINGS,
  prepare: fill,
  run: async (node) => {
    const headers = path.endsWith('_msearch') ? NDJSON : {};
    return [(await answerOf(node, method, path, textOf(body?.()), headers)).status];
  },
}));
