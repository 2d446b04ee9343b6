import { Worker } from 'node:worker_threads';
import { decodeValue, encodeValue, type Value } from '@shoal/codec';
import { sendMessage, type TimerHandle } from '@shoal/doors';
import { threads } from '@shoal/protocol';
import type { MergeResult, MergeRunner } from '@shoal/shard';
import { createLink, type Link } from '@shoal/transport';
import { errors } from '@shoal/errors';
import { systemClock } from '../doors/system-clock.js';
import { workerPort } from './worker-port.js';

/**
 * Milliseconds after which an idle thread ends. An idle thread holds tens of megabytes of heap; starting one costs 50
 * ms.
 */
const IDLE_MS = 5_000;

/** Size of the young generation in MB: merging makes few objects, and a small one saves memory. */
const YOUNG_MB = 12;

/**
 * Runs the merges of a shard thread on another thread, one at a time. The thread starts with a merge and ends when
 * idle.
 */
export function createMergeWorker(): MergeRunner & { close(): Promise<void> } {
  let worker: Worker | null = null;
  let link: Link | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let idle: TimerHandle | null = null;
  let waiting = 0;

  const start = (): Link => {
    const started = new Worker(new URL('./merge-thread.js', import.meta.url), {
      name: 'shoal-merge',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const opened = createLink(workerPort(started), () =>
      Promise.reject(errors.illegalState('a merge thread asks nothing')),
    );
    const lost = (reason: string): void => {
      if (worker === started) {
        worker = null;
        link = null;
      }
      opened.fail(`the merge thread ended: ${reason}`);
    };
    started.on('error', (error) => lost(error.message));
    started.on('exit', (code) => lost(`exit code ${code}`));
    worker = started;
    return (link = opened);
  };

  const end = (): void => {
    const ended = worker;
    worker = null;
    link = null;
    void ended?.terminate();
  };

  const runOn = async (on: Link, payload: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
    if (signal.aborted) throw errors.taskCancelled('the merge was aborted before it began');
    const cancel = (): void => void sendMessage(on, threads.methods.cancelMerge, {}).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return (await sendMessage(on, threads.methods.merge, { body: payload })).body;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

  return {
    async run(task, _inPlace, signal) {
      const payload = encodeValue(task as unknown as Value);
      idle?.cancel();
      waiting++;
      const run = last.catch(() => undefined).then(() => runOn(link ?? start(), payload, signal));
      last = run;
      try {
        return decodeValue(await run) as unknown as MergeResult;
      } finally {
        if (--waiting === 0) idle = systemClock.after(IDLE_MS, end);
      }
    },
    async close() {
      await last.catch(() => undefined);
      idle?.cancel();
      await worker?.terminate();
    },
  };
}
