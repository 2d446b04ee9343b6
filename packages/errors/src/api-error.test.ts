import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toApiError } from './api-error.js';
import { errors } from './catalogue.js';
import { decodeError, encodeError } from './render.js';

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

test('errors that come from elsewhere are made again without looking where, also those below them', () => {
  const inner = errors.illegalArgument('inner');
  const wire = encodeError(errors.illegalArgument('outer', { cause: inner }));
  const limit = Error.stackTraceLimit;
  const error = decodeError(wire);
  assert.equal(Error.stackTraceLimit, limit);
  for (const one of [error, error.causedBy!]) assert.doesNotMatch(String(one.stack), /\n\s+at /);
});
