import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers follow the reference of 8.12. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' } },
  documents: [
    { n: 1, d: 0.5, k: 'a' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'] },
    { n: 3, d: -2.5, k: 'b' },
    { n: 10, d: 4, k: 'c' },
    { n: -4, k: 'a' },
    { d: 100 },
  ],
});

test('normalize rescales the values of all buckets', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: {
          s: { sum: { field: 'd' } },
          p: { normalize: { buckets_path: 's', method: 'rescale_0_1' } },
          q: { normalize: { buckets_path: 's', method: 'percent_of_sum' } },
          r: { normalize: { buckets_path: 's', method: 'mean' } },
        },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, s: { value: 0 }, p: { value: 0.2 }, q: { value: 0 }, r: { value: -0.175 } },
          { key: -2, doc_count: 0, s: { value: 0 } },
          {
            key: 0,
            doc_count: 1,
            s: { value: 0.5 },
            p: { value: 0.3 },
            q: { value: 0.14285714285714285 },
            r: { value: -0.075 },
          },
          {
            key: 2,
            doc_count: 2,
            s: { value: -1 },
            p: { value: 0 },
            q: { value: -0.2857142857142857 },
            r: { value: -0.375 },
          },
          { key: 4, doc_count: 0, s: { value: 0 } },
          { key: 6, doc_count: 0, s: { value: 0 } },
          { key: 8, doc_count: 0, s: { value: 0 } },
          {
            key: 10,
            doc_count: 1,
            s: { value: 4 },
            p: { value: 1 },
            q: { value: 1.1428571428571428 },
            r: { value: 0.625 },
          },
        ],
      },
    ],
  ]));

test('normalize by z-score and softmax', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: {
          p: { normalize: { buckets_path: '_count', method: 'z-score' } },
          q: { normalize: { buckets_path: '_count', method: 'softmax' } },
        },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, p: { value: 0.5388159060803247 }, q: { value: 0.13908593515644857 } },
          { key: -2, doc_count: 0, p: { value: -0.8980265101338746 }, q: { value: 0.051166856100161764 } },
          { key: 0, doc_count: 1, p: { value: 0.5388159060803247 }, q: { value: 0.13908593515644857 } },
          { key: 2, doc_count: 2, p: { value: 1.975658322294524 }, q: { value: 0.37807477013000723 } },
          { key: 4, doc_count: 0, p: { value: -0.8980265101338746 }, q: { value: 0.051166856100161764 } },
          { key: 6, doc_count: 0, p: { value: -0.8980265101338746 }, q: { value: 0.051166856100161764 } },
          { key: 8, doc_count: 0, p: { value: -0.8980265101338746 }, q: { value: 0.051166856100161764 } },
          { key: 10, doc_count: 1, p: { value: 0.5388159060803247 }, q: { value: 0.13908593515644857 } },
        ],
      },
    ],
  ]));

test('normalize formats when asked', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { r: { normalize: { buckets_path: '_count', method: 'rescale_0_100', format: '0.0' } } },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, r: { value: 50, value_as_string: '50.0' } },
          { key: -2, doc_count: 0, r: { value: 0, value_as_string: '0.0' } },
          { key: 0, doc_count: 1, r: { value: 50, value_as_string: '50.0' } },
          { key: 2, doc_count: 2, r: { value: 100, value_as_string: '100.0' } },
          { key: 4, doc_count: 0, r: { value: 0, value_as_string: '0.0' } },
          { key: 6, doc_count: 0, r: { value: 0, value_as_string: '0.0' } },
          { key: 8, doc_count: 0, r: { value: 0, value_as_string: '0.0' } },
          { key: 10, doc_count: 1, r: { value: 50, value_as_string: '50.0' } },
        ],
      },
    ],
  ]));

test('normalize refuses unknown methods, none, paths to nothing and unknown options', () =>
  index.refuses([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { normalize: { buckets_path: 's', method: 'most' } } },
      },
      'illegal_argument_exception: invalid method [most]',
    ],
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { normalize: { buckets_path: 's' } } },
      },
      'illegal_argument_exception: invalid method [null]',
    ],
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { normalize: { buckets_path: 'zz', method: 'mean' } } },
      },
      'action_request_validation_exception: Validation Failed: 1: No aggregation found for path [zz];',
    ],
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { normalize: { buckets_path: 's', method: 'mean', foo: 1 } } },
      },
      'parsing_exception: Unexpected token [foo] in [p].',
    ],
  ]));
