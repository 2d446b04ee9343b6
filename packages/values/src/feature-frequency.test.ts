import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featureOfFrequency, frequencyOfFeature } from './feature-frequency.js';

test('frequencies of features keep nine significant bits and the order of the values', () => {
  for (const [value, frequency, kept] of [
    [1, 32512, 1],
    [0.1, 31641, 0.099853515625],
    [22, 33632, 22],
    [1 / 22, 31348, 0.04541015625],
    [1.17549435e-38, 256, 1.1754943508222875e-38],
    [3.4028234e38, 65279, 3.39617752923046e38],
  ] as const) {
    assert.equal(frequencyOfFeature(value), frequency, String(value));
    assert.equal(featureOfFrequency(frequency), kept, String(value));
  }
});
