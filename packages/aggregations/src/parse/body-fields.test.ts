import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'integer' },
    k: { type: 'keyword' },
    ip: { type: 'ip' },
    geo: { type: 'geo_point' },
    b: { type: 'boolean' },
    date: { type: 'date' },
  },
  documents: [{ n: 1, k: 'a', ip: '10.0.0.1', geo: [1, 2], b: true, date: '2024-01-01' }],
});
const failed = (type: string, field: string): string =>
  `x_content_parse_exception: [${type}] failed to parse field [${field}]`;
const unsupported = (type: string, field: string, token: string): string =>
  `x_content_parse_exception: [${type}] ${field} doesn't support values of type: ${token}`;

test('a text that is no number is refused as Java does, a long as an illegal argument', () =>
  index.refuses([
    [{ terms: { field: 'n', size: '' } }, `${failed('terms', 'size')} <- number_format_exception: empty String`],
    [
      { terms: { field: 'n', size: 'x' } },
      `${failed('terms', 'size')} <- number_format_exception: For input string: "x"`,
    ],
    [
      { histogram: { field: 'n', interval: '10.0.0.1' } },
      `${failed('histogram', 'interval')} <- number_format_exception: multiple points`,
    ],
    [
      { histogram: { field: 'n', interval: 5, min_doc_count: '' } },
      `${failed('histogram', 'min_doc_count')} <- illegal_argument_exception: For input string: ""`,
    ],
    [
      { cardinality: { field: 'n', precision_threshold: 'x' } },
      `${failed('cardinality', 'precision_threshold')} <- illegal_argument_exception: For input string: "x"`,
    ],
    [
      { rare_terms: { field: 'n', max_doc_count: 'x' } },
      `${failed('rare_terms', 'max_doc_count')} <- illegal_argument_exception: For input string: "x"`,
    ],
  ]));

test('a boolean is not a number, and an empty text is false', async () => {
  await index.refuses([
    [{ histogram: { field: 'n', interval: 5, keyed: 1 } }, unsupported('histogram', 'keyed', 'VALUE_NUMBER')],
  ]);
  await index.answers([
    [{ histogram: { field: 'n', interval: 5, keyed: '' } }, { buckets: [{ key: 0, doc_count: 1 }] }],
  ]);
});

test('missing is a scalar', () =>
  index.refuses([
    [{ avg: { field: 'n', missing: [] } }, unsupported('avg', 'missing', 'START_ARRAY')],
    [
      { avg: { field: 'n', missing: null } },
      `${failed('avg', 'missing')} <- illegal_argument_exception: [missing] must not be null: [x]`,
    ],
  ]));

test('missing is a value of the field, whatever the aggregation reads', () =>
  index.refuses([
    [{ cardinality: { field: 'ip', missing: 'x' } }, "illegal_argument_exception: 'x' is not an IP string literal."],
    [{ avg: { field: 'ip', missing: 1 } }, "illegal_argument_exception: '1' is not an IP string literal."],
    [
      { missing: { field: 'b', missing: '' } },
      'illegal_argument_exception: Cannot parse boolean [], expected either [true] or [false]',
    ],
  ]));

test('a pattern that is none for dates is refused on shards, before the kind of values', () =>
  index.refuses([
    [
      { sum: { field: 'date', format: '#,##0.0' } },
      "illegal_argument_exception: Invalid format: [#,##0.0]: Pattern includes reserved character: '#' <- " +
        "illegal_argument_exception: Pattern includes reserved character: '#'",
    ],
    [
      { date_histogram: { field: 'date', fixed_interval: '1d', format: '' } },
      'illegal_argument_exception: No date pattern provided',
    ],
  ]));

test('items of lists are read as 8.12 does: what stands before an object is left out', async () => {
  const range = (ranges: unknown): object => ({ range: { field: 'n', ranges } });
  const wrapped = failed('range', 'ranges');
  await index.refuses([
    [range([null]), `${wrapped} <- x_content_parse_exception: [range] Expected START_OBJECT but was: END_ARRAY`],
    [range([[]]), `${wrapped} <- illegal_state_exception: expected value but got [START_ARRAY]`],
    [range([{ from: true }]), `${wrapped} <- ${unsupported('range', 'from', 'VALUE_BOOLEAN')}`],
    [range([{ key: true, from: 1 }]), `${wrapped} <- ${unsupported('range', 'key', 'VALUE_BOOLEAN')}`],
  ]);
  await index.answers([[range(['x', { from: 1 }]), { buckets: [{ key: '1.0-*', from: 1, doc_count: 1 }] }]]);
});

test('an order of several keys is the last one, and one of none is refused', async () => {
  const wrapped = failed('terms', 'order');
  const order = (value: unknown): object => ({ terms: { field: 'n', order: value } });
  await index.refuses([
    [order([]), `${wrapped} <- index_out_of_bounds_exception: Index 0 out of bounds for length 0`],
    [order({}), `${wrapped} <- parsing_exception: Must specify at least one field for [order]`],
    [order(['x']), `${wrapped} <- parsing_exception: Unexpected token [END_ARRAY] for [order]`],
    [order(['x', 'y']), `${wrapped} <- parsing_exception: Unknown order direction [y]`],
  ]);
});

test('ranges of addresses and of distances have errors of their own', async () => {
  const ip = (ranges: unknown): object => ({ ip_range: { field: 'ip', ranges } });
  const ring = (more: object): object => ({
    geo_distance: { field: 'geo', origin: '1,2', ranges: [{ to: 3 }], ...more },
  });
  const [ips, rings] = [failed('ip_range', 'ranges'), failed('geo_distance', 'ranges')];
  await index.refuses([
    [ip('x'), unsupported('ip_range', 'ranges', 'VALUE_STRING')],
    [ip(['x']), `${ips} <- parsing_exception: [ranges] must contain objects, but hit a VALUE_STRING`],
    [ip([{ from: '::', y: 1 }]), `${ips} <- parsing_exception: Unexpected ip range parameter: [y]`],
    [ip([{ mask: 1.5 }]), `${ips} <- illegal_argument_exception: Expected [ip/prefix] but was [1.5]`],
    [ip([{ to: [] }]), `${ips} <- illegal_state_exception: Can't get text on a START_ARRAY`],
    [ring({ ranges: 1 }), unsupported('geo_distance', 'ranges', 'VALUE_NUMBER')],
    [
      ring({ ranges: [1] }),
      `${rings} <- parsing_exception: Failed to parse object: unexpected token [END_ARRAY] found`,
    ],
    [ring({ origin: 1 }), unsupported('geo_distance', 'origin', 'VALUE_NUMBER')],
    [
      ring({ origin: '' }),
      `${failed('geo_distance', 'origin')} <- parse_exception: empty geohash <- ` +
        'illegal_argument_exception: empty geohash',
    ],
    [
      ring({ origin: { lat: 1 } }),
      `${failed('geo_distance', 'origin')} <- parsing_exception: malformed [lat] geo point object. either [lat] or ` +
        '[lon] (or both) are missing',
    ],
    [
      ring({ unit: 'x' }),
      `${failed('geo_distance', 'unit')} <- illegal_argument_exception: No distance unit match [x]`,
    ],
  ]);
});

test('bodies that 8.12 parses by hand are refused in its words', () =>
  index.refuses([
    [{ filters: { filters: 'x' } }, 'parsing_exception: Unknown key for a VALUE_STRING in [x]: [filters].'],
    [{ filters: { filters: [1] } }, 'parsing_exception: [_na] query malformed, must start with start_object'],
    [
      { filters: { filters: [{ match_all: {} }], other_bucket: 1 } },
      'parsing_exception: Unknown key for a VALUE_NUMBER in [x]: [other_bucket].',
    ],
    [{ sampler: { shard_size: 'x' } }, 'parsing_exception: Unsupported property "shard_size" for aggregation "x'],
    [{ top_hits: { size: 'x' } }, 'number_format_exception: For input string: "x"'],
    [{ top_hits: { from: null } }, 'parsing_exception: Unknown key for a VALUE_NULL in [from].'],
    [
      { top_hits: { size: 0 } },
      'illegal_argument_exception: numHits must be > 0; please use TotalHitCountCollector if you just need the total ' +
        'hit count',
    ],
  ]));

test('include, exclude and hints that are none are refused', () =>
  index.refuses([
    [{ terms: { field: 'k', include: 1 } }, unsupported('terms', 'include', 'VALUE_NUMBER')],
    [{ terms: { field: 'k', exclude: {} } }, unsupported('terms', 'exclude', 'START_OBJECT')],
    [
      { terms: { field: 'k', include: [null] } },
      `${failed('terms', 'include')} <- parse_exception: Array elements in include/exclude clauses should be string ` +
        'values',
    ],
    [
      { terms: { field: 'k', execution_hint: 'x' } },
      'illegal_argument_exception: Unknown `execution_hint`: [x], expected any of [map, global_ordinals]',
    ],
  ]));

test('a key that significant_terms does not know is taken for a heuristic', () =>
  index.refuses([
    [
      { significant_terms: { field: 'k', y: 1 } },
      'x_content_parse_exception: [significant_terms] unknown field [y] <- named_object_not_found_exception: unknown ' +
        'field [y]',
    ],
    [
      { significant_terms: { field: 'k', gnd: 1 } },
      'x_content_parse_exception: [gnd] Expected START_OBJECT but was: END_OBJECT',
    ],
    [{ significant_terms: { field: 'k', gnd: { y: 1 } } }, 'x_content_parse_exception: [gnd] unknown field [y]'],
  ]));

test('sides of a weighted average are field configurations', () => {
  const value = (json: object): object => ({ weighted_avg: { value: json, weight: { field: 'n' } } });
  const wrapped = failed('weighted_avg', 'value');
  return index.refuses([
    [
      value({ field: 'n', format: '0' }),
      `${wrapped} <- x_content_parse_exception: [field_config] unknown field [format]`,
    ],
    [
      value({}),
      `${wrapped} <- illegal_argument_exception: [field] and [script] cannot both be null.  Please specify one or ` +
        'the other.',
    ],
    [value({ field: 'k' }), 'illegal_argument_exception: Expected numeric type on field [k], but got [keyword]'],
    [
      { weighted_avg: { value: { field: 'n' } } },
      'illegal_argument_exception: Could not find field name [weight] in multiValuesSource',
    ],
  ]);
});
