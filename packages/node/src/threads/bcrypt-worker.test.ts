import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBcryptWorker } from './bcrypt-worker.js';

const HASH = '$2b$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkY8jIucDrjc8deX1s.';

test('passwords are compared with bcrypt hashes on one thread of their own', async (t) => {
  let threads = 0;
  const count = (): void => void threads++;
  process.on('worker', count);
  t.after(() => process.off('worker', count));
  const compare = createBcryptWorker();
  const { hashSync } = await import('bcryptjs');
  const hash = hashSync('geheim', 5);
  const right = Array.from({ length: 4 }, () => compare('geheim', hash));
  assert.deepEqual(await Promise.all(right), [true, true, true, true]);
  assert.equal(await compare('Geheim', hash), false);
  assert.equal(await compare('geheim', HASH), false);
  assert.equal(threads, 1);
});
