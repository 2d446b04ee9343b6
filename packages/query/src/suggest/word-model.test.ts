import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSmoothing } from './word-model.js';

/** Errors are those of Elasticsearch 8.12.0. */
test('a kind of smoothing has its parameters', () => {
  assert.deepEqual(parseSmoothing({}), { kind: 'stupid_backoff', discount: 0.4 });
  assert.deepEqual(parseSmoothing({ stupid_backoff: { discount: 0.2 } }), {
    kind: 'stupid_backoff',
    discount: 0.2,
  });
  assert.deepEqual(parseSmoothing({ laplace: { alpha: '0.7' } }), { kind: 'laplace', alpha: 0.7 });
  assert.deepEqual(parseSmoothing({ linear: { trigram_lambda: 0.5, bigram_lambda: 0.3, unigram_lambda: 0.2 } }), {
    kind: 'linear',
    trigram: 0.5,
    bigram: 0.3,
    unigram: 0.2,
  });
});

test('what smoothing does not know is refused by name', () => {
  for (const [given, reason] of [
    [{ linear: { trigram_lambda: 0.5 } }, 'linear smoothing lambdas must sum to 1'],
    [{ linear: { foo: 0.5 } }, "suggester[phrase][smoothing][linear] doesn't support field [foo]"],
    [{ zz: { foo: 0.5 } }, "suggester[phrase] doesn't support object field [zz]"],
    [{ laplace: 5 }, '[smoothing] unknown token [VALUE_NUMBER] after [laplace]'],
  ] as const)
    assert.throws(() => parseSmoothing(given), { reason });
});
