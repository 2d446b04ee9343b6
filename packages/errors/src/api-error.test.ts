import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toApiError } from './api-error.js';

test('an object of a client that cannot become a text is a mistake of the client', () => {
  const failed = (): string => String([{ toString: { a: 1 } }]);
  assert.throws(failed, TypeError);
  try {
    failed();
  } catch (error) {
    assert.equal(toApiError(error).status, 400);
  }
  assert.equal(toApiError(new TypeError('x is not a function')).status, 500);
});
