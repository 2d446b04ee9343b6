// Sections of a search body: sort, paging, collapse, highlights, fields, rescore, suggest, profile.
import { text, WORDS } from '../fields.mjs';
import { fieldFor } from '../world.mjs';
import { fieldList, query, queryString, valueOf } from './queries.mjs';

const SORTABLE = ['keyword', 'number', 'date', 'boolean', 'ip'];
const MODES = ['min', 'max', 'sum', 'avg', 'median'];

function sortOf(r, world) {
  if (r.chance(0.15)) return r.pick(['_score', '_doc', { _score: { order: 'asc' } }]);
  if (r.chance(0.08)) {
    const geo = fieldFor(r, world, ['geo']).path;
    const more = r.options(
      {
        unit: () => 'km',
        mode: () => r.pick(['min', 'max', 'avg']),
        distance_type: () => 'plane',
        order: () => 'desc',
      },
      0.4,
    );
    return { _geo_distance: { [geo]: '40,-70', ...more } };
  }
  const nested = r.chance(0.1) ? 'n' : null;
  const field = fieldFor(r, world, SORTABLE, nested);
  if (r.chance(0.3)) return r.pick([field.path, { [field.path]: r.pick(['asc', 'desc']) }]);
  const options = r.options(
    {
      order: () => r.pick(['asc', 'desc']),
      missing: () => r.pick(['_first', '_last', valueOf(r, field)]),
      mode: () => (field.kind === 'number' ? r.pick(MODES) : r.pick(['min', 'max'])),
      unmapped_type: () => 'long',
    },
    0.3,
  );
  const date =
    field.kind === 'date'
      ? r.options({ format: () => 'yyyy-MM-dd', numeric_type: () => r.pick(['date', 'date_nanos']) }, 0.2)
      : {};
  const number = field.kind === 'number' ? r.options({ numeric_type: () => r.pick(['long', 'double']) }, 0.1) : {};
  const below =
    nested === null
      ? {}
      : { nested: { path: 'n', ...r.options({ filter: () => query(r, world, 'n', 0), max_children: () => 2 }, 0.2) } };
  return { [field.path]: { ...options, ...date, ...number, ...below } };
}
const sort = (r, world) => r.list(1, 3, () => sortOf(r, world));
const search = (r, world, body, more = {}) => ({
  method: 'POST',
  path: `/${r.pick(world.names)}/_search`,
  query: more,
  body,
});

export function sortRequest(r, world) {
  const more = r.options(
    {
      track_scores: () => true,
      from: () => r.between(0, 3),
      query: () => query(r, world, null, 1),
      version: () => true,
      seq_no_primary_term: () => true,
    },
    0.2,
  );
  return [search(r, world, { size: r.between(1, 30), _source: false, sort: sort(r, world), ...more })];
}

/** A first page, and the page after its last hit. */
export function pagingRequest(r, world) {
  const by = [...sort(r, world).slice(0, 1), { _seq_no: 'asc' }];
  const size = r.between(1, 5);
  const kind = r.pick(['search_after', 'pit', 'scroll', 'from']);
  const body = {
    size,
    _source: false,
    ...r.options({ query: () => query(r, world, null, 1) }, 0.3),
    ...(kind === 'scroll' && r.bool() ? {} : { sort: by }),
  };
  const path = `/${r.pick(world.names)}/_search`;
  if (kind === 'from') return [{ method: 'POST', path, body: { ...body, from: r.between(0, 9) } }];
  if (kind === 'scroll') {
    const next = { method: 'POST', path: '/_search/scroll', body: { scroll: '1m', scroll_id: '{{0._scroll_id}}' } };
    const close = { method: 'DELETE', path: '/_search/scroll', body: { scroll_id: '{{0._scroll_id}}' } };
    return [{ method: 'POST', path, query: { scroll: '1m' }, body }, next, next, close, next];
  }
  const after = (step) => ({ ...body, search_after: `{{${step}.hits.hits.last.sort}}` });
  if (kind === 'search_after')
    return [
      { method: 'POST', path, body },
      { method: 'POST', path, body: after(0) },
    ];
  const pit = { id: '{{0.id}}', keep_alive: '1m' };
  return [
    { method: 'POST', path: path.replace('_search', '_pit'), query: { keep_alive: '1m' } },
    { method: 'POST', path: '/_search', body: { ...body, pit } },
    { method: 'POST', path: '/_search', body: { ...after(1), pit } },
    { method: 'DELETE', path: '/_pit', body: { id: '{{0.id}}' } },
  ];
}

const pattern = (r, world) =>
  r.pick([r.pick(world.fields).path, r.pick(world.fields).path, '*', 'n.*', 'o.*', 'd*', 'missing']);
function fieldsPart(r, world) {
  const dated = () => ({
    field: fieldFor(r, world, ['date']).path,
    format: r.pick(['yyyy-MM-dd', 'epoch_millis', 'yyyy']),
  });
  const entry = () =>
    r.chance(0.2)
      ? dated()
      : r.pick([pattern(r, world), { field: pattern(r, world), ...r.options({ include_unmapped: () => true }, 0.2) }]);
  const column = () => {
    const { path, kind } = fieldFor(r, world, [...SORTABLE, 'flattened', 'binary', 'geo', 'range']);
    return r.chance(0.7)
      ? path
      : { field: path, ...(kind === 'number' ? { format: '0.00' } : kind === 'date' ? { format: 'yyyy' } : {}) };
  };
  return r.options(
    {
      fields: () => r.list(1, 3, entry),
      docvalue_fields: () => r.list(1, 3, column),
      stored_fields: () => r.pick([[pattern(r, world)], '_none_', ['*'], pattern(r, world)]),
      _source: () =>
        r.pick([
          true,
          false,
          pattern(r, world),
          [pattern(r, world), 'n.k'],
          { includes: ['n.*', 'o.k'], excludes: [pattern(r, world)] },
          { excludes: ['*.k'] },
        ]),
      version: () => true,
      seq_no_primary_term: () => true,
    },
    0.4,
  );
}
export function fieldsRequest(r, world) {
  return [
    search(r, world, {
      size: 25,
      sort: ['_doc'],
      ...r.options({ query: () => query(r, world, null, 0) }, 0.2),
      ...fieldsPart(r, world),
    }),
  ];
}

const highlightOptions = (r) =>
  r.options(
    {
      fragment_size: () => r.pick([0, 18, 40, 100]),
      number_of_fragments: () => r.between(0, 3),
      no_match_size: () => 15,
      order: () => 'score',
      require_field_match: () => r.bool(),
      boundary_scanner: () => r.pick(['word', 'sentence']),
      max_analyzed_offset: () => 30,
    },
    0.15,
  );
const tags = (r) => r.maybe(0.15, () => ({ pre_tags: ['<b>', '<i>'], post_tags: ['</b>', '</i>'] }), {});
function highlightQuery(r, world) {
  return r.pick([
    () => ({ multi_match: { query: text(r, 3), fields: ['t', 'u', 'all'] } }),
    () => ({ match_phrase: { [fieldFor(r, world, ['text']).path]: { query: text(r, 3), slop: 1 } } }),
    () => ({ query_string: { query: queryString(r, world), fields: ['t', 'u'], lenient: true } }),
    () => ({
      bool: {
        should: [
          { match: { t: r.pick(WORDS) } },
          { prefix: { u: 'b' } },
          { wildcard: { t: '*o*' } },
          { fuzzy: { t: 'foy' } },
        ],
      },
    }),
    () => query(r, world, null, 1),
  ])();
}
export function highlightRequest(r, world) {
  const type = r.pick(['unified', 'plain', 'fvh', undefined]);
  const one = () => ({ ...(type && r.chance(0.9) ? { type } : {}), ...highlightOptions(r), ...tags(r) });
  const names = r.several(['t', 'u', 'all', 'k', 't.kw', 'o.t', 't*', '*'], 3);
  const fields = Object.fromEntries(names.map((name) => [name, one()]));
  const more = r.options({ highlight_query: () => highlightQuery(r, world) }, 0.1);
  const highlight = {
    ...highlightOptions(r),
    ...tags(r),
    ...r.options({ encoder: () => 'html', tags_schema: () => 'styled' }, 0.08),
    fields: r.chance(0.1) ? [fields] : fields,
    ...more,
  };
  delete highlight.max_analyzed_offset;
  return [search(r, world, { size: 20, _source: false, query: highlightQuery(r, world), highlight })];
}

export function collapseRequest(r, world) {
  const { path } = fieldFor(r, world, ['keyword', 'number']);
  const hits = (name) => ({
    name,
    size: r.between(1, 3),
    _source: false,
    ...r.options({ sort: () => sort(r, world).slice(0, 1), from: () => 1, version: () => true }, 0.3),
  });
  const inner = r.options({ inner_hits: () => r.pick([hits('x'), [hits('x'), hits('y')]]) }, 0.5);
  const collapse = { field: path, ...inner };
  const more = r.options({ sort: () => sort(r, world), from: () => 1, query: () => query(r, world, null, 1) }, 0.4);
  return [search(r, world, { size: 10, _source: false, collapse, ...more })];
}

export function innerHitsRequest(r, world) {
  const more = r.options(
    {
      size: () => r.between(0, 3),
      from: () => 1,
      sort: () => [{ 'n.i': r.pick(['asc', 'desc']) }],
      _source: () => r.pick([false, ['n.k'], 'n.i']),
      docvalue_fields: () => ['n.i'],
      fields: () => ['n.*'],
      highlight: () => ({ fields: { 'n.t': {} } }),
      explain: () => false,
      version: () => true,
      seq_no_primary_term: () => true,
    },
    0.3,
  );
  const nested = { path: 'n', query: query(r, world, 'n', 1), inner_hits: more, ignore_unmapped: true };
  return [search(r, world, { size: 10, _source: false, query: { nested } })];
}

export function rescoreRequest(r, world) {
  const one = () => ({
    window_size: r.between(1, 10),
    query: {
      rescore_query: query(r, world, null, 1),
      ...r.options(
        {
          query_weight: () => 0.7,
          rescore_query_weight: () => 1.5,
          score_mode: () => r.pick(['total', 'multiply', 'avg', 'max', 'min']),
        },
        0.4,
      ),
    },
  });
  return [
    search(r, world, {
      size: 20,
      _source: false,
      query: query(r, world, null, 1),
      rescore: r.bool() ? one() : [one(), one()],
    }),
  ];
}

function suggester(r, world) {
  const field = fieldFor(r, world, ['text']).path;
  const terms = r.options(
    {
      size: () => r.between(1, 4),
      sort: () => r.pick(['score', 'frequency']),
      suggest_mode: () => r.pick(['missing', 'popular', 'always']),
      max_edits: () => r.between(1, 2),
      prefix_length: () => r.between(0, 2),
      min_word_length: () => 3,
      string_distance: () => r.pick(['internal', 'damerau_levenshtein', 'levenshtein', 'jaro_winkler', 'ngram']),
      shard_size: () => 10,
      max_term_freq: () => 5,
      min_doc_freq: () => 1,
    },
    0.2,
  );
  const phrase = r.options(
    {
      size: () => 3,
      confidence: () => r.pick([0, 1]),
      max_errors: () => r.pick([1, 2, 0.5]),
      highlight: () => ({ pre_tag: '<', post_tag: '>' }),
      real_word_error_likelihood: () => 0.8,
      separator: () => ' ',
      smoothing: () => r.pick([{ laplace: { alpha: 0.7 } }, { stupid_backoff: { discount: 0.5 } }]),
    },
    0.25,
  );
  const completion = {
    field: 'comp',
    ...r.options(
      { size: () => 3, skip_duplicates: () => true, fuzzy: () => r.pick([{}, { fuzziness: 1, min_length: 2 }]) },
      0.3,
    ),
  };
  const generator = {
    direct_generator: [{ field, suggest_mode: r.pick(['always', 'missing', 'popular']), min_word_length: 1 }],
  };
  return r.weighted([
    [
      3,
      {
        text: `${r.pick(['quik', 'brwon', 'foxs', 'lazi'])} ${r.pick(['dgo', 'red', 'blu'])}`,
        term: { field, ...terms },
      },
    ],
    [
      2,
      { text: `${r.pick(['quik', 'brown'])} ${r.pick(['foxs', 'dgo'])}`, phrase: { field, ...generator, ...phrase } },
    ],
    [2, { prefix: r.pick(['q', 'br', 'the ', 'lzay', 'f']), completion }],
    [
      0.5,
      { regex: r.pick(['q.*', '[bl].+', 'f(o|u)x.*']), completion: { field: 'comp', ...r.options({ size: () => 3 }) } },
    ],
  ]);
}
export function suggestRequest(r, world) {
  const suggest = Object.fromEntries(['s', 'z'].slice(0, r.between(1, 2)).map((name) => [name, suggester(r, world)]));
  return [search(r, world, { size: 0, suggest })];
}

const PARTS = [sortRequest, fieldsRequest, highlightRequest, collapseRequest, rescoreRequest, suggestRequest];
/** Several sections in one body, sometimes in one of several searches of an _msearch. */
export function mixedRequest(r, world) {
  const bodies = r.several(PARTS, 3).map((part) => part(r, world)[0].body);
  const body = Object.assign(
    {},
    ...bodies,
    r.options({ indices_boost: () => [{ [world.index]: 2 }], timeout: () => '10s', terminate_after: () => 1000 }, 0.1),
  );
  if (body.rescore) delete body.sort;
  if (body.collapse) delete body.rescore;
  if (r.chance(0.7))
    return [
      search(r, world, body, r.options({ typed_keys: () => 'true', rest_total_hits_as_int: () => 'true' }, 0.08)),
    ];
  const other = { query: query(r, world, null, 1), size: 2, _source: false };
  return [
    {
      method: 'POST',
      path: '/_msearch',
      query: r.options({ typed_keys: () => 'true' }, 0.1),
      body: [
        [{ index: world.index }, body],
        [{ index: r.pick(world.names) }, other],
      ],
    },
  ];
}

/** `q=` and the other sections that a URI may have. */
export function uriRequest(r, world) {
  const options = r.options(
    {
      df: () => fieldList(r, world)[0].replace(/\^.*/, ''),
      default_operator: () => r.pick(['AND', 'or']),
      analyze_wildcard: () => 'true',
      analyzer: () => 'whitespace',
      lenient: () => 'true',
      sort: () => `${fieldFor(r, world, SORTABLE).path}:${r.pick(['asc', 'desc'])}`,
      from: () => '1',
      size: () => String(r.between(1, 20)),
      _source: () => r.pick(['false', 't,k', 'n.*']),
      _source_includes: () => 'k,l',
      _source_excludes: () => 't',
      stored_fields: () => 'k',
      docvalue_fields: () => 'int,k',
      track_total_hits: () => r.pick(['false', '2', 'true']),
      track_scores: () => 'true',
      version: () => 'true',
      explain: () => 'false',
      terminate_after: () => '1000',
      rest_total_hits_as_int: () => 'true',
    },
    0.1,
  );
  const call = r.weighted([
    [5, '_search'],
    [1, '_count'],
    [1, '_validate/query'],
  ]);
  const common = ['df', 'default_operator', 'analyze_wildcard', 'analyzer', 'lenient'];
  const kept =
    call === '_search'
      ? options
      : Object.fromEntries(Object.entries(options).filter(([name]) => common.includes(name)));
  const size = call === '_search' && !kept.size ? { size: '20' } : {};
  return [
    {
      method: 'GET',
      path: `/${r.pick(world.names)}/${call}`,
      query: { q: queryString(r, world), lenient: 'true', ...size, ...kept },
    },
  ];
}
