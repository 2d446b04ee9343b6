import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestBreaker } from './request-breaker.js';

test('requests hold what they charge until they end; over the limit a request is refused and counted', () => {
  const breaker = new RequestBreaker(1_000);
  const first = breaker.open('<agg>');
  const second = breaker.open('<agg>');
  first.charge(600);
  assert.throws(() => second.charge(500), {
    type: 'circuit_breaking_exception',
    status: 429,
    reason:
      '[request] Data too large, data for [<agg>] would be [1100/1kb], which is larger than the limit of [1000/1000b]',
  });
  assert.equal(breaker.tripped, 1);
  assert.equal(breaker.used, 600);
  first.charge(-100);
  second.charge(500);
  first.release();
  second.release();
  assert.equal(breaker.used, 0);
});
