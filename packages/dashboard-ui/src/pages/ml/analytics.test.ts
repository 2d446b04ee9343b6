import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  analysisBody,
  analysisProblem,
  evaluationBody,
  phaseText,
  readAnalyses,
  readFigures,
  readImportances,
} from './analytics.js';

const form = {
  ...{ id: 'prices', indices: 'houses, flats', dest: 'predicted', field: 'price', percent: '80' },
  kind: 'regression',
} as const;

test('a form becomes a definition', () => {
  assert.equal(analysisProblem(form), null);
  assert.deepEqual(analysisBody(form), {
    source: { index: ['houses', 'flats'] },
    dest: { index: 'predicted' },
    analysis: { regression: { dependent_variable: 'price', training_percent: 80 } },
  });
  assert.deepEqual(analysisBody({ ...form, kind: 'outlier_detection', dest: '' }), {
    source: { index: ['houses', 'flats'] },
    dest: { index: 'results' },
    analysis: { outlier_detection: {} },
  });
  for (const wrong of [{ id: 'No' }, { indices: '' }, { dest: ' ' }, { field: '' }, { percent: '0' }, { percent: 'x' }])
    assert.notEqual(analysisProblem({ ...form, ...wrong }), null);
  assert.equal(analysisProblem({ ...form, id: '', dest: '' }, false), null);
  assert.equal(analysisProblem({ ...form, kind: 'outlier_detection', field: '' }), null);
});

test('predictions are measured by documents that were not learnt from', () => {
  const [prices, outliers] = readAnalyses({
    data_frame_analytics: [
      {
        ...{ id: 'prices', source: { index: 'houses' }, dest: { index: 'predicted', results_field: 'r' } },
        analysis: { regression: { dependent_variable: 'price' } },
      },
      { id: 'odd', source: { index: ['houses'] }, dest: { index: 'odd' }, analysis: { outlier_detection: {} } },
    ],
  });
  assert.deepEqual(evaluationBody(prices!), {
    index: 'predicted',
    query: { term: { 'r.is_training': false } },
    evaluation: { regression: { actual_field: 'price', predicted_field: 'r.price_prediction' } },
  });
  assert.deepEqual([outliers!.resultsField, evaluationBody(outliers!)], ['ml', null]);
  assert.deepEqual(readAnalyses(null), []);
});

test('figures are those of any kind, and the phase is the one that is not complete', () => {
  assert.deepEqual(readFigures({ regression: { mse: { value: 2 }, r_squared: { value: 0.9 } } }), [
    { name: 'mse', value: 2 },
    { name: 'r squared', value: 0.9 },
  ]);
  const classes = { accuracy: { overall_accuracy: 0.8, classes: [] }, precision: { avg_precision: 0.7 } };
  assert.deepEqual(readFigures({ classification: { ...classes, multiclass_confusion_matrix: {} } }), [
    { name: 'accuracy', value: 0.8 },
    { name: 'precision', value: 0.7 },
  ]);
  const phases = (...percents: readonly number[]) =>
    phaseText({ progress: percents.map((percent, i) => ({ phase: `phase_${i}`, progress_percent: percent })) });
  assert.deepEqual([phases(0, 0), phases(100, 40), phases(100, 100)], ['', 'phase 1 40 %', 'done']);
});

test('importances are sorted, those of classes added', () => {
  const models = (list: readonly object[]) => ({
    trained_model_configs: [{ metadata: { total_feature_importance: list } }],
  });
  const plain = { feature_name: 'a', importance: { mean_magnitude: 1 } };
  const classes = [{ importance: { mean_magnitude: 2 } }, { importance: { mean_magnitude: 3 } }];
  assert.deepEqual(readImportances(models([plain, { feature_name: 'b', classes }])), [
    { field: 'b', mean: 5 },
    { field: 'a', mean: 1 },
  ]);
  assert.deepEqual(readImportances({}), []);
});
