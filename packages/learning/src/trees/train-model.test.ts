import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countUp, seededDraws } from './draws.js';
import type { FeatureColumn } from './fit-encoders.js';
import { parseModel, type TreeModel } from './model-json.js';
import { PLAIN_SETTINGS } from './settings.js';
import type { TrainOptions } from './train.js';
import { type TrainingBatch, TrainingLog } from './training-log.js';
import { type TrainedModel, trainModel, type TrainTarget } from './train-model.js';

const ROWS = 240;
const CITIES = ['north', 'south', 'east'];

/** A table of two numbers, one of them with gaps, and a text. */
function tableOf(seed: number) {
  const draw = seededDraws(seed);
  const a = Float64Array.from({ length: ROWS }, () => draw() * 10);
  const b = Float64Array.from({ length: ROWS }, () => (draw() < 0.1 ? Number.NaN : draw() * 4 - 2));
  const codes = Int32Array.from({ length: ROWS }, () => Math.floor(draw() * 3));
  const columns: FeatureColumn[] = [
    { name: 'a', kind: 'number', values: a },
    { name: 'b', kind: 'number', values: b },
    { name: 'city', kind: 'category', codes, texts: CITIES },
  ];
  const read = (row: number) => (field: string) =>
    field === 'a' ? a[row] : field === 'city' ? CITIES[codes[row]!] : Number.isNaN(b[row]!) ? undefined : b[row];
  const y = a.map((value, row) => 3 * value + 10 * codes[row]! + (Number.isNaN(b[row]!) ? 5 : b[row]! ** 2));
  return { columns, read, y, codes };
}

function trained(
  columns: readonly FeatureColumn[],
  target: TrainTarget,
  given: Partial<TrainOptions> = {},
): TrainedModel {
  const options = { seed: 7, fixed: PLAIN_SETTINGS, treesMost: 100, stopsEarly: true, fineTrials: 0, ...given };
  const work = trainModel(columns, target, countUp(ROWS), options);
  let next = work.next();
  while (next.done !== true) next = work.next();
  return next.value;
}

const errorOf = (model: TreeModel, { read, y }: ReturnType<typeof tableOf>): number =>
  Math.sqrt(y.reduce((sum, value, row) => sum + (model.value(read(row)) - value) ** 2 / ROWS, 0));

test('a regression predicts rows that it has not seen, from numbers, gaps and texts', () => {
  const { columns, y } = tableOf(1);
  for (const loss of ['mse', 'msle', 'huber'] as const) {
    const { definition } = trained(columns, { kind: 'regression', values: y, loss, parameter: 1 });
    const found = errorOf(parseModel(definition), tableOf(2));
    // The deviation of the targets is about 12.
    assert.ok(found < 2.5, `${loss}: ${found}`);
  }
});

test('a search leaves what a request has fixed, and finds settings that predict well', () => {
  const { columns, y } = tableOf(8);
  const target: TrainTarget = { kind: 'regression', values: y, loss: 'mse', parameter: 1 };
  const { lambda: _, ...fixed } = PLAIN_SETTINGS;
  const found = trained(columns, target, { fixed: { ...fixed, leaves: 5 }, fineTrials: 2 });
  assert.equal(found.settings.leaves, 5);
  assert.ok(found.trials > 16);
  assert.ok(errorOf(parseModel(found.definition), tableOf(2)) < 3);
});

test('the same seed gives the same model', () => {
  const { columns, y } = tableOf(3);
  const target: TrainTarget = { kind: 'regression', values: y, loss: 'mse', parameter: 1 };
  assert.deepEqual(trained(columns, target).definition, trained(columns, target).definition);
});

test('classes are told apart; weights of classes raise the least recall of a rare one', () => {
  const { columns, read, y } = tableOf(4);
  const draw = seededDraws(9);
  const values = y.map((value) => (value + 8 * draw() > 42 ? 1 : 0));
  const recallOf = (objective: 'maximize_accuracy' | 'maximize_minimum_recall'): number => {
    const { definition } = trained(columns, { kind: 'classification', values, labels: ['no', 'yes'], objective });
    const model = parseModel(definition);
    const recalls = ['no', 'yes'].map((label, k) => {
      const rows = [...values.keys()].filter((row) => values[row] === k);
      return rows.filter((row) => model.classes(read(row))[0]!.name === label).length / rows.length;
    });
    return Math.min(...recalls);
  };
  assert.ok(recallOf('maximize_minimum_recall') >= recallOf('maximize_accuracy'));
  assert.ok(recallOf('maximize_minimum_recall') > 0.8);
});

test('three classes have probabilities that add up to one, and the likeliest is mostly right', () => {
  const { columns, read, codes } = tableOf(5);
  const values = Float64Array.from(codes);
  const labels = ['x', 'y', 'z'];
  const { definition } = trained(columns, { kind: 'classification', values, labels, objective: 'maximize_accuracy' });
  const model = parseModel(definition);
  let right = 0;
  for (let row = 0; row < ROWS; row++) {
    const classes = model.classes(read(row));
    assert.ok(Math.abs(classes.reduce((sum, { probability }) => sum + probability, 0) - 1) < 1e-9);
    if (classes[0]!.name === labels[codes[row]!]) right++;
  }
  assert.ok(right > 0.95 * ROWS);
});

test('shares of fields and the baseline add up to the prediction; fields of texts have one share', () => {
  const { columns, read, y } = tableOf(6);
  const { definition } = trained(columns, { kind: 'regression', values: y, loss: 'mse', parameter: 1 });
  const model = parseModel(definition);
  const [baseline] = model.baseline();
  for (let row = 0; row < 40; row++) {
    const shares = model.shares(read(row));
    assert.deepEqual([...shares.keys()].sort(), ['a', 'b', 'city']);
    const sum = [...shares.values()].reduce((total, [own]) => total + own!, baseline!);
    assert.ok(Math.abs(sum - model.value(read(row))) < 1e-9 * (1 + Math.abs(sum)), `row ${row}`);
  }
});

test('a training that goes on after another one comes to the same model without its work', () => {
  const { columns, y, codes } = tableOf(5);
  const targets: readonly TrainTarget[] = [
    { kind: 'regression', values: y, loss: 'mse', parameter: 1 },
    { kind: 'classification', values: Float64Array.from(codes), labels: CITIES, objective: 'maximize_minimum_recall' },
  ];
  for (const target of targets) {
    const options = { seed: 3, fixed: {}, treesMost: 400, stopsEarly: true, fineTrials: 2 };
    const whole = trained(columns, target, options);
    // It ends in the middle of the search, then in the middle of the model; what it notes passes through JSON.
    const kept: TrainingBatch[] = [];
    let steps = 0;
    for (const endsAt of [400, 2500, Number.POSITIVE_INFINITY]) {
      const log = new TrainingLog('a');
      for (const batch of kept) assert.ok(log.restore(JSON.parse(JSON.stringify(batch)) as TrainingBatch));
      const work = trainModel(columns, target, countUp(ROWS), { ...options, log });
      let next = work.next();
      for (steps = 0; next.done !== true && steps < endsAt; steps++) {
        if (steps % 150 === 149) keep(log, kept);
        next = work.next();
      }
      keep(log, kept);
      if (next.done === true) assert.equal(JSON.stringify(next.value.definition), JSON.stringify(whole.definition));
      else assert.ok(endsAt < Number.POSITIVE_INFINITY);
    }
    const gap = { task: 'a', losses: [], rounds: [], fromLoss: 99_999, fromRound: 0 };
    assert.equal(new TrainingLog('a').restore(gap), false);
    assert.equal(new TrainingLog('b').restore(kept[0]!), false);
    assert.equal(new TrainingLog('a').restore(kept[0]!), true);
  }
});

function keep(log: TrainingLog, kept: TrainingBatch[]): void {
  const batch = log.take();
  if (batch !== null) kept.push(batch);
}
