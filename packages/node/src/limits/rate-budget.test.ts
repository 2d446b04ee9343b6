import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateBudget } from './rate-budget.js';

test('a caller that spends more than its budget is refused until time has passed, others are not', () => {
  let now = 0;
  const budget = createRateBudget(2, () => now);
  budget.spend('anna');
  budget.spend('anna');
  assert.throws(() => budget.spend('anna'), { status: 429, type: 'es_rejected_execution_exception' });
  budget.spend('ben');
  now += 500;
  budget.spend('anna');
  assert.throws(() => budget.spend('anna'));
});
