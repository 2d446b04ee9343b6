import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBcryptWorker } from './bcrypt-worker.js';

const HASH = '$2b$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkY8jIucDrjc8deX1s.';

test('passwords are compared with bcrypt hashes off the calling thread', async () => {
  const compare = createBcryptWorker();
  const { hashSync } = await import('bcryptjs');
  const hash = hashSync('geheim', 10);
  await compare('geheim', HASH);
  const before = performance.eventLoopUtilization();
  const right = Array.from({ length: 4 }, () => compare('geheim', hash));
  assert.deepEqual(await Promise.all(right), [true, true, true, true]);
  const { utilization } = performance.eventLoopUtilization(before);
  assert.ok(utilization < 0.5, `the calling thread was busy for ${utilization} of the time that four hashes took`);
  assert.equal(await compare('Geheim', hash), false);
  assert.equal(await compare('geheim', HASH), false);
});
