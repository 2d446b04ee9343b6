import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SearchCosts } from './search-costs.js';

test('what a shape takes is a moving mean of what its searches took, in which longer ones count less', () => {
  const costs = new SearchCosts();
  assert.equal(costs.expectedMs('a'), undefined);
  costs.note('a', 10);
  costs.note('a', 20);
  assert.equal(costs.expectedMs('a'), 11);
  costs.note('a', 1);
  assert.equal(costs.expectedMs('a'), 8);
});

test('shapes that were not seen for longest are forgotten', () => {
  const costs = new SearchCosts();
  costs.note('first', 1);
  costs.note('second', 1);
  for (let i = 0; i < 1_999; i++) {
    costs.note(`other ${i}`, 1);
    costs.note('first', 1);
  }
  assert.equal(costs.expectedMs('first'), 1);
  assert.equal(costs.expectedMs('second'), undefined);
});

test('shapes that are kept stay kept until many others are', () => {
  const costs = new SearchCosts();
  costs.keep('a');
  assert.ok(costs.isKept('a'));
  for (let i = 0; i < 200; i++) costs.keep(`other ${i}`);
  assert.ok(!costs.isKept('a'));
  assert.ok(costs.isKept('other 199'));
});
