import { Worker } from 'node:worker_threads';
import type { TimerHandle } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { PasswordDoors } from '@shoal/security';
import { systemClock } from '../doors/system-clock.js';

/** Milliseconds after which an idle thread ends; starting one costs 30 ms. */
const IDLE_MS = 10_000;

/** A password to compare with a hash. It stays within the process. */
export interface BcryptQuestion {
  readonly id: number;
  readonly password: string;
  readonly hash: string;
}

/** The answer to the question with the same id. */
export interface BcryptAnswer {
  readonly id: number;
  readonly isRight: boolean;
}

interface Waiting {
  resolve(isRight: boolean): void;
  reject(error: Error): void;
}

/**
 * Compares passwords with bcrypt hashes on a thread of its own. bcrypt is computed in JavaScript: on the main thread a
 * flood of logins of imported users would hold every other request. The thread starts with the first comparison and
 * ends when idle.
 */
export function createBcryptWorker(): NonNullable<PasswordDoors['compareBcrypt']> {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let idle: TimerHandle | null = null;
  let lastId = 0;

  const lose = (lost: Worker, reason: string): void => {
    if (worker !== lost) return;
    worker = null;
    for (const { reject } of waiting.values())
      reject(errors.illegalState(`the thread that compares passwords ended: ${reason}`));
    waiting.clear();
  };
  const endIdle = (): void => {
    const ended = worker;
    worker = null;
    void ended?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./bcrypt-thread.js', import.meta.url), { name: 'shoal-bcrypt' });
    started.unref();
    started.on('error', (error) => lose(started, error.message));
    started.on('exit', (code) => lose(started, `exit code ${code}`));
    started.on('message', ({ id, isRight }: BcryptAnswer) => {
      waiting.get(id)?.resolve(isRight);
      waiting.delete(id);
      if (waiting.size === 0) idle = systemClock.after(IDLE_MS, endIdle);
    });
    return started;
  };
  return (password, hash) => {
    idle?.cancel();
    worker ??= start();
    const question: BcryptQuestion = { id: ++lastId, password, hash };
    return new Promise((resolve, reject) => {
      waiting.set(question.id, { resolve, reject });
      worker!.postMessage(question);
    });
  };
}
