import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budget, currentBudget, enterBudget, rememberExecution } from './budget.js';

test('an execution that was ended without its `finally` leaves no budget behind', () => {
  const outer = currentBudget();
  const putBack = rememberExecution();
  enterBudget(new Budget({ now: () => 0, maxMs: 1, maxBytes: 1 }));
  putBack();
  assert.equal(currentBudget(), outer);
});
