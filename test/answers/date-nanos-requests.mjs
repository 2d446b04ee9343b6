// Requests about dates in nanoseconds, and what of their answers is compared with Elasticsearch 8.12:
// date-nanos.json has its answers (record-date-nanos.mjs).
const type = (options = {}) => ({ type: 'date_nanos', ...options });
const mappings = {
  properties: {
    t: type(),
    d: { type: 'date' },
    withoutColumn: type({ doc_values: false }),
    withoutIndex: type({ index: false }),
    n: type({ null_value: '2000-01-01T00:00:00.000000001Z' }),
    f: type({ format: 'yyyy-MM-dd HH:mm:ss.SSSSSSSSS||epoch_millis' }),
    s: type({ store: true }),
  },
};
const exact = '2024-01-01T00:00:00.123456789Z';
const documents = [
  { t: exact, d: '2024-01-01T00:00:00.123Z', n: null, withoutColumn: exact, withoutIndex: exact, s: exact },
  { t: '2024-01-01T00:00:00.123456788Z', d: '2024-01-01T00:00:00.124Z', f: '2024-01-01 00:00:00.123456789' },
  { t: '2024-01-01T00:00:00.123456790Z' },
  { t: '2024-01-01T00:00:00.123Z' },
  { t: ['2024-01-01T00:00:00.124999999Z', '2024-01-01T00:00:00.123000001Z'] },
  { t: '2024-01-01T23:59:59.999999999Z' },
  { x: 1 },
  { t: 1704067200123 },
  { t: '1704067200123.456789' },
];

/** Requests that make the index: [method, path, body]. */
export const SETUP = [
  ['PUT', '/nanos', { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings }],
  ...documents.map((document, i) => ['PUT', `/nanos/_doc/${i + 1}`, document]),
  ['PUT', '/millis', { settings: { number_of_replicas: 0 }, mappings: { properties: { t: { type: 'date' } } } }],
  ['PUT', '/millis/_doc/a', { t: '2024-01-01T00:00:00.124Z' }],
  ['POST', '/nanos,millis/_refresh'],
];

const sorted = (options) => ({ sort: [{ t: options }] });
const after = (value, options = 'asc') => ({ ...sorted(options), search_after: [value] });
const matching = (query) => ({ sort: ['_doc'], query });
const range = (bounds, field = 't') => matching({ range: { [field]: bounds } });
const docvalues = (format) => ({ sort: ['_doc'], docvalue_fields: [{ field: 't', ...(format && { format }) }] });
const nanos = 'strict_date_optional_time_nanos';

/** Bodies of searches by index. Numbers beyond 2^53 are texts that begin with `#`. */
export const SEARCHES = {
  '/nanos': [
    ...['asc', 'desc'].flatMap((order) => [sorted(order), sorted({ order, missing: '_first' })]),
    ...['min', 'max', 'avg', 'sum', 'median'].map((mode) => sorted({ order: 'asc', mode })),
    ...['date', 'long', 'double', 'date_nanos'].map((numeric_type) => sorted({ order: 'asc', numeric_type })),
    ...[nanos, 'epoch_millis', 'epoch_second'].map((format) => sorted({ order: 'asc', format })),
    sorted({ order: 'asc', format: 'strict_date_optional_time', numeric_type: 'date' }),
    sorted({ order: 'asc', missing: '#1704067200123456789' }),
    after('2024-01-01T00:00:00.123456788Z', { order: 'asc', format: nanos }),
    after('#1704067200123456788'),
    after('2024-01-01T00:00:00.123456788Z'),
    after('2024-01-01'),
    after('#9223372036854775807'),
    after('#1704067200123456789', 'desc'),
    ...[exact, '2024-01-01T00:00:00.123Z', '2024-01-01', 1704067200123, '1704067200123.456789', '1960-01-01'].map(
      (value) => matching({ term: { t: value } }),
    ),
    matching({ terms: { t: [exact, '2024-01-01T00:00:00.123456790Z'] } }),
    range({ gt: '2024-01-01T00:00:00.123456788Z', lt: '2024-01-01T00:00:00.123456790Z' }),
    ...[exact, '2024-01-01T00:00:00.123456788||+1d-1d', '1960-01-01', '2300-01-01'].map((gte) => range({ gte })),
    ...['2024-01-01T00:00:00.123Z', '2024-01-01', '2024-01-01||/d', `${exact}||+1m/m`, '2300-01-01'].map((lte) =>
      range({ lte }),
    ),
    range({ gt: '2024-01-01T00:00:00.123Z' }),
    range({ gte: '1704067200123.456789', format: 'epoch_millis' }),
    range({ gte: 1704067200123, lte: 1704067200123 }),
    range({ gte: '01/01/2024', format: 'dd/MM/yyyy', time_zone: '+01:00' }),
    ...['withoutColumn', 'withoutIndex'].flatMap((field) => [
      range({ gte: exact, lte: exact }, field),
      range({ gt: exact }, field),
    ]),
    ...[undefined, 'epoch_millis', 'epoch_second', 'strict_date_optional_time', 'strict_date_time', 'date_time'].map(
      docvalues,
    ),
    docvalues('yyyy-MM-dd HH:mm:ss.SSSSSSSSS'),
    { sort: ['_doc'], fields: ['t', 'n', 'f'] },
    { sort: ['_doc'], fields: [{ field: 't', format: 'epoch_millis' }] },
    { sort: ['_doc'], fields: [{ field: 't', format: "yyyy-MM-dd'T'HH:mm:ss.SSSSSS" }] },
    { sort: ['_doc'], stored_fields: ['s'] },
    { query: { distance_feature: { field: 't', origin: '2024-01-01T00:00:00.123456788Z', pivot: '1ms' } } },
    { size: 0, aggs: { top: { top_hits: { sort: [{ t: 'desc' }], size: 1, docvalue_fields: ['t'] } } } },
    { size: 0, aggs: { max: { max: { field: 't' } }, terms: { terms: { field: 't' } } } },
    { size: 0, aggs: { h: { date_histogram: { field: 't', fixed_interval: '12h' } } } },
    { collapse: { field: 't' } },
  ],
  '/nanos,millis': ['date', 'date_nanos'].map((numeric_type) => sorted({ order: 'asc', numeric_type })),
};

/** JSON of a body, with `#` texts as the numbers that they stand for. */
export const bodyText = (body) => JSON.stringify(body).replaceAll(/"#(\d+)"/g, '$1');

/** What is compared of an answer, given as text: numbers of 16 digits and more become texts. */
export function compared(text) {
  const answer = JSON.parse(text.replaceAll(/(?<=[:[,])(-?\d{16,})(?=[,\]}])/g, '"#$1"'));
  if (answer.error) return { error: answer.error.root_cause.map(({ type: kind, reason }) => `${kind}: ${reason}`) };
  const hits = answer.hits.hits.map(({ _id, _score, sort, fields }) => ({ _id, _score, sort, fields }));
  return { total: answer.hits.total.value, hits, ...(answer.aggregations && { aggregations: answer.aggregations }) };
}
