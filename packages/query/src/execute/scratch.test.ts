import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type IdleBuffers, Scratch } from './scratch.js';

test('a request gets the memory back that another one has released, never what is lent', () => {
  const idle: IdleBuffers = { bytes: 0, bySize: [] };
  const first = new Scratch(idle);
  const [ints, more] = [first.ints(3000), first.ints(3000)];
  assert.notEqual(ints.buffer, more.buffer);
  assert.ok(ints.length >= 3000);
  first.release();
  const second = new Scratch(idle);
  assert.ok([ints.buffer, more.buffer].includes(second.floats(3000).buffer));
  assert.ok([ints.buffer, more.buffer].includes(second.ints(3000).buffer));
  assert.equal(idle.bytes, 0);
});

test('windows of doubles are zeros whatever was there before', () => {
  const idle: IdleBuffers = { bytes: 0, bySize: [] };
  const first = new Scratch(idle);
  first.numbers(4096).fill(7);
  first.release();
  const again = new Scratch(idle).doubles();
  assert.equal(again.length, 4096);
  assert.ok(again.every((value) => value === 0));
});

test('no more is kept than its share, and nothing large', () => {
  const idle: IdleBuffers = { bytes: 0, bySize: [] };
  const scratch = new Scratch(idle);
  for (let i = 0; i < 20; i++) scratch.numbers(32_768);
  scratch.numbers(1 << 20);
  scratch.release();
  assert.equal(idle.bytes, 2 << 20);
});

test('what a request no longer uses is not held until its end, beyond what may stay for others', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const scratch = new Scratch();
  collect();
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 2000; i++) scratch.numbers(4096);
  collect();
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 << 20);
  scratch.release();
});

test('large arrays are as long as asked for', () => {
  assert.equal(new Scratch().ints(70_001).length, 70_001);
});
