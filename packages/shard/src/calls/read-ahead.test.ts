import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAhead } from './read-ahead.js';

test('files are read before they are asked for, each once and never more than the limit', async () => {
  const names = Array.from({ length: 10 }, (_, i) => `f${i}`);
  const begun: string[] = [];
  let taken = 0;
  let most = 0;
  const files = readAhead(names, 3, async (name) => {
    begun.push(name);
    most = Math.max(most, begun.length - taken);
    return name.toUpperCase();
  });
  for (const name of names) {
    assert.equal(await files.read(name), name.toUpperCase());
    taken++;
  }
  assert.deepEqual(begun, names);
  assert.ok(most > 1 && most <= 4, String(most));
});

test('an error reaches who asks for its file, and the others are waited for', async () => {
  let ended = 0;
  const files = readAhead(['a', 'b', 'c', 'd'], 2, async (name) => {
    await new Promise((resolve) => void setImmediate(resolve));
    ended++;
    if (name === 'b') throw new Error('b is damaged');
    return name;
  });
  assert.equal(await files.read('a'), 'a');
  await assert.rejects(files.read('b'), /b is damaged/);
  await files.end();
  assert.equal(ended, 4);
});
