import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { parseAnalytics } from './analytics-config.js';
import { analyzedFieldsOf, selectFields, selectionJson, type SourceField } from './field-selection.js';

const GB = 2 ** 30;
const PLAIN = { source: { index: 'houses' }, dest: { index: 'predicted' } };
const parse = (analysis: unknown, more: object = {}) => parseAnalytics('a', { ...PLAIN, analysis, ...more }, GB);

const field = (name: string, type: string, isAggregatable = true): SourceField => ({
  ...{ name, types: [type], isAggregatable, isEmpty: false },
});
const FIELDS = [
  ...[
    field('price', 'double'),
    field('rooms', 'integer'),
    field('kind', 'text', false),
    field('kind.keyword', 'keyword'),
  ],
  ...[field('at', 'date'), field('new', 'boolean'), field('ml.price_prediction', 'double')],
];

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isApiError(error)) return `${error.status} ${error.reason}`;
    throw error;
  }
  return 'taken';
}

test('an analysis is shown with its defaults', () => {
  assert.deepEqual(parse({ outlier_detection: {} }).json['analysis'], {
    outlier_detection: { compute_feature_influence: true, outlier_fraction: 0.05, standardization_enabled: true },
  });
  const { regression } = parse({ regression: { dependent_variable: 'price', randomize_seed: 7, eta: 0.1 } }).json[
    'analysis'
  ] as { regression: object };
  assert.deepEqual(regression, {
    ...{ dependent_variable: 'price', eta: 0.1, prediction_field_name: 'price_prediction', training_percent: 100 },
    ...{ randomize_seed: 7, early_stopping_enabled: true, loss_function: 'mse' },
  });
});

for (const [analysis, words] of [
  [{}, 'exactly one analysis'],
  [{ clustering: {} }, 'unknown field [clustering]'],
  [{ regression: {} }, 'dependent_variable'],
  [{ regression: { dependent_variable: 'price', training_percent: 0 } }, '[training_percent]'],
  [{ regression: { dependent_variable: 'price', eta: 2 } }, '[eta] must be a double in [0.001, 1]'],
  [{ regression: { dependent_variable: 'price', max_trees: 3000 } }, '[max_trees]'],
  [{ regression: { dependent_variable: 'price', loss_function: 'mae' } }, 'loss_function'],
  [{ regression: { dependent_variable: 'price', feature_processors: [{ x: {} }] } }, '[x] is not a preprocessor'],
  [{ regression: { dependent_variable: 'price', feature_processors: {} } }, '[feature_processors]'],
  [
    {
      regression: {
        dependent_variable: 'price',
        feature_processors: [{ n_gram_encoding: { field: 'price', n_grams: [1] } }],
      },
    },
    'must not read the dependent variable',
  ],
  [{ classification: { dependent_variable: 'kind', num_top_classes: -2 } }, '[num_top_classes]'],
  [{ outlier_detection: { method: 'forest' } }, 'forest'],
  [{ outlier_detection: { n_neighbors: 0 } }, '[n_neighbors]'],
  [{ outlier_detection: { outlier_fraction: 1.5 } }, '[outlier_fraction]'],
] as const)
  test(`an analysis that is wrong is refused: ${JSON.stringify(analysis)}`, () => {
    const found = refusal(() => parse(analysis));
    assert.ok(found.startsWith('400 ') && found.includes(words), found);
  });

test('a destination among the sources, an id with capitals and an unknown member are refused', () => {
  const analysis = { outlier_detection: {} };
  assert.match(
    refusal(() => parse(analysis, { dest: { index: 'houses' } })),
    /included in source expression/,
  );
  assert.match(
    refusal(() => parseAnalytics('A', { ...PLAIN, analysis }, GB)),
    /^400 Invalid id/,
  );
  assert.match(
    refusal(() => parse(analysis, { sauce: 1 })),
    /^400 .*sauce/,
  );
});

test('fields are chosen by their types, names and what 8.12 prefers, each with its reason', () => {
  const config = parse({ regression: { dependent_variable: 'price' } }, { analyzed_fields: { excludes: ['new'] } });
  const selected = selectFields(config, FIELDS);
  const reasons = selectionJson(selected).map(({ name, reason, feature_type: type }) => [name, type ?? reason]);
  assert.deepEqual(reasons, [
    [
      'at',
      'unsupported type; supported types are [boolean, byte, double, float, half_float, integer, long, ' +
        'scaled_float, short, unsigned_long, constant_keyword, ip, keyword, text, version, wildcard]',
    ],
    ['kind', '[_source] is not aggregatable: there are no values of this field to read'],
    ['kind.keyword', 'categorical'],
    ['new', 'field in excludes list'],
    ['price', 'numerical'],
    ['rooms', 'numerical'],
  ]);
  assert.deepEqual(
    analyzedFieldsOf(config, selected).map(({ name }) => name),
    ['kind.keyword', 'rooms', 'price'],
  );
});

test('a selection without features, without its dependent variable or with one of the wrong type is refused', () => {
  const of = (analysis: unknown, includes?: string[]) =>
    refusal(() =>
      selectFields(parse(analysis, includes === undefined ? {} : { analyzed_fields: { includes } }), FIELDS),
    );
  assert.match(of({ regression: { dependent_variable: 'cost' } }), /^400 required field \[cost\] is missing/);
  assert.match(of({ regression: { dependent_variable: 'kind.keyword' } }), /^400 invalid types \[keyword\]/);
  assert.match(of({ classification: { dependent_variable: 'price' } }), /^400 invalid types \[double\]/);
  assert.match(of({ outlier_detection: {} }, ['at']), /^400 at least one field must be included/);
  assert.match(of({ outlier_detection: {} }, ['rooms', 'doors']), /^400 No field \[doors\]/);
});
