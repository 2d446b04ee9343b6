import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createParentBreaker } from './parent-breaker.js';

const MB = 2 ** 20;

test('large requests are refused while the process holds too much, small ones never', () => {
  let [now, inUse, collections] = [0, 90 * MB, 0];
  const breaker = createParentBreaker({
    limit: () => 100 * MB,
    inUse: () => inUse,
    usages: () => ({ request: MB }),
    now: () => now,
    collect: () => void collections++,
  });
  breaker.check(5 * MB, '<http_request>');
  assert.throws(() => breaker.check(20 * MB, '<http_request>'), {
    status: 429,
    type: 'circuit_breaking_exception',
    message:
      '[parent] Data too large, data for [<http_request>] would be [115343360/110mb], which is larger than the ' +
      'limit of [104857600/100mb], real usage: [94371840/90mb], new bytes reserved: [20971520/20mb], usages ' +
      '[request=1048576/1mb]',
  });
  breaker.check(1000, '<http_request>');
  assert.deepEqual([breaker.tripped, collections], [1, 1]);
  inUse = 10 * MB;
  now += 100;
  breaker.check(20 * MB, '<http_request>');
});

test('memory that nothing uses any more is freed before a request is refused', () => {
  let inUse = 200 * MB;
  const breaker = createParentBreaker({
    limit: () => 100 * MB,
    inUse: () => inUse,
    usages: () => ({}),
    now: () => 0,
    collect: () => void (inUse = MB),
  });
  breaker.check(MB, '<http_request>');
  assert.equal(breaker.tripped, 0);
});
