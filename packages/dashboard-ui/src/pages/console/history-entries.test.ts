import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HISTORY_MAX, withEntry } from './history-entries.js';

const entry = (text: string) => ({ at: 0, text, status: 200 });

test('the newest request is first, an equal one is there once, and the oldest leave', () => {
  const two = withEntry(withEntry([], entry('GET /a')), entry('GET /b'));
  assert.deepEqual(
    withEntry(two, entry('GET /a')).map(({ text }) => text),
    ['GET /a', 'GET /b'],
  );
  const full = Array.from({ length: HISTORY_MAX }, (_, i) => entry(`GET /${i}`));
  const more = withEntry(full, entry('GET /new'));
  assert.deepEqual(
    [more.length, more[0]!.text, more.at(-1)!.text],
    [HISTORY_MAX, 'GET /new', `GET /${HISTORY_MAX - 2}`],
  );
  assert.equal(withEntry([], entry('x'.repeat(200_000))).length, 0);
});
