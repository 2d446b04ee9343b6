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

test('an execution is not ended for the time in which other programs had the processor', () => {
  let [ms, processorMs] = [0, 0];
  const budget = new Budget({ now: () => ms, processorMs: () => processorMs, maxMs: 100, maxBytes: 1 });
  budget.restart();
  budget.checkTime();
  ms = 5000;
  processorMs = 90;
  budget.checkTime();
  processorMs = 101;
  assert.throws(() => budget.checkTime(), /may run no longer than \[100ms\]/);
  budget.restart();
  budget.checkTime();
});
