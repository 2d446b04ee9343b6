import { test } from 'node:test';
import { aggregationFixture, FIELDDATA_OF_X } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' }, x: { type: 'text' } },
  documents: [
    { n: 1, d: 0.5, k: 'a', x: 'red fox' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], x: 'red dog' },
    { n: 3, d: -2.5, k: 'b', x: 'blue fox' },
    { n: 10, d: 4, k: 'c', x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    { d: 100 },
  ],
});

test('extended_stats has variances and bounds of population and sample', () =>
  index.answers([
    [
      { extended_stats: { field: 'n' } },
      {
        count: 6,
        min: -4,
        max: 10,
        avg: 2.5,
        sum: 15,
        sum_of_squares: 139,
        variance: 16.916666666666668,
        variance_population: 16.916666666666668,
        variance_sampling: 20.3,
        std_deviation: 4.112987559751022,
        std_deviation_population: 4.112987559751022,
        std_deviation_sampling: 4.505552130427524,
        std_deviation_bounds: {
          upper: 10.725975119502044,
          lower: -5.725975119502044,
          upper_population: 10.725975119502044,
          lower_population: -5.725975119502044,
          upper_sampling: 11.511104260855047,
          lower_sampling: -6.511104260855047,
        },
      },
    ],
    [
      { extended_stats: { field: 'd' } },
      {
        count: 5,
        min: -2.5,
        max: 100,
        avg: 20.7,
        sum: 103.5,
        sum_of_squares: 10024.75,
        variance: 1576.46,
        variance_population: 1576.46,
        variance_sampling: 1970.575,
        std_deviation: 39.704659676163956,
        std_deviation_population: 39.704659676163956,
        std_deviation_sampling: 44.3911590296987,
        std_deviation_bounds: {
          upper: 100.10931935232792,
          lower: -58.70931935232791,
          upper_population: 100.10931935232792,
          lower_population: -58.70931935232791,
          upper_sampling: 109.4823180593974,
          lower_sampling: -68.0823180593974,
        },
      },
    ],
  ]));

test('extended_stats puts its bounds sigma deviations from the average', () =>
  index.answers([
    [
      { extended_stats: { field: 'n', sigma: 0.5 } },
      {
        count: 6,
        min: -4,
        max: 10,
        avg: 2.5,
        sum: 15,
        sum_of_squares: 139,
        variance: 16.916666666666668,
        variance_population: 16.916666666666668,
        variance_sampling: 20.3,
        std_deviation: 4.112987559751022,
        std_deviation_population: 4.112987559751022,
        std_deviation_sampling: 4.505552130427524,
        std_deviation_bounds: {
          upper: 4.556493779875511,
          lower: 0.44350622012448904,
          upper_population: 4.556493779875511,
          lower_population: 0.44350622012448904,
          upper_sampling: 4.752776065213762,
          lower_sampling: 0.24722393478623816,
        },
      },
    ],
    [
      { extended_stats: { field: 'n', sigma: 0 } },
      {
        count: 6,
        min: -4,
        max: 10,
        avg: 2.5,
        sum: 15,
        sum_of_squares: 139,
        variance: 16.916666666666668,
        variance_population: 16.916666666666668,
        variance_sampling: 20.3,
        std_deviation: 4.112987559751022,
        std_deviation_population: 4.112987559751022,
        std_deviation_sampling: 4.505552130427524,
        std_deviation_bounds: {
          upper: 2.5,
          lower: 2.5,
          upper_population: 2.5,
          lower_population: 2.5,
          upper_sampling: 2.5,
          lower_sampling: 2.5,
        },
      },
    ],
  ]));

test('extended_stats takes missing for documents without a value', () =>
  index.answers([
    [
      { extended_stats: { field: 'd', missing: 1 } },
      {
        count: 6,
        min: -2.5,
        max: 100,
        avg: 17.416666666666668,
        sum: 104.5,
        sum_of_squares: 10025.75,
        variance: 1367.6180555555557,
        variance_population: 1367.6180555555557,
        variance_sampling: 1641.1416666666669,
        std_deviation: 36.981320359818895,
        std_deviation_population: 36.981320359818895,
        std_deviation_sampling: 40.51100673479576,
        std_deviation_bounds: {
          upper: 91.37930738630446,
          lower: -56.54597405297112,
          upper_population: 91.37930738630446,
          lower_population: -56.54597405297112,
          upper_sampling: 98.43868013625818,
          lower_sampling: -63.60534680292484,
        },
      },
    ],
  ]));

test('extended_stats of one value has no sample variance, of none nothing', () =>
  index.answers(
    [
      [
        { extended_stats: { field: 'd' } },
        {
          count: 1,
          min: 4,
          max: 4,
          avg: 4,
          sum: 4,
          sum_of_squares: 16,
          variance: 0,
          variance_population: 0,
          variance_sampling: 'NaN',
          std_deviation: 0,
          std_deviation_population: 0,
          std_deviation_sampling: 'NaN',
          std_deviation_bounds: {
            upper: 4,
            lower: 4,
            upper_population: 4,
            lower_population: 4,
            upper_sampling: 'NaN',
            lower_sampling: 'NaN',
          },
        },
      ],
      [
        { extended_stats: { field: 'nowhere' } },
        {
          count: 0,
          min: null,
          max: null,
          avg: null,
          sum: 0,
          sum_of_squares: null,
          variance: null,
          variance_population: null,
          variance_sampling: null,
          std_deviation: null,
          std_deviation_population: null,
          std_deviation_sampling: null,
          std_deviation_bounds: {
            upper: null,
            lower: null,
            upper_population: null,
            lower_population: null,
            upper_sampling: null,
            lower_sampling: null,
          },
        },
      ],
    ],
    { query: { term: { k: 'c' } } },
  ));

test('extended_stats formats its values when asked', () =>
  index.answers(
    [
      [
        { extended_stats: { field: 'n', format: '0.0' } },
        {
          count: 1,
          min: 10,
          max: 10,
          avg: 10,
          sum: 10,
          min_as_string: '10.0',
          max_as_string: '10.0',
          avg_as_string: '10.0',
          sum_as_string: '10.0',
          sum_of_squares: 100,
          variance: 0,
          variance_population: 0,
          variance_sampling: 'NaN',
          std_deviation: 0,
          std_deviation_population: 0,
          std_deviation_sampling: 'NaN',
          std_deviation_bounds: {
            upper: 10,
            lower: 10,
            upper_population: 10,
            lower_population: 10,
            upper_sampling: 'NaN',
            lower_sampling: 'NaN',
          },
          sum_of_squares_as_string: '100.0',
          variance_as_string: '0.0',
          variance_population_as_string: '0.0',
          variance_sampling_as_string: 'NaN',
          std_deviation_as_string: '0.0',
          std_deviation_population_as_string: '0.0',
          std_deviation_sampling_as_string: 'NaN',
          std_deviation_bounds_as_string: {
            upper: '10.0',
            lower: '10.0',
            upper_population: '10.0',
            lower_population: '10.0',
            upper_sampling: 'NaN',
            lower_sampling: 'NaN',
          },
        },
      ],
    ],
    { query: { term: { k: 'c' } } },
  ));

test('extended_stats counts by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k', size: 1 }, aggs: { y: { extended_stats: { field: 'n' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 3,
        buckets: [
          {
            key: 'a',
            doc_count: 3,
            y: {
              count: 4,
              min: -4,
              max: 3,
              avg: 0.5,
              sum: 2,
              sum_of_squares: 30,
              variance: 7.25,
              variance_population: 7.25,
              variance_sampling: 9.666666666666666,
              std_deviation: 2.692582403567252,
              std_deviation_population: 2.692582403567252,
              std_deviation_sampling: 3.1091263510296048,
              std_deviation_bounds: {
                upper: 5.885164807134504,
                lower: -4.885164807134504,
                upper_population: 5.885164807134504,
                lower_population: -4.885164807134504,
                upper_sampling: 6.7182527020592095,
                lower_sampling: -5.7182527020592095,
              },
            },
          },
        ],
      },
    ],
  ]));

test('extended_stats refuses a negative sigma and fields that are no numbers', () =>
  index.refuses([
    [
      { extended_stats: { field: 'n', sigma: -1 } },
      'x_content_parse_exception: [extended_stats] failed to parse field [sigma] <- illegal_argument_exception: ' +
        '[sigma] must be greater than or equal to 0. Found [-1.0] in [x]',
    ],
    [
      { extended_stats: { field: 'n', sigma: 'x' } },
      'x_content_parse_exception: [extended_stats] failed to parse field [sigma] <- number_format_exception: For ' +
        'input string: "x"',
    ],
    [
      { extended_stats: { field: 'k' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [extended_stats]',
    ],
    [{ extended_stats: { field: 'x' } }, FIELDDATA_OF_X],
    [
      { extended_stats: {} },
      'illegal_argument_exception: Required one of fields [field, script], but none were specified. ',
    ],
    [{ extended_stats: { field: 'n', size: 1 } }, 'x_content_parse_exception: [extended_stats] unknown field [size]'],
    [{ extended_stats: { field: 'n', missing: 'x' } }, 'number_format_exception: For input string: "x"'],
    [
      { extended_stats: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [extended_stats] cannot accept ' +
        'sub-aggregations',
    ],
  ]));
