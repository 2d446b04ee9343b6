import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { type ArrivingBody, createSlowBodies } from './slow-bodies.js';

test('a body that hardly comes is given up, one that comes or is held up by this node is not', () => {
  const clock = fakeClock();
  const bodies = createSlowBodies(clock, 1000);
  const given: string[] = [];
  const open = (name: string): ArrivingBody => ({
    received: 0,
    seen: -1,
    slot: -1,
    isHeld: () => name === 'held',
    giveUp: () => (given.push(name), bodies.remove(body(name))),
  });
  const all = new Map(['slow', 'fast', 'held'].map((name) => [name, open(name)]));
  const body = (name: string): ArrivingBody => all.get(name)!;
  for (const one of all.values()) bodies.add(one);
  for (let i = 0; i < 4; i++) {
    body('slow').received += 10;
    body('fast').received += 6000;
    clock.advance(5000);
  }
  assert.deepEqual(given, ['slow']);
});
