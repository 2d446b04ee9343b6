import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInputs } from './inference-config.js';

test('the inputs of a model name its fields, where they are given', () => {
  assert.equal(parseInputs(undefined), null);
  assert.deepEqual(parseInputs({ field_names: ['a', 'b'] }), ['a', 'b']);
  assert.deepEqual(parseInputs({ field_names: [] }), []);
  assert.throws(() => parseInputs({}), /Required \[field_names\]/);
  assert.throws(() => parseInputs({ field_names: null }), /Required \[field_names\]/);
  assert.throws(() => parseInputs({ field_names: [1] }), /field_names doesn't support values of type/);
  assert.throws(() => parseInputs({ fields: ['a'] }), /unknown field \[fields\]/);
  assert.throws(() => parseInputs([]), /expected an object/);
});
