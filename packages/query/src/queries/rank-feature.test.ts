import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Scores and errors are those of the module mapper-extras. */
const index = await searchFixture({
  mapping: {
    p: { type: 'rank_feature' },
    u: { type: 'rank_feature', positive_score_impact: false },
    fs: { type: 'rank_features' },
    ns: { type: 'rank_features', positive_score_impact: false },
    n: { type: 'long' },
  },
  documents: [
    { p: 8, u: 22, fs: { a: 1 }, ns: { a: 4 }, n: 1 },
    { p: 50.3, u: 3, fs: { a: 20 } },
    { p: 0.7, ns: { a: 7 } },
  ],
});
const feature = (options: object): object => ({ rank_feature: options });

test('rank_feature saturates at the mean value of the field, or at a pivot', () =>
  index.answers([
    [
      feature({ field: 'p' }),
      {
        ids: ['2', '1', '3'],
        scores: [0.883516, 0.547009, 0.0954667],
        plan: 'FeatureQuery(field=_feature, feature=p, function=SaturationFunction(pivot=null))',
      },
    ],
    [feature({ field: 'p', boost: 3, saturation: {} }), { ids: ['2', '1', '3'], scores: [2.65055, 1.64103, 0.2864] }],
    [feature({ field: 'u' }), { ids: ['2', '1'], scores: [0.738095, 0.277612] }],
    [feature({ field: 'u', saturation: { pivot: 8 } }), { ids: ['2', '1'], scores: [0.0399625, 0.0056442] }],
  ]));

test('rank_feature scores by a logarithm, a sigmoid or the value', () =>
  index.answers([
    [
      feature({ field: 'p', log: { scaling_factor: 4 } }),
      {
        ids: ['2', '1', '3'],
        scores: [3.9936, 2.48491, 1.5474],
        plan: 'FeatureQuery(field=_feature, feature=p, function=LogFunction(scalingFactor=4.0))',
      },
    ],
    [
      feature({ field: 'p', sigmoid: { pivot: 7, exponent: 0.6 } }),
      {
        ids: ['2', '1', '3'],
        scores: [0.765426, 0.520019, 0.200653],
        plan: 'FeatureQuery(field=_feature, feature=p, function=SigmoidFunction(pivot=7.0, a=0.6))',
      },
    ],
    [
      feature({ field: 'p', linear: {} }),
      {
        ids: ['2', '1', '3'],
        scores: [50.25, 8, 0.699219],
        plan: 'FeatureQuery(field=_feature, feature=p, function=LinearFunction)',
      },
    ],
    [feature({ field: 'u', linear: {} }), { ids: ['2', '1'], scores: [0.333008, 0.0454102] }],
  ]));

test('rank_feature reads one feature of many, and adds to other scores', () =>
  index.answers([
    [
      feature({ field: 'fs.a' }),
      {
        ids: ['2', '1'],
        scores: [0.816326, 0.181818],
        plan: 'FeatureQuery(field=fs, feature=a, function=SaturationFunction(pivot=null))',
      },
    ],
    [feature({ field: 'ns.a' }), { ids: ['1', '3'], scores: [0.560175, 0.420749] }],
    [feature({ field: 'fs.none' }), { ids: [], scores: [] }],
    [feature({ field: 'none' }), { ids: [], scores: [] }],
    [
      { bool: { must: { term: { n: 1 } }, should: feature({ field: 'p', boost: 2, log: { scaling_factor: 1 } }) } },
      { ids: ['1'], scores: [5.39445] },
    ],
  ]));

const failed = (reason: string): string =>
  `query_shard_exception: failed to create query: ${reason} <- illegal_argument_exception: ${reason}`;

test('rank_feature refuses other fields, functions and options', () =>
  index.refuses([
    [
      feature({ field: 'n' }),
      failed(
        '[rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, not [long]',
      ),
    ],
    [
      feature({ field: 'fs' }),
      failed(
        '[rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, ' +
          'not [rank_features]',
      ),
    ],
    [feature({}), 'illegal_argument_exception: Required [field]'],
    [
      feature({ field: 'p', log: {} }),
      'x_content_parse_exception: [feature] failed to parse field [log] <- ' +
        'illegal_argument_exception: Required [scaling_factor]',
    ],
    [
      feature({ field: 'p', sigmoid: { pivot: 7 } }),
      'x_content_parse_exception: [feature] failed to parse field [sigmoid] <- ' +
        'illegal_argument_exception: Required [exponent]',
    ],
    [feature({ field: 'p', log: { scaling_factor: 0.5 } }), failed('scalingFactor must be >= 1, got: 0.5')],
    [feature({ field: 'p', saturation: { pivot: 0 } }), failed('pivot must be > 0, got: 0.0')],
    [feature({ field: 'p', sigmoid: { pivot: 7, exponent: -1 } }), failed('exp must be > 0, got: -1.0')],
    [
      feature({ field: 'u', log: { scaling_factor: 1 } }),
      failed(
        'Cannot use the [log] function with a field that has a negative score impact as it would trigger negative ' +
          'scores',
      ),
    ],
    [
      feature({ field: 'p', saturation: {}, log: { scaling_factor: 1 } }),
      'x_content_parse_exception: Failed to build [feature] after last required field arrived <- ' +
        'illegal_argument_exception: Can only specify one of [log], [saturation], [sigmoid] and [linear]',
    ],
    [feature({ field: 'p', x: 1 }), 'x_content_parse_exception: [feature] unknown field [x]'],
    [
      feature({ field: 'p', log: 5 }),
      "x_content_parse_exception: [feature] log doesn't support values of type: VALUE_NUMBER",
    ],
  ]));
