import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseModel } from './model-json.js';

const leaf = (node_index: number, leaf_value: number | number[]) => ({ node_index, leaf_value });
const split = (node_index: number, split_feature: number, threshold: number, rest: Record<string, unknown> = {}) => ({
  ...{ node_index, split_feature, threshold, left_child: node_index + 1, right_child: node_index + 2 },
  ...{ decision_type: 'lt', default_left: true },
  ...rest,
});
const tree = (tree_structure: unknown[], rest: Record<string, unknown> = {}) => ({
  tree: { feature_names: ['a', 'b'], tree_structure, ...rest },
});
const STUMP = [split(0, 0, 5), leaf(1, 10), leaf(2, 20)];
const reader = (fields: Record<string, unknown>) => (name: string) => fields[name];
const valueOf = (trained_model: unknown, fields: Record<string, unknown>, preprocessors: unknown[] = []) =>
  parseModel({ preprocessors, trained_model }).value(reader(fields));

test('a tree follows its conditions; a missing value goes to the side that the node names', () => {
  assert.equal(valueOf(tree(STUMP), { a: 4.999 }), 10);
  assert.equal(valueOf(tree(STUMP), { a: 5 }), 20);
  assert.equal(valueOf(tree(STUMP), { a: '7' }), 20);
  assert.equal(valueOf(tree(STUMP), {}), 10);
  assert.equal(valueOf(tree([split(0, 0, 5, { default_left: false }), leaf(1, 10), leaf(2, 20)]), { b: 1 }), 20);
  assert.equal(valueOf(tree([split(0, 0, 5, { decision_type: 'gte' }), leaf(1, 10), leaf(2, 20)]), { a: 5 }), 10);
});

const ensemble = (models: unknown[], aggregate_output: unknown, rest: Record<string, unknown> = {}) => ({
  ensemble: { feature_names: ['a', 'b'], trained_models: models, aggregate_output, target_type: 'regression', ...rest },
});

test('ensembles join the values of their trees', () => {
  const two = [tree(STUMP), tree([split(0, 1, 0), leaf(1, 1), leaf(2, 2)])];
  assert.equal(valueOf(ensemble(two, { weighted_sum: { weights: [0.5, 2] } }), { a: 9, b: 1 }), 14);
  assert.equal(valueOf(ensemble(two, { exponent: {} }), { a: 1, b: -1 }), Math.exp(11));
  assert.equal(valueOf(ensemble(two, { logistic_regression: { weights: [0.1, -1] } }), { a: 1, b: -1 }), 0.5);
});

test('classes are ordered by probability times weight', () => {
  const votes = [0, 1, 1].map((index) => tree([leaf(0, index)]));
  const labels = { target_type: 'classification', classification_labels: ['no', 'yes'] };
  const model = parseModel({ trained_model: ensemble(votes, { weighted_mode: { num_classes: 2 } }, labels) });
  const [best, other] = model.classes(reader({ a: 1 }));
  assert.equal(best!.name, 'yes');
  assert.ok(Math.abs(best!.probability - 1 / (1 + Math.exp(-1))) < 1e-12);
  assert.ok(Math.abs(best!.probability + other!.probability - 1) < 1e-12);
  const weighted = { ...labels, classification_weights: [10, 1] };
  const turned = parseModel({ trained_model: ensemble(votes, { weighted_mode: {} }, weighted) });
  assert.equal(turned.classes(reader({ a: 1 }))[0]!.name, 'no');
});

test('preprocessors make features of texts', () => {
  const byColour = [{ one_hot_encoding: { field: 'colour', hot_map: { red: 'a', blue: 'b' } } }];
  const onRed = tree([split(0, 0, 0.5), leaf(1, 1), leaf(2, 2)]);
  assert.equal(valueOf(onRed, { colour: 'red' }, byColour), 2);
  assert.equal(valueOf(onRed, { colour: 'blue' }, byColour), 1);
  const mean = { field: 'colour', feature_name: 'a', target_map: { red: 9 }, default_value: 1 };
  assert.equal(valueOf(tree(STUMP), { colour: 'red' }, [{ target_mean_encoding: mean }]), 20);
  assert.equal(valueOf(tree(STUMP), { colour: 'green' }, [{ target_mean_encoding: mean }]), 10);
});

const REFUSED: readonly [what: string, definition: unknown, reason: RegExp][] = [
  ['nothing', null, /must be an object/],
  ['no model', {}, /\[trained_model\] must be an object/],
  [
    'a cycle',
    { trained_model: tree([split(0, 0, 5, { right_child: 0 }), leaf(1, 1)]) },
    /contains cycle at node \[0\]/,
  ],
  ['a missing child', { trained_model: tree([split(0, 0, 5)]) }, /contains missing nodes \[[12]\]/],
  ['a split of no feature', { trained_model: tree([split(0, 7, 5), leaf(1, 1), leaf(2, 2)]) }, /is not a feature/],
  ['a leaf of nothing', { trained_model: tree([{ node_index: 0 }]) }, /has neither a child nor/],
  ['leaves of two sizes', { trained_model: tree([split(0, 0, 5), leaf(1, [1, 2]), leaf(2, 3)]) }, /the same size/],
  ['no trees', { trained_model: ensemble([], { weighted_sum: {} }) }, /must not be empty/],
  [
    'weights for other trees',
    { trained_model: ensemble([tree(STUMP)], { weighted_sum: { weights: [1, 2] } }) },
    /size \[2\]/,
  ],
  [
    'another kind',
    { trained_model: { lang_ident_neural_network: {} } },
    /is not supported: only \[tree\] and \[ensemble\]/,
  ],
  ['a leaf that is a text', { trained_model: tree([{ leaf_value: 'x' }]) }, /\[leaf_value\] must be a number/],
  ['a leaf without numbers', { trained_model: tree([{ leaf_value: [] }]) }, /\[leaf_value\] must be a number/],
  ['a leaf that is null', { trained_model: tree([{ leaf_value: null }]) }, /neither a child nor a \[leaf_value\]/],
  [
    'another preprocessor',
    { preprocessors: [{ word2vec: { field: 'x' } }], trained_model: tree(STUMP) },
    /word2vec\] is not a preprocessor/,
  ],
];

for (const [what, definition, reason] of REFUSED) {
  test(`${what}: no model`, () => {
    assert.throws(() => parseModel(definition), reason);
  });
}

test('members of another kind are refused by name', () => {
  const odd = { toString: 1, valueOf: 1 };
  const votes = [0, 1].map((index) => tree([leaf(0, index)]));
  const sum = (weights: unknown) => ensemble(votes, { weighted_sum: { weights } });
  const splitWith = (rest: Record<string, unknown>) => tree([split(0, 0, 5, rest), leaf(1, 10), leaf(2, 20)]);
  const onA = { field: 'c', feature_name: 'a' };
  const refused: readonly (readonly [model: unknown, reason: RegExp, preprocessors?: unknown[]])[] = [
    [splitWith({ decision_type: {} }), /\[decision_type\] must be a string/],
    [splitWith({ decision_type: 7 }), /unknown \[decision_type\] \[7\]/],
    [splitWith({ split_feature: odd }), /\[split_feature\] must be a whole number/],
    [splitWith({ right_child: '2' }), /\[right_child\] must be a whole number/],
    [splitWith({ node_index: odd }), /\[node_index\] must be a whole number/],
    [splitWith({ number_samples: odd }), /\[number_samples\] must be a number/],
    [tree(STUMP, { feature_names: [odd] }), /\[feature_names\] must be a string/],
    [tree(STUMP, { target_type: odd }), /\[target_type\] must be a string/],
    [sum(['x', 1]), /\[weights\] must be a number/],
    [ensemble(votes, undefined, { classification_labels: [{}, 'b'] }), /\[classification_labels\] must be a string/],
    [ensemble(votes, undefined, { classification_weights: [odd, 1] }), /\[classification_weights\] must be a number/],
    [tree(STUMP), /\[hot_map\] must be a string/, [{ one_hot_encoding: { field: 'c', hot_map: { x: odd } } }]],
    [tree(STUMP), /must be a number/, [{ frequency_encoding: { ...onA, frequency_map: { x: odd } } }]],
    [
      tree(STUMP),
      /\[default_value\] must be a number/,
      [{ target_mean_encoding: { ...onA, target_map: {}, default_value: odd } }],
    ],
    [tree(STUMP), /\[start\] must be a number/, [{ n_gram_encoding: { field: 'c', n_grams: [1], start: odd } }]],
  ];
  for (const [trained_model, message, preprocessors = []] of refused)
    assert.throws(() => parseModel({ preprocessors, trained_model }), { message });
});
