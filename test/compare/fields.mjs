// Field types of Elasticsearch's core, the parameters that they take, and values for documents and queries.

export const WORDS = [
  ...['quick', 'brown', 'fox', 'jumps', 'over', 'the', 'lazy', 'dog', 'red', 'blue', 'green', 'Fox', 'foxes', 'wi-fi'],
  ...['über', "o'neil", '2024', 'a', 'not', 'x_y', 'e.mail', 'BROWN'],
];
const KEYS = ['a', 'b', 'c', 'ab', 'abc', 'B', 'Äb', 'foo bar', 'foobar', '10', '9', '', 'zebra', 'a-b', 'a*b'];
const DATES = [
  ...['2024-01-01', '2024-02-29', '2024-03-31T01:30:00Z', '2024-03-31T03:30:00+02:00', '2023-12-31T23:59:59.999Z'],
  ...['1969-12-31T23:59:59Z', '2024-10-27T00:30:00Z', '2024-10-27T01:30:00Z', '2020-06-15T12:00:00.123Z'],
];
const NANOS = [
  ...['2024-01-01', '2024-02-29T10:00:00.123456789Z', '2024-02-29T10:00:00.123456788Z', '2024-10-27T01:30:00Z'],
  '1970-01-01T00:00:00.000000001Z',
];
const IPS = ['10.0.0.1', '10.0.0.9', '10.0.0.10', '192.168.0.1', '::1', '2001:db8::ff', '10.1.2.3'];
const POINTS = [
  ...['40.7,-74', '48.85,2.35', '-33.86,151.2', '0,0', '52.5,13.4', '40.71,-74.01', '89.9,179.9'],
  ...[{ lat: 41.12, lon: -71.34 }, [-71.34, 41.12], 'drm3btev3e86', 'POINT (2.35 48.85)', { lat: -10, lon: 170.5 }],
];

export const text = (r, max = 6) => r.list(1, max, () => r.pick(WORDS)).join(' ');
const whole = (low, high) => (r) => (r.chance(0.8) ? r.between(-3, 12) : r.between(low, high));
const number = (r) => r.pick([r.between(-5, 20), r.decimal(-10, 10), 0.5, 1e3]);

function rangeOf(value) {
  return (r) => {
    const [from, to] = [value(r), value(r)].sort((a, b) => (a < b ? -1 : 1));
    return { [r.pick(['gte', 'gte', 'gt'])]: from, [r.pick(['lte', 'lte', 'lt'])]: to };
  };
}
const ipRange = (r) => r.pick(['10.0.0.0/24', '10.0.0.0/8', { gte: '10.0.0.2', lte: '10.0.0.9' }, '2001:db8::/32']);
const dateRange = (r) => rangeOf((c) => c.pick(['2023-01-01', '2024-01-01', '2024-02-29', '2024-10-27T01:30:00Z']))(r);

const stored = (r) => r.options({ store: () => true }, 0.15);
const columns = (r) => r.options({ index: () => false, doc_values: () => false }, 0.08);
const numeric = (nullValue) => (r) => ({
  ...stored(r),
  ...columns(r),
  ...r.options({ ignore_malformed: () => true, coerce: () => false, null_value: () => nullValue }, 0.12),
});
const textParameters = (r) => ({
  ...stored(r),
  ...r.options(
    {
      analyzer: () => r.pick(['simple', 'whitespace', 'stop', 'own']),
      index_options: () => r.pick(['docs', 'freqs', 'positions', 'offsets']),
      norms: () => false,
      term_vector: () => r.pick(['yes', 'with_positions', 'with_offsets', 'with_positions_offsets']),
      fielddata: () => true,
      position_increment_gap: () => r.pick([0, 1, 100]),
      copy_to: () => 'all',
    },
    0.15,
  ),
  ...r.options({ fields: () => ({ kw: { type: 'keyword', ...r.options({ ignore_above: () => 12 }) } }) }, 0.6),
});
const keywordParameters = (r) => ({
  ...stored(r),
  ...columns(r),
  ...r.options(
    {
      ignore_above: () => r.between(2, 6),
      null_value: () => 'none',
      normalizer: () => 'lower',
      norms: () => true,
      eager_global_ordinals: () => true,
      split_queries_on_whitespace: () => true,
      copy_to: () => ['all'],
      fields: () => ({ t: { type: 'text' } }),
    },
    0.12,
  ),
});
const dateParameters = (r) => ({
  ...stored(r),
  ...columns(r),
  ...r.options({ ignore_malformed: () => true, null_value: () => '2021-05-05' }, 0.12),
});
const rangeParameters = (r) => ({ ...stored(r), ...r.options({ coerce: () => false, doc_values: () => false }, 0.1) });

const none = () => ({});
const row = (type, kind, parameters, value, malformed = ['bad', { x: 1 }]) => ({
  ...{ type, kind, parameters, value, malformed },
});

/** name → type, kind (what queries may do with it), parameters, values that it takes, values that it does not. */
export const FIELDS = {
  t: row('text', 'text', textParameters, text, [{ x: 1 }]),
  u: row('text', 'text', textParameters, text, [{ x: 1 }]),
  k: row('keyword', 'keyword', keywordParameters, (r) => r.pick(KEYS), [{ x: 1 }]),
  l: row('keyword', 'keyword', keywordParameters, (r) => r.pick(['a', 'b', 'c', 'd']), [{ x: 1 }]),
  byte: row('byte', 'number', numeric(7), whole(-128, 127), ['bad', 300]),
  short: row('short', 'number', numeric(7), whole(-3000, 3000), ['bad', 70000]),
  int: row('integer', 'number', numeric(-7), whole(-100000, 100000), ['bad', 1e12, '5']),
  long: row('long', 'number', numeric(8), (r) => (r.chance(0.9) ? whole(-1e9, 1e9)(r) : 9007199254740991), ['bad', '']),
  float: row('float', 'number', numeric(1.5), number, ['bad', '1.5']),
  double: row('double', 'number', numeric(-1.5), number, ['bad', true]),
  half: row('half_float', 'number', numeric(2), number, ['bad', 1e9]),
  date: row('date', 'date', dateParameters, (r) => (r.chance(0.85) ? r.pick(DATES) : 1706745600000), [
    'bad',
    '2024-13-01',
  ]),
  year: row(
    'date',
    'date',
    () => ({ format: 'yyyy||yyyy-MM-dd||epoch_second' }),
    (r) => r.pick(['2020', '2024', '2024-02-29', '1706745600']),
    ['x'],
  ),
  nanos: row('date_nanos', 'date', dateParameters, (r) => r.pick(NANOS), ['bad', '1960-01-01']),
  bool: row('boolean', 'boolean', stored, (r) => r.pick([true, false, 'true', 'false', '']), ['yes', 1]),
  ip: row(
    'ip',
    'ip',
    (r) => ({ ...stored(r), ...columns(r) }),
    (r) => r.pick(IPS),
    ['bad', '10.0.0.256'],
  ),
  bin: row(
    'binary',
    'binary',
    (r) => r.options({ store: () => true, doc_values: () => true }),
    (r) => r.pick(['c29tZQ==', 'AAEC', 'U29tZSBiaW5hcnkgYmxvYg==']),
  ),
  ints: row(
    'integer_range',
    'range',
    rangeParameters,
    rangeOf((r) => r.between(-5, 20)),
    ['bad', { gte: 5, lte: 1 }],
  ),
  longs: row(
    'long_range',
    'range',
    rangeParameters,
    rangeOf((r) => r.between(-5, 20)),
    ['bad'],
  ),
  doubles: row(
    'double_range',
    'range',
    rangeParameters,
    rangeOf((r) => r.decimal(-5, 20)),
    ['bad'],
  ),
  dates: row('date_range', 'range', rangeParameters, dateRange, ['bad', { gte: 'x' }]),
  ips: row('ip_range', 'range', rangeParameters, ipRange, ['bad']),
  geo: row(
    'geo_point',
    'geo',
    (r) => ({ ...stored(r), ...r.options({ ignore_malformed: () => true }) }),
    (r) => r.pick(POINTS),
    ['bad', '91,0', { lat: 1 }],
  ),
  flat: row(
    'flattened',
    'flattened',
    (r) => r.options({ ignore_above: () => 3, null_value: () => 'nil' }, 0.15),
    (r) => ({
      [r.pick(['x', 'y'])]: r.pick(['a', 'b', 3, true, ['a', 'c'], { z: 'deep' }]),
      ...r.options({ w: () => r.pick(KEYS) }),
    }),
  ),
  comp: row(
    'completion',
    'completion',
    (r) => r.options({ preserve_separators: () => false }),
    (r) => r.pick([text(r, 3), [text(r, 2), text(r, 2)], { input: [text(r, 2)], weight: r.between(0, 20) }]),
  ),
};

/** Properties of the nested field `n` and the object `o`. */
export const INNER = {
  k: FIELDS.l,
  i: row('integer', 'number', none, (r) => r.between(0, 9)),
  t: row('text', 'text', none, text),
  d: row('date', 'date', none, (r) => r.pick(DATES)),
};
