// Thread that compares passwords with bcrypt hashes, which takes 50 ms to a second each, for the main thread.
import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';
import type { BcryptAnswer, BcryptQuestion } from './bcrypt-worker.js';
import { nameThisThread } from './name-this-thread.js';

nameThisThread('shoal-bcrypt');
parentPort!.on('message', ({ id, password, hash }: BcryptQuestion) => {
  const answer: BcryptAnswer = { id, isRight: compareSync(password, hash) };
  parentPort!.postMessage(answer);
});
