// Queries of every type with random options.
import { text, WORDS } from '../fields.mjs';
import { fieldFor } from '../world.mjs';

const TERMS = ['keyword', 'number', 'date', 'boolean', 'ip', 'text', 'flattened'];
const RANGES = ['number', 'date', 'keyword', 'ip', 'range', 'text'];
const boost = (r) => r.options({ boost: () => r.decimal(0, 4), _name: () => r.pick(['one', 'two']) }, 0.08);
const shouldMatch = (r) => r.pick([1, 2, '1', '50%', '-1', '2<75%', '-25%', '1<-1 3<50%']);

/** A value of the field, or a word where its values are objects. */
export function valueOf(r, field) {
  const value = field.row.value(r);
  if (field.kind === 'text') return r.pick(WORDS);
  if (field.kind === 'range') return r.pick([3, 7, '10.0.0.5', '2024-01-15', 2.5]);
  return typeof value === 'object' ? r.pick(['a', 'b', 3]) : value;
}
const textual = (r, world, nested) => fieldFor(r, world, ['text', 'text', 'keyword'], nested).path;
const phrase = (r) => text(r, 3);

function rangeQuery(r, world, nested) {
  const field = fieldFor(r, world, RANGES, nested);
  const bounds = r.options({ gte: () => valueOf(r, field), lt: () => valueOf(r, field) }, 0.6);
  const more = r.options({ gt: () => valueOf(r, field), lte: () => valueOf(r, field) }, 0.2);
  const dates = field.kind === 'date' ? r.options({ time_zone: () => r.pick(['+01:00', 'Europe/Berlin']) }, 0.2) : {};
  if (field.kind === 'date' && r.chance(0.3)) bounds.gte = r.pick(['2024-02-10||/M', '2024-01-01||+1M-1d', '2020||/y']);
  if (field.kind === 'range') dates.relation = r.pick(['intersects', 'within', 'contains', 'WITHIN']);
  return { range: { [field.path]: { ...bounds, ...more, ...dates, ...boost(r) } } };
}

const expanding = (r) => ({
  ...boost(r),
  ...r.options(
    { rewrite: () => r.pick(['constant_score', 'scoring_boolean', 'top_terms_5', 'constant_score_boolean']) },
    0.15,
  ),
  ...r.options({ case_insensitive: () => true }, 0.2),
});
function expandingQuery(name, patterns) {
  return (r, world, nested) => {
    const { path } = fieldFor(r, world, ['keyword', 'text', 'flattened'], nested);
    if (r.chance(0.1)) return { [name]: { [path]: r.pick(patterns) } };
    return { [name]: { [path]: { value: r.pick(patterns), ...expanding(r) } } };
  };
}
function fuzzyQuery(r, world, nested) {
  const more = r.options(
    {
      fuzziness: () => r.pick([0, 1, 2, 'AUTO', 'AUTO:2,5']),
      prefix_length: () => r.between(0, 2),
      max_expansions: () => r.pick([1, 5, 50]),
      transpositions: () => r.bool(),
    },
    0.4,
  );
  return {
    fuzzy: {
      [textual(r, world, nested)]: { value: r.pick(['quik', 'brwon', 'foy', 'abd', 'dgo']), ...more, ...boost(r) },
    },
  };
}

const matchOptions = (r) =>
  r.options(
    {
      operator: () => r.pick(['and', 'or', 'AND']),
      minimum_should_match: () => shouldMatch(r),
      fuzziness: () => r.pick(['AUTO', 1, 0]),
      prefix_length: () => 1,
      max_expansions: () => 3,
      lenient: () => true,
      zero_terms_query: () => r.pick(['all', 'none']),
      analyzer: () => r.pick(['whitespace', 'stop', 'keyword']),
      fuzzy_transpositions: () => false,
      auto_generate_synonyms_phrase_query: () => false,
    },
    0.12,
  );
function matchQuery(r, world, nested) {
  const field = fieldFor(r, world, r.chance(0.7) ? ['text'] : TERMS, nested);
  const query = field.kind === 'text' ? phrase(r) : valueOf(r, field);
  return { match: { [field.path]: r.chance(0.3) ? query : { query, ...matchOptions(r), ...boost(r) } } };
}
function phraseQuery(name) {
  return (r, world, nested) => {
    const options = {
      ...r.options({ slop: () => r.between(0, 4), analyzer: () => r.pick(['whitespace', 'stop']) }, 0.3),
      ...(name === 'match_phrase_prefix' ? r.options({ max_expansions: () => r.between(1, 4) }) : {}),
      ...(name === 'match_phrase' ? r.options({ zero_terms_query: () => 'all' }, 0.1) : {}),
    };
    const path = textual(r, world, nested);
    return { [name]: { [path]: r.chance(0.3) ? phrase(r) : { query: phrase(r), ...options, ...boost(r) } } };
  };
}
function matchBoolPrefix(r, world, nested) {
  const options = r.options(
    { operator: () => 'and', minimum_should_match: () => shouldMatch(r), fuzziness: () => 1 },
    0.2,
  );
  return {
    match_bool_prefix: {
      [textual(r, world, nested)]: { query: `${phrase(r)} ${r.pick(['qu', 'b', 'f'])}`, ...options },
    },
  };
}
export function fieldList(r, world, nested) {
  return r.list(1, 3, () => `${textual(r, world, nested)}${r.chance(0.2) ? `^${r.between(1, 4)}` : ''}`);
}
function multiMatch(r, world, nested) {
  const type = r.pick(['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix']);
  const options = r.options(
    {
      operator: () => r.pick(['and', 'or']),
      minimum_should_match: () => shouldMatch(r),
      tie_breaker: () => r.pick([0, 0.3, 1]),
      lenient: () => true,
      zero_terms_query: () => 'all',
      ...(type.includes('phrase') ? { slop: () => 2 } : {}),
    },
    0.2,
  );
  const fields = r.chance(0.1)
    ? { fields: [r.pick(['*', 't*', 'u', 'al*'])], lenient: true }
    : { fields: fieldList(r, world, nested) };
  return { multi_match: { query: phrase(r), type, ...fields, ...options, ...boost(r) } };
}
function combinedFields(r, world, nested) {
  const options = r.options({ operator: () => 'and', minimum_should_match: () => shouldMatch(r) }, 0.3);
  return { combined_fields: { query: phrase(r), fields: fieldList(r, world, nested), ...options } };
}

const PIECES = [
  ...[
    'quick',
    'brown',
    'fo*',
    'q?ick',
    '"quick fox"',
    '"brown dog"~3',
    'fox~',
    'dog~1',
    '/qu.*k/',
    '(red OR blue)',
    '+green',
  ],
  ...['-dog', 'NOT fox', 'lazy AND dog', 'over || the', 'a && b', 'fox^2', '*', 'b*n', '!red'],
];
function fieldPiece(r, world, nested) {
  const field = fieldFor(r, world, ['text', 'keyword', 'number', 'date', 'ip', 'boolean'], nested);
  const value = String(valueOf(r, field)).replace(/([:/\\!()[\]{}" *-])/g, '\\$1');
  const open =
    field.kind === 'number' ? [`[${r.between(-3, 3)} TO *]`, `>${r.between(0, 5)}`, `{1 TO 7]`] : [`(${value} OR b)`];
  return `${field.path}:${r.chance(0.5) ? value || 'a' : r.pick(open)}`;
}
export function queryString(r, world, nested = null) {
  return r
    .list(1, 3, () => (r.chance(0.4) ? fieldPiece(r, world, nested) : r.pick(PIECES)))
    .join(r.pick([' ', ' ', ' OR ', ' AND ']));
}
function queryStringQuery(r, world, nested) {
  const options = r.options(
    {
      default_operator: () => r.pick(['and', 'OR']),
      analyze_wildcard: () => r.bool(),
      allow_leading_wildcard: () => r.bool(),
      lenient: () => r.chance(0.8),
      minimum_should_match: () => shouldMatch(r),
      phrase_slop: () => 2,
      fuzziness: () => 1,
      quote_field_suffix: () => '.kw',
      time_zone: () => '+02:00',
      type: () => r.pick(['best_fields', 'most_fields', 'cross_fields', 'phrase']),
      tie_breaker: () => 0.4,
      enable_position_increments: () => true,
      analyzer: () => 'whitespace',
      escape: () => true,
      rewrite: () => 'constant_score',
    },
    0.08,
  );
  const where = r.weighted([
    [3, { fields: fieldList(r, world, nested) }],
    [1, { default_field: textual(r, world, nested) }],
    [1, { lenient: true }],
  ]);
  return { query_string: { query: queryString(r, world, nested), ...options, ...where, ...boost(r) } };
}
const SIMPLE = [
  'quick',
  '+brown',
  '-dog',
  '"quick fox"',
  '"brown dog"~2',
  'fo*',
  'fox~1',
  '(red | blue)',
  'a + b',
  'x\\*y',
];
function simpleQueryString(r, world, nested) {
  const options = r.options(
    {
      default_operator: () => r.pick(['and', 'or']),
      flags: () => r.pick(['ALL', 'NONE', 'OR|AND|PREFIX', 'PHRASE', 'FUZZY|SLOP']),
      minimum_should_match: () => shouldMatch(r),
      analyze_wildcard: () => true,
      lenient: () => true,
      quote_field_suffix: () => '.kw',
      fuzzy_prefix_length: () => 1,
      fuzzy_max_expansions: () => 5,
    },
    0.12,
  );
  const query = r.list(1, 4, () => r.pick(SIMPLE)).join(' ');
  const fields = r.chance(0.75) ? { fields: fieldList(r, world, nested) } : { lenient: true };
  return { simple_query_string: { query, ...fields, ...options, ...boost(r) } };
}

function boolQuery(r, world, nested, depth) {
  const clauses = () =>
    r.chance(0.2) ? query(r, world, nested, depth) : r.list(1, 2, () => query(r, world, nested, depth));
  const parts = r.options({ must: clauses, filter: clauses, should: clauses, must_not: clauses }, 0.4);
  const match = parts.should ? r.options({ minimum_should_match: () => r.pick([0, 1, '50%', 2]) }) : {};
  return { bool: { ...parts, ...match, ...boost(r) } };
}
const decay = (r, world, nested) => {
  const field = fieldFor(r, world, ['number', 'date', 'geo'], nested);
  const scale = { number: [3, '3'], date: ['10d', '1h'], geo: ['500km', '12mi'] }[field.kind] ?? [1];
  const origin = field.kind === 'geo' ? '40,-70' : field.kind === 'date' ? '2024-02-01' : 5;
  const body = {
    origin,
    scale: r.pick(scale),
    ...r.options({ decay: () => 0.3, offset: () => (field.kind === 'number' ? 1 : undefined) }),
  };
  return {
    [r.pick(['gauss', 'exp', 'linear'])]: {
      [field.path]: body,
      ...r.options({ multi_value_mode: () => r.pick(['min', 'avg', 'sum']) }),
    },
  };
};
function scoreFunction(r, world, nested, depth) {
  const filter = r.options({ filter: () => query(r, world, nested, depth) }, 0.4);
  const factor = {
    field_value_factor: {
      field: fieldFor(r, world, ['number'], nested).path,
      missing: 1,
      modifier: r.pick(['none', 'square', 'log2p', 'ln2p', 'reciprocal']),
      factor: r.pick([0.5, 1, 2]),
    },
  };
  const own = r.weighted([
    [2, { weight: r.decimal(0.1, 5) }],
    [2, decay(r, world, nested)],
    [1, factor],
    [1, { random_score: { seed: 7, field: '_seq_no' } }],
  ]);
  return { ...filter, ...own, ...r.options({ weight: () => 2 }, 0.2) };
}
function functionScore(r, world, nested, depth) {
  const options = r.options(
    {
      score_mode: () => r.pick(['multiply', 'sum', 'avg', 'first', 'max', 'min']),
      boost_mode: () => r.pick(['multiply', 'replace', 'sum', 'avg', 'max', 'min']),
      max_boost: () => 5,
      min_score: () => 0.5,
    },
    0.3,
  );
  const functions = r.list(1, 3, () => scoreFunction(r, world, nested, depth));
  return { function_score: { query: query(r, world, nested, depth), functions, ...options } };
}
function nestedQuery(r, world, nested, depth) {
  const options = r.options({
    score_mode: () => r.pick(['avg', 'max', 'min', 'sum', 'none']),
    ignore_unmapped: () => true,
  });
  const inner = r.options(
    { inner_hits: () => r.options({ size: () => 2, name: () => `i${r.below(1e6)}`, sort: () => [{ 'n.i': 'asc' }] }) },
    0.2,
  );
  const hasNested = world.fields.some((field) => field.nested === 'n');
  // A nested query in one on the same path joins objects with themselves: 8.12 fails or finds neighbours.
  if (nested === 'n') return query(r, world, nested, 0);
  return {
    nested: {
      path: hasNested ? 'n' : 'o',
      query: query(r, world, hasNested ? 'n' : nested, depth),
      ...options,
      ...inner,
    },
  };
}

function interval(r, depth) {
  if (depth <= 0 || r.chance(0.5)) {
    return r.weighted([
      [4, { match: { query: phrase(r), ...r.options({ ordered: () => true, max_gaps: () => r.between(0, 3) }) } }],
      [1, { prefix: { prefix: r.pick(['qu', 'fo']) } }],
      [1, { wildcard: { pattern: 'b*n' } }],
      [1, { fuzzy: { term: 'foy', ...r.options({ fuzziness: () => 1, prefix_length: () => 1 }) } }],
    ]);
  }
  const intervals = r.list(1, 3, () => interval(r, depth - 1));
  const kind = r.pick([
    'containing',
    'not_overlapping',
    'before',
    'after',
    'contained_by',
    'overlapping',
    'not_containing',
  ]);
  const filter = r.options({ filter: () => ({ [kind]: interval(r, 0) }) }, 0.2);
  if (r.bool()) return { any_of: { intervals, ...filter } };
  return { all_of: { intervals, ...filter, ...r.options({ ordered: () => true, max_gaps: () => r.between(0, 4) }) } };
}
function span(r, path, depth) {
  if (depth <= 0 || r.chance(0.4)) return { span_term: { [path]: r.pick(WORDS).toLowerCase() } };
  const clauses = () => r.list(1, 3, () => span(r, path, depth - 1));
  return r.weighted([
    [3, { span_near: { clauses: clauses(), slop: r.between(0, 4), in_order: r.bool() } }],
    [2, { span_or: { clauses: clauses() } }],
    [1, { span_first: { match: span(r, path, depth - 1), end: r.between(1, 4) } }],
    [
      1,
      {
        span_not: {
          include: span(r, path, depth - 1),
          exclude: span(r, path, 0),
          ...r.options({ dist: () => 1, pre: () => 1 }, 0.2),
        },
      },
    ],
    [1, { span_multi: { match: { prefix: { [path]: { value: r.pick(['qu', 'f', 'b']) } } } } }],
    [1, { span_containing: { big: span(r, path, depth - 1), little: span(r, path, 0) } }],
    [1, { span_within: { big: span(r, path, depth - 1), little: span(r, path, 0) } }],
  ]);
}

const geoField = (r, world, nested) => fieldFor(r, world, ['geo'], nested).path;
function geoBox(r, world, nested) {
  const box = r.pick([
    { top_left: '60,-80', bottom_right: '-40,20' },
    { top_right: { lat: 60, lon: 20 }, bottom_left: [-80, 30] },
    { top: 80, left: 100, bottom: -80, right: -100 },
    { wkt: 'BBOX (-75, 20, 60, 30)' },
  ]);
  return {
    geo_bounding_box: {
      [geoField(r, world, nested)]: box,
      ...r.options({ ignore_unmapped: () => true, validation_method: () => 'COERCE' }, 0.1),
    },
  };
}
function moreLikeThis(r, world, nested) {
  const like = r.weighted([
    [2, phrase(r)],
    [2, [{ _id: String(r.below(8)), _index: world.index }]],
    [1, [phrase(r), { _index: world.index, _id: '1' }]],
  ]);
  const options = r.options(
    {
      max_query_terms: () => 4,
      minimum_should_match: () => '50%',
      include: () => true,
      boost_terms: () => 2,
      unlike: () => phrase(r),
      min_word_length: () => 3,
      max_doc_freq: () => 9,
      stop_words: () => ['the'],
    },
    0.2,
  );
  return {
    more_like_this: { fields: [textual(r, world, nested)], like, min_term_freq: 1, min_doc_freq: 1, ...options },
  };
}
function distanceFeature(r, world, nested) {
  const field = fieldFor(r, world, ['date', 'geo'], nested);
  const geo = field.kind === 'geo';
  return {
    distance_feature: {
      field: field.path,
      origin: geo ? '40,-70' : '2024-02-01',
      pivot: geo ? '300km' : '10d',
      ...boost(r),
    },
  };
}
function termQuery(r, world, nested) {
  const field = fieldFor(r, world, [...TERMS, 'range'], nested);
  const value = valueOf(r, field);
  const options = { ...boost(r), ...r.options({ case_insensitive: () => true }, 0.08) };
  return { term: { [field.path]: r.chance(0.3) ? value : { value, ...options } } };
}
function termsQuery(r, world, nested) {
  const field = fieldFor(r, world, TERMS, nested);
  const lookup = { index: world.index, id: String(r.below(5)), path: field.path };
  return { terms: { [field.path]: r.chance(0.1) ? lookup : r.list(0, 4, () => valueOf(r, field)), ...boost(r) } };
}
const fieldExists = (r, world, nested) => ({
  exists: {
    field: r.chance(0.1)
      ? r.pick(['_id', '_index', 'o', 'n', 't*', '_ignored', '_seq_no'])
      : fieldFor(r, world, ['text', 'keyword', 'number', 'range', 'geo', 'binary', 'completion', 'date'], nested).path,
  },
});
function termsSet(r, world, nested) {
  const field = fieldFor(r, world, ['keyword', 'text'], nested);
  return {
    terms_set: {
      [field.path]: {
        terms: r.list(1, 4, () => valueOf(r, field)),
        minimum_should_match_field: fieldFor(r, world, ['number'], nested).path,
      },
    },
  };
}

const LEAVES = {
  term: [8, termQuery],
  terms: [5, termsQuery],
  range: [8, rangeQuery],
  exists: [4, fieldExists],
  prefix: [2, expandingQuery('prefix', ['q', 'b', 'a', 'fo', '1', 'Ä', ''])],
  wildcard: [3, expandingQuery('wildcard', ['*o*', 'q?ick', 'a*', '*', '?', 'B*N', 'a\\*b', '1*'])],
  regexp: [2, expandingQuery('regexp', ['qu.*', 'b(r|l).+', '[a-c]+', 'fo{1,2}x', '.*', 'a@', '~a', '[0-9]+'])],
  fuzzy: [2, fuzzyQuery],
  match: [8, matchQuery],
  match_phrase: [3, phraseQuery('match_phrase')],
  match_phrase_prefix: [2, phraseQuery('match_phrase_prefix')],
  match_bool_prefix: [2, matchBoolPrefix],
  multi_match: [5, multiMatch],
  combined_fields: [2, combinedFields],
  query_string: [5, queryStringQuery],
  simple_query_string: [4, simpleQueryString],
  ids: [2, (r) => ({ ids: { values: r.list(0, 4, () => String(r.below(10))) } })],
  match_all: [2, (r) => ({ match_all: boost(r) })],
  match_none: [1, () => ({ match_none: {} })],
  intervals: [3, (r, world, nested) => ({ intervals: { [textual(r, world, nested)]: interval(r, 2) } })],
  span: [3, (r, world, nested) => span(r, textual(r, world, nested), 2)],
  geo_bounding_box: [2, geoBox],
  geo_distance: [
    2,
    (r, world, nested) => ({
      geo_distance: {
        distance: r.pick(['500km', '10mi', 20000000, '1000km']),
        [geoField(r, world, nested)]: r.pick(['40.7,-74', { lat: 48, lon: 2 }, [0, 0]]),
        ...r.options({ distance_type: () => 'plane' }, 0.2),
      },
    }),
  ],
  more_like_this: [2, moreLikeThis],
  distance_feature: [2, distanceFeature],
  terms_set: [1, termsSet],
};
const COMPOUNDS = {
  bool: [8, boolQuery],
  constant_score: [
    2,
    (r, world, nested, depth) => ({ constant_score: { filter: query(r, world, nested, depth), ...boost(r) } }),
  ],
  dis_max: [
    2,
    (r, world, nested, depth) => ({
      dis_max: {
        queries: r.list(1, 3, () => query(r, world, nested, depth)),
        ...r.options({ tie_breaker: () => 0.4 }),
        ...boost(r),
      },
    }),
  ],
  boosting: [
    1,
    (r, world, nested, depth) => ({
      boosting: {
        positive: query(r, world, nested, depth),
        negative: query(r, world, nested, depth),
        negative_boost: 0.3,
      },
    }),
  ],
  function_score: [3, functionScore],
  nested: [4, nestedQuery],
};

/** A query over fields of the world, those below `nested` if given; `depth` levels of compound queries at most. */
export function query(r, world, nested = null, depth = 2) {
  const table = depth > 0 && r.chance(0.35) ? COMPOUNDS : LEAVES;
  return r.weighted(table)(r, world, nested, depth - 1);
}

/** Searches with one query, with all hits and little else. */
export function queryRequest(r, world) {
  const more = r.options(
    { track_total_hits: () => r.pick([true, false, 3]), min_score: () => 0.3, explain: () => true },
    0.06,
  );
  const body = { size: 30, _source: false, query: query(r, world), ...more };
  return [
    {
      method: 'POST',
      path: `/${r.pick(world.names)}/_search`,
      query: r.options({ ignore_unavailable: () => 'true', search_type: () => 'dfs_query_then_fetch' }, 0.06),
      body,
    },
  ];
}
