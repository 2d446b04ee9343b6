import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedTurns } from './shared-turns.js';

test('work runs together, and alone when it asks for that, in the order of arrival', async () => {
  const turns = new SharedTurns();
  const entered: string[] = [];
  const enter = async (name: string, isAlone: boolean): Promise<() => void> => {
    const leave = await turns.enter(isAlone);
    entered.push(name);
    return leave;
  };
  const [a, b] = await Promise.all([enter('a', false), enter('b', false)]);
  const alone = enter('c', true);
  const after = enter('d', false);
  const last = enter('e', true);
  a();
  await Promise.resolve();
  assert.deepEqual(entered, ['a', 'b']);
  b();
  const leave = await alone;
  assert.deepEqual(entered, ['a', 'b', 'c']);
  leave();
  (await after)();
  (await last)();
  assert.deepEqual(entered, ['a', 'b', 'c', 'd', 'e']);
});
