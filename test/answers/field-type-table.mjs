// Every field type with its storage parameters, each searched, sorted and aggregated in all ways. `answersOf` gives the
// answers of a server; field-types.json has those of Elasticsearch 8.12.0.
import { call } from '../node-process.mjs';

const DOCS = 40;
const TERM_VECTORS = [
  'no',
  'yes',
  'with_positions',
  'with_offsets',
  'with_positions_offsets',
  'with_positions_offsets_payloads',
];

/** All combinations of the values of parameters; a parameter may also be left out. */
function combinations(parameters) {
  let all = [{}];
  for (const [name, values] of Object.entries(parameters))
    all = all.flatMap((known) => [known, ...values.map((value) => ({ ...known, [name]: value }))]);
  return all;
}

const both = [true, false];
const stored = { index: [false], doc_values: [false], store: [true] };
const whole = (values) => ({ value: (i) => values[i % values.length], one: values[1], from: values[0], to: values[2] });
const range = (ends) => ({
  value: (i) => ({ gte: ends[i % 3], lte: ends[(i % 3) + 1] }),
  one: ends[1],
  from: ends[0],
  to: ends[1],
});

/** Rows: the parameters of a type, the value of document i, a value to look for and bounds of a range. */
const TYPES = {
  text: {
    parameters: [
      ...combinations({ index: [false], index_options: ['docs', 'freqs', 'offsets'], norms: [false] }),
      ...combinations({ store: [true], fielddata: [true] }),
      ...TERM_VECTORS.map((vector) => ({ term_vector: vector })),
      { index: false, term_vector: 'yes' },
      { index_options: 'docs', term_vector: 'with_positions' },
      { index_options: 'docs', fielddata: true },
      { index: false, fielddata: true },
      { doc_values: true },
    ],
    value: (i) => ['alpha beta alpha', 'beta gamma', 'delta beta epsilon beta'][i % 3] + (i % 5 === 0 ? ' zeta' : ''),
    one: 'alpha',
    from: 'alpha',
    to: 'beta',
  },
  keyword: {
    parameters: [
      ...combinations(stored),
      ...combinations({ index: [false], norms: both, index_options: ['docs', 'freqs'] }),
      { index_options: 'positions' },
      { term_vector: 'yes' },
    ],
    value: (i) => ['alpha', 'beta', ['gamma', 'alpha']][i % 3],
    one: 'alpha',
    from: 'alpha',
    to: 'beta',
  },
  ...Object.fromEntries(
    ['long', 'integer', 'short', 'byte', 'double', 'float', 'half_float'].map((type) => [
      type,
      { parameters: [...combinations(stored), { norms: true }, { index_options: 'docs' }], ...whole([1, 2, 3]) },
    ]),
  ),
  boolean: {
    parameters: [...combinations(stored), { norms: false }],
    value: (i) => i % 3 === 0,
    one: true,
    from: false,
    to: true,
  },
  date: {
    parameters: combinations(stored),
    ...whole(['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', '2024-01-03T00:00:00Z']),
  },
  ip: { parameters: combinations(stored), ...whole(['10.0.0.1', '10.0.0.2', '::1']) },
  flattened: {
    parameters: [
      ...combinations({ index: [false], doc_values: [false], index_options: ['freqs'] }),
      { store: true },
      { norms: true },
    ],
    value: (i) => ({ key: ['alpha', 'beta', 'gamma'][i % 3] }),
    one: 'alpha',
    from: 'alpha',
    to: 'beta',
  },
  binary: { parameters: combinations({ doc_values: [true], store: [true] }), ...whole(['AAAA', 'BBBB', 'CCCC']) },
  geo_point: { parameters: combinations(stored), ...whole(['1,2', '3,4', '5,6']) },
  integer_range: { parameters: combinations(stored), ...range([1, 5, 9, 20]) },
  date_range: { parameters: combinations(stored), ...range(['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01']) },
  ip_range: { parameters: combinations(stored), ...range(['10.0.0.1', '10.0.0.5', '10.0.0.9', '10.0.1.1']) },
};

/**
 * Requests left out: 8.12 prints the bytes of its encoding of ranges, or answers 500 (date_range); cardinality of
 * points and bytes is a matter of aggregations.
 */
const LEFT_OUT = {
  integer_range: ['sort', 'doc values'],
  date_range: ['sort', 'doc values'],
  ip_range: ['sort', 'doc values'],
  binary: ['cardinality'],
  geo_point: ['cardinality'],
};

const text = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Requests of a field by name. */
function requestsOf(field, { one, from, to }) {
  const queries = {
    term: { term: { [field]: one } },
    terms: { terms: { [field]: [one, to] } },
    'term, any case': { term: { [field]: { value: one, case_insensitive: true } } },
    range: { range: { [field]: { gte: from, lt: to } } },
    prefix: { prefix: { [field]: text(one).slice(0, 2) } },
    'prefix, scored': { prefix: { [field]: { value: text(one).slice(0, 2), rewrite: 'scoring_boolean' } } },
    wildcard: { wildcard: { [field]: `${text(one).slice(0, 1)}*` } },
    regexp: { regexp: { [field]: `${text(one).slice(0, 1)}.*` } },
    fuzzy: { fuzzy: { [field]: { value: `${text(one)}x`, fuzziness: 1 } } },
    exists: { exists: { field } },
    match: { match: { [field]: one } },
    match_phrase: { match_phrase: { [field]: text(one) } },
    'phrase of two': { match_phrase: { [field]: 'alpha beta' } },
    query_string: { query_string: { query: `${field}:(${text(one)})` } },
  };
  return {
    ...Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, { query }])),
    sort: { sort: [{ [field]: 'asc' }] },
    cardinality: { size: 0, aggs: { a: { cardinality: { field } } } },
    'doc values': { size: 2, docvalue_fields: [field], sort: ['_doc'] },
    'stored fields': { size: 2, stored_fields: [field], sort: ['_doc'] },
  };
}

/** Score to six digits. */
const digits = (score) => (score === null ? null : Number(score.toPrecision(6)));

/** What counts of an answer, as a short text; `field` is written `f`. */
function summary({ status, body }, field) {
  const shown = (value) => JSON.stringify(value).replaceAll(field, 'f');
  if (status >= 400) {
    const cause = body.error.root_cause?.[0] ?? body.error;
    return `${status} ${cause.type}: ${cause.reason}`.replaceAll(field, 'f');
  }
  if (body.hits === undefined) return String(status);
  const hits = body.hits.hits.slice(0, 3).map((hit) => {
    const { _id, _score, sort, fields } = hit;
    return [_id, digits(_score), ...(sort ?? []), ...(fields === undefined ? [] : [fields])];
  });
  const failure = body._shards.failures?.[0]?.reason;
  return shown({
    total: body.hits.total.value,
    ...(hits.length > 0 ? { hits } : {}),
    ...(body.aggregations === undefined ? {} : { value: body.aggregations.a.value }),
    ...(failure === undefined ? {} : { failure: `${failure.type}: ${failure.reason}` }),
  });
}

/** Adds a combination to those that answer alike. */
function note(answers, request, answer, parameters) {
  const same = ((answers[request] ??= {})[answer] ??= []);
  same.push(JSON.stringify(parameters));
}

/**
 * Answers of a server for one type: by request, then by answer, the parameters that have it. With `isSealed` the
 * documents are searched in one merged segment, and not in the indexing buffer.
 */
export async function answersOf(server, type, { isSealed = false } = {}) {
  const row = TYPES[type];
  const index = `types-${type.replaceAll('_', '-')}`;
  await call(server, 'DELETE', `/${index}?ignore_unavailable=true`);
  await call(server, 'PUT', `/${index}`, {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: { dynamic: false },
  });
  const answers = {};
  const fields = new Map();
  for (const [i, parameters] of row.parameters.entries()) {
    const field = `field_${i}_`;
    const answer = await call(server, 'PUT', `/${index}/_mapping`, {
      properties: { [field]: { type, ...parameters } },
    });
    note(answers, 'mapping', summary(answer, field), parameters);
    if (answer.status === 200) fields.set(field, parameters);
  }
  const lines = Array.from({ length: DOCS }, (_, i) => {
    const source = i % 7 === 6 ? {} : Object.fromEntries([...fields.keys()].map((field) => [field, row.value(i)]));
    return `${JSON.stringify({ index: { _id: String(i) } })}\n${JSON.stringify(source)}\n`;
  });
  await call(server, 'POST', `/${index}/_bulk?refresh`, lines.join(''));
  if (isSealed) await call(server, 'POST', `/${index}/_forcemerge?max_num_segments=1`);
  for (const [field, parameters] of fields)
    for (const [name, body] of Object.entries(requestsOf(field, row)))
      if (!LEFT_OUT[type]?.includes(name))
        note(answers, name, summary(await call(server, 'POST', `/${index}/_search`, body), field), parameters);
  await call(server, 'DELETE', `/${index}`);
  return answers;
}

/** Types of the table. */
export const typeNames = Object.keys(TYPES);
