import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heuristicOf } from './significance.js';

test('jlh divides before it multiplies, so that scores round as in 8.12', () =>
  assert.equal(heuristicOf({})({ subset: 1, subsetSize: 2, superset: 1, supersetSize: 6 }), 1));
