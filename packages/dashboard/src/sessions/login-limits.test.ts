import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { createLoginLimits } from './login-limits.js';

const setUp = () => {
  const clock = fakeClock();
  const limits = createLoginLimits(clock);
  const fail = (address: string, name: string): number => {
    const wait = limits.begin(address, name);
    if (wait === 0) limits.end(address, name, false);
    return wait;
  };
  return { clock, limits, fail };
};

test('after five failures of a name at an address the pause doubles from one second to five minutes', () => {
  const { clock, fail } = setUp();
  for (let i = 0; i < 5; i++) assert.equal(fail('a', 'anna'), 0);
  const pauses: number[] = [];
  for (let i = 0; i < 11; i++) {
    const wait = fail('a', 'anna');
    pauses.push(wait);
    clock.advance(wait * 1000);
    assert.equal(fail('a', 'anna'), 0);
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
});

test('another name or address is not slowed down, and a right password forgets the failures', () => {
  const { clock, limits, fail } = setUp();
  for (let i = 0; i < 5; i++) fail('a', 'anna');
  assert.equal(fail('a', 'bert'), 0);
  assert.equal(fail('b', 'anna'), 0);
  clock.advance(1_000);
  assert.equal(limits.begin('a', 'anna'), 0);
  limits.end('a', 'anna', true);
  for (let i = 0; i < 5; i++) assert.equal(fail('a', 'anna'), 0);
});

test('an address with 60 failures waits five minutes, whatever the names', () => {
  const { clock, fail } = setUp();
  for (let i = 0; i < 60; i++) assert.equal(fail('a', `u${i}`), 0);
  assert.equal(fail('a', 'u99'), 300);
  assert.equal(fail('b', 'u99'), 0);
  clock.advance(300_000);
  assert.equal(fail('a', 'u99'), 0);
});

test('four passwords are checked at once', () => {
  const { limits } = setUp();
  for (let i = 0; i < 4; i++) assert.equal(limits.begin(`a${i}`, 'anna'), 0);
  assert.equal(limits.begin('b', 'anna'), 1);
  limits.end('a0', 'anna', true);
  assert.equal(limits.begin('b', 'anna'), 0);
});
