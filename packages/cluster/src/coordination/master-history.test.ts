import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import type { NodeInfo } from '@shoal/state';
import { MasterHistory } from './master-history.js';

const node = (id: string) => ({ id, name: id }) as NodeInfo;

test('masters of the last half hour are told in order, with the one that was followed when it began', () => {
  const clock = fakeClock();
  const history = new MasterHistory(clock);
  const told = (): (string | null)[] => history.recent().map((master) => master?.id ?? null);
  for (const master of [null, node('a'), node('a'), null]) history.note(master);
  assert.deepEqual(told(), [null, 'a', null]);
  clock.advance(1_000_000);
  history.note(node('b'));
  clock.advance(900_000);
  assert.deepEqual(told(), [null, 'b']);
  clock.advance(1_000_000);
  assert.deepEqual(told(), ['b']);
});

test('a master that changes all the time is remembered within bounds', () => {
  const history = new MasterHistory(fakeClock());
  for (let i = 0; i < 1000; i++) history.note(node(String(i)));
  assert.equal(history.recent().length, 50);
});
