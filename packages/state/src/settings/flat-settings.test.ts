import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { flattenIndexSettings, flattenSettings, nestedSettings } from './flat-settings.js';

test('names may be nested, dotted, with or without the prefix', () => {
  const wanted = { 'index.number_of_shards': '2', 'index.analysis.analyzer.a.type': 'custom' };
  assert.deepEqual(
    flattenIndexSettings({ index: { number_of_shards: 2 }, 'analysis.analyzer': { a: { type: 'custom' } } }),
    wanted,
  );
});

test('flattening what was nested gives the same settings again', () => {
  const name = fc
    .array(fc.constantFrom('a', 'b', 'c', '__proto__'), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('.'));
  fc.assert(
    fc.property(fc.dictionary(name, fc.string()), (flat) => {
      const names = Object.keys(flat);
      fc.pre(!names.some((one) => names.some((other) => other.startsWith(`${one}.`))));
      assert.deepEqual(Object.entries(flattenSettings(nestedSettings(flat))).sort(), Object.entries(flat).sort());
    }),
  );
});

test('numbers and booleans become text, null stays', () => {
  assert.deepEqual(flattenSettings({ a: 1, b: true, c: null, d: ['x', 1] }), {
    a: '1',
    b: 'true',
    c: null,
    d: ['x', '1'],
  });
});
