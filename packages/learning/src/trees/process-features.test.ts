import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeatureColumn } from './fit-encoders.js';
import { parseProcessors, processFeatures } from './process-features.js';

const table: readonly FeatureColumn[] = [
  { name: 'n', kind: 'number', values: Float64Array.of(1, 2, Number.NaN) },
  { name: 'word', kind: 'category', codes: Int32Array.of(0, 1, -1), texts: ['abc', 'xb'] },
];
const made = (...processors: object[]): Record<string, unknown> =>
  Object.fromEntries(
    processFeatures(table, parseProcessors(processors), 3).map((column) => [
      column.name,
      column.kind === 'number' ? [...column.values] : Array.from(column.codes, (code) => column.texts[code] ?? null),
    ]),
  );
const NONE = Number.NaN;

test('each kind of processor makes features of a field, which then is no feature itself', () => {
  const n = [1, 2, NONE];
  assert.deepEqual(made({ frequency_encoding: { field: 'word', feature_name: 'f', frequency_map: { abc: 0.5 } } }), {
    n,
    f: [0.5, 0, NONE],
  });
  assert.deepEqual(made({ one_hot_encoding: { field: 'word', hot_map: { abc: 'is_abc', xb: 'is_xb' } } }), {
    n,
    is_abc: [1, 0, NONE],
    is_xb: [0, 1, NONE],
  });
  const mean = { field: 'word', feature_name: 'm', target_map: { abc: 7 }, default_value: 3 };
  assert.deepEqual(made({ target_mean_encoding: mean }), { n, m: [7, 3, NONE] });
  assert.deepEqual(made({ n_gram_encoding: { field: 'word', feature_prefix: 'g', length: 2, n_grams: [1, 2] } }), {
    n,
    'g.10': ['a', 'x', null],
    'g.11': ['b', 'b', null],
    'g.20': ['ab', 'xb', null],
  });
});

test('a multi_encoding gives what one processor makes to the next', () => {
  const gram = { n_gram_encoding: { field: 'word', start: -2, length: 1, n_grams: [1] } };
  const count = {
    frequency_encoding: { field: 'ngram_-2_1.10', feature_name: 'often', frequency_map: { b: 0.25, x: 0.75 } },
  };
  assert.deepEqual(made({ multi_encoding: { processors: [gram, count] } }), {
    n: [1, 2, NONE],
    often: [0.25, 0.75, NONE],
  });
});

test('what cannot be processed is refused by name', () => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{ word2vec: {} }, /\[word2vec\] is not a preprocessor/],
    [{ n_gram_encoding: { field: 'word' } }, /Required \[n_grams\]/],
    [{ n_gram_encoding: { field: 'word', n_grams: [6] } }, /\[n_grams\] must be integers from 1 to 5/],
    [{ n_gram_encoding: { field: 'word', n_grams: [1], length: 1000 } }, /\[length\] must be/],
    [{ multi_encoding: { processors: [] } }, /\[processors\] must not be empty/],
    [{ frequency_encoding: { field: 'zz', feature_name: 'f', frequency_map: {} } }, /field \[zz\] .* is not included/],
    ['text', /must have objects with one member/],
  ];
  for (const [body, message] of cases) assert.throws(() => made(body as object), { reason: message } as never);
});
