import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fifo } from './fifo.js';

test('a queue gives back what came, in order, however much comes and goes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -400, max: 400 }), { maxLength: 30 }), (steps) => {
      const [queue, list] = [new Fifo<number>(), [] as number[]];
      let next = 0;
      for (const step of steps) {
        for (let i = 0; i < step; i++, next++) {
          queue.push(next);
          list.push(next);
        }
        for (let i = 0; i > step; i--) assert.equal(queue.shift(), list.shift());
        assert.deepEqual([queue.length, queue.first], [list.length, list[0]]);
      }
    }),
  );
});
