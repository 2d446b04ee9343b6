// Aggregations of every type of the core, nested two to three levels, with pipelines.
import { fieldFor } from '../world.mjs';
import { query, valueOf } from './queries.mjs';

const NUMBERS = ['number', 'number', 'date', 'boolean'];
const VALUES = ['keyword', 'number', 'date', 'boolean', 'ip', 'flattened'];
const missing = (r, field) => r.options({ missing: () => valueOf(r, field) }, 0.1);
const metric =
  (name, kinds, more = () => ({})) =>
  (r, world, nested) => {
    const field = fieldFor(r, world, kinds, nested);
    return { [name]: { field: field.path, ...missing(r, field), ...more(r, field) } };
  };
const format = (r) => r.options({ format: () => r.pick(['0.00', '#,##0.0', 'yyyy-MM']) }, 0.06);

function percentiles(r) {
  return {
    ...r.options({ percents: () => r.pick([[50], [1, 50, 99.9], [25, 75]]), keyed: () => false }, 0.3),
    ...r.options(
      { tdigest: () => ({ compression: 200 }), hdr: () => ({ number_of_significant_value_digits: 3 }) },
      0.08,
    ),
  };
}
function topHits(r, world, nested) {
  const sort = () => [{ [fieldFor(r, world, ['number', 'keyword', 'date'], nested).path]: r.pick(['asc', 'desc']) }];
  return {
    top_hits: {
      size: r.between(1, 3),
      _source: false,
      ...r.options(
        { from: () => 1, sort, version: () => true, seq_no_primary_term: () => true, docvalue_fields: () => ['int'] },
        0.3,
      ),
    },
  };
}
const METRICS = {
  avg: [4, metric('avg', NUMBERS, format)],
  sum: [4, metric('sum', NUMBERS, format)],
  min: [4, metric('min', NUMBERS, format)],
  max: [4, metric('max', NUMBERS, format)],
  stats: [2, metric('stats', NUMBERS, format)],
  extended_stats: [2, metric('extended_stats', NUMBERS, (r) => r.options({ sigma: () => r.between(0, 3) }))],
  value_count: [2, metric('value_count', [...VALUES, 'range', 'geo'])],
  cardinality: [
    3,
    metric('cardinality', [...VALUES, 'geo'], (r) => r.options({ precision_threshold: () => r.pick([10, 3000]) })),
  ],
  percentiles: [2, metric('percentiles', NUMBERS, percentiles)],
  percentile_ranks: [
    1,
    metric('percentile_ranks', NUMBERS, (r) => ({ values: [1, 5.5], ...r.options({ keyed: () => false }) })),
  ],
  median_absolute_deviation: [1, metric('median_absolute_deviation', ['number'])],
  geo_bounds: [1, metric('geo_bounds', ['geo'], (r) => r.options({ wrap_longitude: () => false }))],
  geo_centroid: [1, metric('geo_centroid', ['geo'])],
  weighted_avg: [
    1,
    (r, world, nested) => ({
      weighted_avg: {
        value: { field: fieldFor(r, world, ['number'], nested).path, ...r.options({ missing: () => 1 }) },
        weight: { field: fieldFor(r, world, ['number'], nested).path, ...r.options({ missing: () => 2 }) },
      },
    }),
  ],
  top_hits: [2, topHits],
};

const order = (r) =>
  r.pick([
    { _key: 'asc' },
    { _count: 'asc' },
    { _key: 'desc' },
    { _count: 'desc' },
    [{ _count: 'asc' }, { _key: 'desc' }],
  ]);
function terms(r, world, nested) {
  const field = fieldFor(r, world, VALUES, nested);
  const options = r.options(
    {
      size: () => r.between(1, 8),
      shard_size: () => 20,
      order: () => order(r),
      min_doc_count: () => r.between(0, 2),
      show_term_doc_count_error: () => true,
      execution_hint: () => r.pick(['map', 'global_ordinals']),
      collect_mode: () => r.pick(['breadth_first', 'depth_first']),
      include: () => (field.kind === 'keyword' ? r.pick(['a.*', ['a', 'b']]) : [valueOf(r, field)]),
      exclude: () => (field.kind === 'keyword' ? r.pick(['b', ['c']]) : [valueOf(r, field)]),
    },
    0.12,
  );
  return { terms: { field: field.path, ...options, ...missing(r, field) } };
}
function histogram(r, world, nested) {
  const field = fieldFor(r, world, ['number', 'range'], nested);
  const options = r.options(
    {
      offset: () => r.decimal(0, 2),
      min_doc_count: () => r.between(0, 1),
      keyed: () => true,
      order: () => ({ _count: 'desc' }),
      extended_bounds: () => ({ min: -2, max: 12 }),
      hard_bounds: () => ({ min: 0, max: 10 }),
    },
    0.12,
  );
  return {
    histogram: {
      field: field.path,
      interval: r.pick([1, 2.5, 10]),
      min_doc_count: 1,
      ...options,
      ...missing(r, field),
    },
  };
}
function dateHistogram(r, world, nested) {
  const field = fieldFor(r, world, ['date', 'date', 'range'], nested);
  const every = r.bool()
    ? { calendar_interval: r.pick(['month', '1M', 'year', '1w', 'quarter', 'day']) }
    : { fixed_interval: r.pick(['1d', '30d', '12h', '90m']) };
  const options = r.options(
    {
      time_zone: () => r.pick(['+01:00', 'Europe/Berlin', 'America/New_York', 'UTC']),
      offset: () => r.pick(['+6h', '-1d', '30m']),
      keyed: () => true,
      format: () => r.pick(['yyyy-MM-dd', 'epoch_second', "yyyy-MM-dd'T'HH:mm:ssZ"]),
      order: () => ({ _key: 'desc' }),
    },
    0.2,
  );
  return { date_histogram: { field: field.path, ...every, min_doc_count: 1, ...options } };
}
function ranges(name, kinds, bounds) {
  return (r, world, nested) => {
    const one = () => ({
      ...r.options({ key: () => r.pick(['x', 'y']) }, 0.2),
      ...r.options({ from: () => r.pick(bounds) }, 0.7),
      to: r.pick(bounds),
    });
    return {
      [name]: {
        field: fieldFor(r, world, kinds, nested).path,
        ranges: r.list(1, 3, one),
        ...r.options({ keyed: () => true }),
      },
    };
  };
}
function geoDistance(r, world, nested) {
  const options = r.options({ unit: () => r.pick(['km', 'mi']), keyed: () => true, distance_type: () => 'plane' });
  return {
    geo_distance: {
      field: fieldFor(r, world, ['geo'], nested).path,
      origin: '40,-70',
      ranges: [{ to: 1000 }, { from: 1000, to: 9e6 }, { from: 9e6 }],
      ...options,
    },
  };
}
const grid = (name, precisions) => (r, world, nested) => ({
  [name]: {
    field: fieldFor(r, world, ['geo'], nested).path,
    precision: r.pick(precisions),
    ...r.options({ size: () => 3, bounds: () => ({ top_left: '60,-80', bottom_right: '-40,20' }) }, 0.15),
  },
});
function filters(r, world, nested) {
  if (r.chance(0.4))
    return {
      filters: { filters: r.list(1, 3, () => query(r, world, nested, 0)), ...r.options({ other_bucket: () => true }) },
    };
  return {
    filters: {
      filters: { x: query(r, world, nested, 0), y: query(r, world, nested, 0) },
      ...r.options({ other_bucket_key: () => 'rest', keyed: () => false }),
    },
  };
}
function compositeSource(r, world, nested) {
  const more = () => r.options({ order: () => 'desc', missing_bucket: () => true }, 0.25);
  return r.weighted([
    [3, { terms: { field: fieldFor(r, world, VALUES, nested).path, ...more() } }],
    [1, { histogram: { field: fieldFor(r, world, ['number'], nested).path, interval: 5, ...more() } }],
    [
      1,
      {
        date_histogram: {
          field: fieldFor(r, world, ['date'], nested).path,
          calendar_interval: 'month',
          ...r.options({ format: () => 'yyyy-MM' }),
          ...more(),
        },
      },
    ],
    [1, { geotile_grid: { field: fieldFor(r, world, ['geo'], nested).path, precision: 3, ...more() } }],
  ]);
}
const composite = (r, world, nested) => ({
  composite: {
    size: r.between(1, 10),
    sources: ['p', 'q'].slice(0, r.between(1, 2)).map((name) => ({ [name]: compositeSource(r, world, nested) })),
  },
});
const significant = (r, world, nested) => {
  const heuristic = r.options(
    { jlh: () => ({}), chi_square: () => ({}), gnd: () => ({}), percentage: () => ({}) },
    0.1,
  );
  return {
    significant_terms: {
      field: fieldFor(r, world, ['keyword', 'number'], nested).path,
      min_doc_count: 1,
      ...(Object.keys(heuristic).length === 1 ? heuristic : {}),
    },
  };
};
const BUCKETS = {
  terms: [8, terms],
  histogram: [4, histogram],
  date_histogram: [4, dateHistogram],
  range: [2, ranges('range', ['number'], [-2, 0, 3.5, 7, 20])],
  date_range: [2, ranges('date_range', ['date'], ['2020-01-01', '2024-01-01', '2024-02-01||/M', '2024-03-31'])],
  ip_range: [1, ranges('ip_range', ['ip'], ['10.0.0.0', '10.0.0.9', '192.168.0.0'])],
  ip_prefix: [
    1,
    (r, world, nested) => ({
      ip_prefix: {
        field: fieldFor(r, world, ['ip'], nested).path,
        prefix_length: r.pick([8, 16, 24, 32]),
        ...r.options({ keyed: () => true, min_doc_count: () => 2 }),
      },
    }),
  ],
  geo_distance: [1, geoDistance],
  geohash_grid: [1, grid('geohash_grid', [1, 3, 5, '1000km'])],
  geotile_grid: [1, grid('geotile_grid', [0, 3, 8])],
  filter: [2, (r, world, nested) => ({ filter: query(r, world, nested, 1) })],
  filters: [2, filters],
  missing: [2, metric('missing', [...VALUES, 'geo', 'range'])],
  global: [1, () => ({ global: {} })],
  sampler: [1, (r) => ({ sampler: r.options({ shard_size: () => 100 }) })],
  rare_terms: [
    1,
    (r, world, nested) => ({
      rare_terms: { field: fieldFor(r, world, VALUES, nested).path, ...r.options({ max_doc_count: () => 2 }) },
    }),
  ],
  significant_terms: [1, significant],
  composite: [2, composite],
  variable_width_histogram: [
    0.3,
    (r, world, nested) => ({
      variable_width_histogram: { field: fieldFor(r, world, ['number'], nested).path, buckets: 3 },
    }),
  ],
  random_sampler: [0.2, () => ({ random_sampler: { probability: 1, seed: 3 } })],
};
const MULTIPLE = ['terms', 'histogram', 'date_histogram', 'range', 'date_range', 'filters', 'composite'];

const gaps = (r) =>
  r.options({ gap_policy: () => r.pick(['skip', 'insert_zeros', 'keep_values']), format: () => '0.0' }, 0.15);
function sibling(r, path) {
  const name = r.pick([
    'avg_bucket',
    'sum_bucket',
    'min_bucket',
    'max_bucket',
    'stats_bucket',
    'extended_stats_bucket',
    'percentiles_bucket',
  ]);
  return { [name]: { buckets_path: path, ...gaps(r) } };
}
const parent = (r, path) => ({ cumulative_sum: { buckets_path: path, ...r.options({ format: () => '0.0' }) } });

/** Adds pipelines that read the metric `m` or the counts of the buckets of `name`. */
function addPipelines(r, tree, name, body, kind) {
  const path =
    body.aggs?.m &&
    !['top_hits', 'geo_bounds', 'geo_centroid', 'stats', 'extended_stats', 'percentiles'].includes(
      Object.keys(body.aggs.m)[0],
    )
      ? 'm'
      : '_count';
  if (r.chance(0.5)) tree[`p_${name}`] = sibling(r, `${name}>${path}`);
  if (!['histogram', 'date_histogram'].includes(kind) || r.chance(0.5)) return;
  body.aggs = { ...body.aggs, cum: parent(r, path) };
  if (r.chance(0.95)) body[kind].min_doc_count = 0;
}

function addBucket(r, world, tree, name, nested, depth) {
  const hasNested = world.fields.some((field) => field.nested === 'n');
  if (nested === null && hasNested && r.chance(0.15)) {
    tree[name] = { nested: { path: 'n' }, aggs: aggregations(r, world, 'n', depth - 1) };
    return;
  }
  if (nested !== null && r.chance(0.15)) {
    tree[name] = { reverse_nested: {}, aggs: aggregations(r, world, null, depth - 1) };
    return;
  }
  const body = r.weighted(BUCKETS)(r, world, nested);
  const kind = Object.keys(body)[0];
  if (depth > 1 && r.chance(0.6)) body.aggs = aggregations(r, world, nested, depth - 1);
  tree[name] = body;
  if (MULTIPLE.includes(kind) && r.chance(0.3)) addPipelines(r, tree, name, body, kind);
  if (kind === 'terms' && body.aggs?.m && r.chance(0.3)) {
    const [type] = Object.keys(body.aggs.m);
    if (['avg', 'sum', 'min', 'max', 'value_count'].includes(type)) body.terms.order = { m: r.pick(['asc', 'desc']) };
  }
}

/** A tree of aggregations of `depth` levels at most. */
function aggregations(r, world, nested, depth) {
  const tree = {};
  if (depth <= 1 || r.chance(0.5)) tree.m = r.weighted(METRICS)(r, world, nested);
  if (depth >= 1 && (r.chance(0.75) || tree.m === undefined)) addBucket(r, world, tree, 'b', nested, depth);
  if (r.chance(0.15)) addBucket(r, world, tree, 'c', nested, 1);
  return tree;
}

/** Searches without hits that aggregate over all documents or those of a query. */
export function aggregationRequest(r, world) {
  const body = {
    size: 0,
    aggs: aggregations(r, world, null, r.between(1, 3)),
    ...r.options({ query: () => query(r, world, null, 1) }, 0.3),
  };
  return [
    {
      method: 'POST',
      path: `/${r.pick(world.names)}/_search`,
      query: r.options({ typed_keys: () => 'true' }, 0.1),
      body,
    },
  ];
}
