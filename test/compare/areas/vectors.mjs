// Searches for the nearest vectors. With as many candidates as documents both servers find exactly the nearest.
import { text } from '../fields.mjs';

const SIMILARITIES = ['cosine', 'l2_norm', 'dot_product', 'max_inner_product'];
const CANDIDATES = 100;
const KEYS = ['a', 'b', 'c'];

/** A vector that the field takes: of length 1 where products are compared, of small whole numbers for bytes. */
function vectorOf(r, { dims, isByte, similarity }) {
  const values = Array.from({ length: dims }, () => (isByte ? r.between(-20, 20) : r.decimal(-2, 2)));
  if (values.every((value) => value === 0)) values[0] = 1;
  if (isByte || similarity !== 'dot_product') return values;
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value / length);
}

function fieldOf(r) {
  const isByte = r.chance(0.3);
  return {
    dims: r.pick([2, 3, 5, 16]),
    isByte,
    similarity: r.pick(SIMILARITIES),
    isIndexed: r.chance(0.93),
    isMeasured: r.chance(0.8),
  };
}

const mappingOf = (r, field) => ({
  type: 'dense_vector',
  ...(field.isMeasured ? { dims: field.dims } : {}),
  ...(field.isByte ? { element_type: 'byte' } : {}),
  ...(field.isIndexed ? { similarity: field.similarity } : { index: false }),
  ...(field.isIndexed
    ? r.options({ index_options: () => ({ type: 'hnsw', m: r.between(4, 20), ef_construction: r.between(20, 120) }) })
    : {}),
});

function documentOf(r, { own, inner }) {
  return {
    k: r.pick(KEYS),
    i: r.between(0, 9),
    t: text(r, 4),
    ...(r.chance(0.9) ? { v: vectorOf(r, own) } : {}),
    ...(r.chance(0.8)
      ? { n: r.list(0, 3, () => ({ k: r.pick(KEYS), ...(r.chance(0.9) ? { v: vectorOf(r, inner) } : {}) })) }
      : {}),
  };
}

const filterOf = (r) =>
  r.pick([
    { term: { k: r.pick(KEYS) } },
    { range: { i: { lt: r.between(0, 10) } } },
    { bool: { must_not: { term: { k: r.pick(KEYS) } } } },
    { match: { t: 'quick' } },
    [{ term: { k: r.pick(KEYS) } }, { range: { i: { gte: r.between(0, 9) } } }],
  ]);

const innerHitsOf = (r) => ({
  size: 2,
  _source: false,
  ...r.options({
    name: () => r.pick(['one', 'two', 'three']),
    fields: () => ['n.k'],
    from: () => 1,
    sort: () => [{ 'n.k': 'desc' }, '_score'],
    explain: () => true,
  }),
});

function nearest(r, { own, inner }, name) {
  const isInner = r.chance(0.25);
  const field = isInner ? inner : own;
  return {
    field: isInner ? 'n.v' : 'v',
    query_vector: vectorOf(r, field),
    ...(name === 'section' ? { k: r.between(1, 12) } : {}),
    num_candidates: CANDIDATES,
    ...r.options(
      {
        filter: () => filterOf(r),
        boost: () => r.pick([0, 0.5, 2, 3.5]),
        similarity: () => r.pick([-1, 0, 0.3, 0.9, 1, 5, 30]),
        ...(isInner && name === 'section' ? { inner_hits: () => innerHitsOf(r) } : {}),
      },
      0.25,
    ),
  };
}

const matching = (r) => r.pick([{ match: { t: text(r, 2) } }, { term: { k: r.pick(KEYS) } }, { match_all: {} }]);

function queryOf(r, world) {
  const { query_vector, filter, boost, similarity, field, num_candidates } = nearest(r, world, 'query');
  const knn = { knn: { field, query_vector, num_candidates, filter, boost, similarity } };
  const inner = r.options({ inner_hits: () => innerHitsOf(r) });
  const mode = r.pick(['max', 'sum', 'avg', 'none']);
  const own = field === 'n.v' ? { nested: { path: 'n', score_mode: mode, query: knn, ...inner } } : knn;
  if (r.chance(0.5)) return own;
  return { bool: { [r.pick(['must', 'should'])]: [own, matching(r)], ...r.options({ filter: () => filterOf(r) }) } };
}

function bodyOf(r, world) {
  const more = r.options(
    {
      from: () => r.between(0, 3),
      aggs: () => ({ k: { terms: { field: 'k' }, aggs: { i: { avg: { field: 'i' } } } } }),
      explain: () => true,
      profile: () => true,
      collapse: () => ({ field: 'k', ...r.options({ inner_hits: () => ({ name: 'same', size: 2, _source: false }) }) }),
      rescore: () => ({ window_size: 5, query: { rescore_query: { term: { k: r.pick(KEYS) } } } }),
      terminate_after: () => 1000,
      post_filter: () => ({ term: { k: r.pick(KEYS) } }),
      min_score: () => r.pick([0.3, 0.6, 1]),
      fields: () => ['k', 'i'],
      sort: () => [{ i: 'asc' }, { _score: 'desc' }],
      track_total_hits: () => r.pick([true, false, 3]),
    },
    0.15,
  );
  const size = r.between(1, 15);
  if (r.chance(0.4)) return { size, _source: false, query: queryOf(r, world), ...more };
  const knn = r.chance(0.2) ? r.list(1, 3, () => nearest(r, world, 'section')) : nearest(r, world, 'section');
  return { size, _source: false, knn, ...r.options({ query: () => matching(r) }), ...more };
}

/** Two pages of a point in time, the second one after the last document of the first. */
function pagesOf(r, path, world, stepsBefore) {
  const { from: _from, collapse: _collapse, rescore: _rescore, ...body } = bodyOf(r, world);
  const paged = {
    ...body,
    size: 2,
    sort: r.pick([[{ _score: 'desc' }], [{ k: 'asc' }, { i: 'desc' }], [{ i: 'asc' }]]),
  };
  const id = `{{${stepsBefore}.id}}`;
  const pit = { id, keep_alive: '1m' };
  return [
    { method: 'POST', path: `${path}/_pit`, query: { keep_alive: '1m' } },
    { method: 'POST', path: '/_search', body: { ...paged, pit } },
    {
      method: 'POST',
      path: '/_search',
      body: { ...paged, pit, search_after: `{{${stepsBefore + 1}.hits.hits.last.sort}}` },
    },
    { method: 'DELETE', path: '/_pit', body: { id } },
  ];
}

/** An index with vectors, and searches of it. */
export function vectorRequest(r, { prefix }) {
  const index = `${prefix}-v`;
  const world = { own: fieldOf(r), inner: { ...fieldOf(r), isIndexed: true } };
  const properties = {
    k: { type: 'keyword' },
    i: { type: 'integer' },
    t: { type: 'text' },
    v: mappingOf(r, world.own),
    n: { type: 'nested', properties: { k: { type: 'keyword' }, v: mappingOf(r, world.inner) } },
  };
  const settings = { number_of_shards: r.pick([1, 1, 2, 3]), number_of_replicas: 0 };
  const bulk = Array.from({ length: r.between(3, 30) }, (_, i) => [
    { index: { _id: String(i) } },
    documentOf(r, world),
  ]);
  const halves = r.chance(0.4) ? [bulk.slice(0, bulk.length >> 1), bulk.slice(bulk.length >> 1)] : [bulk];
  const steps = [
    { method: 'PUT', path: `/${index}`, body: { settings, mappings: { properties } } },
    ...halves
      .filter((lines) => lines.length > 0)
      .map((body) => ({ method: 'POST', path: `/${index}/_bulk`, query: { refresh: 'true' }, body })),
    ...(r.chance(0.2) ? [{ method: 'DELETE', path: `/${index}/_doc/1`, query: { refresh: 'true' } }] : []),
    ...r.list(4, 12, () => ({ method: 'POST', path: `/${index}/_search`, body: bodyOf(r, world) })),
    { method: 'GET', path: `/${index}/_mapping` },
    { method: 'GET', path: `/${index}/_field_caps`, query: { fields: '*' } },
  ];
  return r.chance(0.5) ? [...steps, ...pagesOf(r, `/${index}`, world, steps.length)] : steps;
}
