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

test('threads with a common limit count together what each of them holds', () => {
  const meters = new Float64Array(4);
  const first = new RequestBreaker(1_000, meters.subarray(0, 2), { meters, ownLimit: 1_000 });
  const second = new RequestBreaker(1_000, meters.subarray(2), { meters, ownLimit: 300 });
  const one = first.open('<agg>');
  one.charge(800);
  const other = second.open('<agg>');
  assert.throws(() => other.charge(250), /\[1050\/1kb\], which is larger than the limit of \[1000\/1000b\]/);
  one.charge(-700);
  assert.throws(() => other.charge(350), /\[350\/350b\], which is larger than the limit of \[300\/300b\]/);
  other.charge(250);
  assert.throws(() => one.charge(700), { type: 'circuit_breaking_exception' });
  other.release();
  one.charge(700);
  one.release();
  assert.deepEqual([...meters], [0, 1, 0, 2]);
});
