import { Worker } from 'node:worker_threads';
import { decodeValue, encodeValue, type Value } from '@shoal/codec';
import type { MergeResult, MergeRunner } from '@shoal/shard';
import { createLink, type Link } from '@shoal/transport';
import { errors } from '@shoal/errors';
import { workerPort } from './worker-port.js';

/** Merges of one shard thread on a thread of their own, which is started by the first one. One merge at a time. */
export function createMergeWorker(): MergeRunner & { close(): Promise<void> } {
  let worker: Worker | null = null;
  let link: Link | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const start = (): Link => {
    const started = new Worker(new URL('./merge-thread.js', import.meta.url), { name: 'shoal-merge' });
    const opened = createLink(workerPort(started), () => Promise.reject(errors.illegalState('a merge thread asks nothing')));
    const lost = (reason: string): void => {
      worker = null;
      link = null;
      opened.fail(`the merge thread ended: ${reason}`);
    };
    started.on('error', (error) => lost(error.message));
    started.on('exit', (code) => lost(`exit code ${code}`));
    worker = started;
    return (link = opened);
  };

  return {
    run(task) {
      const payload = encodeValue(task as unknown as Value);
      const run = last.catch(() => undefined).then(() => (link ?? start()).request('merge', payload));
      last = run;
      return run.then((bytes) => decodeValue(bytes) as unknown as MergeResult);
    },
    async close() {
      await last.catch(() => undefined);
      await worker?.terminate();
    },
  };
}
