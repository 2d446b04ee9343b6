import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PostingsCursor, SegmentReader, TermsReader } from '@shoal/segments';
import { type IdleBuffers, idleBuffers, Scratch } from './scratch.js';

test('a request gets the memory back that another one has released, never what is lent', () => {
  const idle: IdleBuffers = idleBuffers();
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
  const idle: IdleBuffers = idleBuffers();
  const first = new Scratch(idle);
  first.numbers(4096).fill(7);
  first.release();
  const again = new Scratch(idle).doubles();
  assert.equal(again.length, 4096);
  assert.ok(again.every((value) => value === 0));
});

test('no more is kept than its share, and nothing large', () => {
  const idle: IdleBuffers = idleBuffers();
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
  // Backing stores of dead buffers are freed by another thread; the next collection waits for it.
  collect();
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 << 20);
  scratch.release();
});

test('large arrays are as long as asked for', () => {
  assert.equal(new Scratch().ints(70_001).length, 70_001);
});

test('bits and counts of a window are zeros whatever was there before', () => {
  const idle = idleBuffers();
  const first = new Scratch(idle);
  first.ints(1024).fill(-1);
  first.ints(128).fill(-1);
  first.release();
  const scratch = new Scratch(idle);
  const [words, counts] = [scratch.words(), scratch.counts()];
  assert.deepEqual([words.length, counts.length], [128, 4096]);
  assert.ok(words.every((word) => word === 0) && counts.every((count) => count === 0));
});

test('a cursor is lent again once it was let go of, as many as may wait', () => {
  const idle = idleBuffers();
  const parked: PostingsCursor[] = [];
  const terms = {
    postings: (_: number, reuse?: PostingsCursor) =>
      reuse ??
      ({
        park() {
          parked.push(this as unknown as PostingsCursor);
        },
      } as unknown as PostingsCursor),
  } as TermsReader;
  const first = new Scratch(idle);
  const lent = Array.from({ length: 70 }, (_, i) => first.postings(terms, i));
  assert.equal(new Set(lent).size, 70);
  first.release();
  assert.equal(parked.length, 64);
  const second = new Scratch(idle);
  assert.ok(parked.includes(second.postings(terms, 0)));
  assert.equal(idle.cursors.length, 63);
});

test('columns are shared within a segment, those of segments gone by are let go', () => {
  let made = 0;
  const segment = (): SegmentReader => ({ numbers: () => ({ number: ++made }) }) as unknown as SegmentReader;
  const scratch = new Scratch();
  const first = segment();
  const column = scratch.column(first, 'a');
  assert.equal(scratch.column(first, 'a'), column);
  for (let i = 0; i < 64; i++) scratch.column(segment(), 'a');
  assert.equal(made, 65);
  assert.notEqual(scratch.column(first, 'a'), column);
});
