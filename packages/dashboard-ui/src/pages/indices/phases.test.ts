import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phasesText } from './phases.js';

test('phases are in their order, with the ages that are not at once', () => {
  const phases = { delete: { min_age: '90d' }, hot: { min_age: '0ms' }, warm: {}, cold: { min_age: '7d' } };
  assert.equal(phasesText({ policy: { phases } }), 'hot, warm, cold after 7d, delete after 90d');
  assert.equal(phasesText({}), '');
});
