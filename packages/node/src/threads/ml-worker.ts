import { Worker } from 'node:worker_threads';
import { decodeValue, encodeValue } from '@shoal/codec';
import { createTurns, type TimerHandle } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { ModelRoom } from '@shoal/ml';
import { createLink, type Link } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { workerPort } from './worker-port.js';

/** Milliseconds without an open model after which the thread ends. */
const IDLE_MS = 60_000;
const YOUNG_MB = 16;

/** Models of jobs on a thread of their own. */
export interface ModelThread extends ModelRoom {
  close(): Promise<void>;
}

/**
 * Runs models on another thread, which starts with the first and ends when none is open. A model that needs more memory
 * than the heap of the thread ends the thread, not the node: calls fail then, and the jobs open again from their
 * checkpoints on a new thread.
 */
export function createModelThread(heapMb: number): ModelThread {
  let worker: Worker | null = null;
  let link: Link | null = null;
  let idle: TimerHandle | null = null;
  const turns = createTurns(1);
  const open = new Set<string>();
  /** Why the models are gone that ended with a thread, by id, until they are opened or closed. */
  const gone = new Map<string, string>();

  const start = (): Link => {
    const started = new Worker(new URL('./ml-thread.js', import.meta.url), {
      name: 'shoal-ml',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: heapMb },
    });
    const opened = createLink(workerPort(started), () =>
      Promise.reject(errors.illegalState('a thread of models asks nothing')),
    );
    const lost = (reason: string): void => {
      if (worker === started) {
        worker = null;
        link = null;
        for (const id of open) gone.set(id, reason);
        open.clear();
      }
      opened.fail(`the thread of models ended: ${reason}`);
    };
    started.on('error', (error) => lost(error.message));
    started.on('exit', (code) => lost(`exit code ${code}`));
    started.unref();
    worker = started;
    return (link = opened);
  };

  const end = (): void => {
    const ended = worker;
    worker = null;
    link = null;
    void ended?.terminate();
  };

  return {
    call(action, body) {
      return turns.run(async () => {
        idle?.cancel();
        const id = String((body as { id?: unknown } | null)?.id);
        const isOpening = action === 'state' || action === 'open' || action === 'analysis-open';
        const isClosing = action === 'close' || action === 'analysis-close';
        const why = gone.get(id);
        if (isOpening || isClosing) gone.delete(id);
        else if (why !== undefined) throw errors.illegalState(`the thread of models ended: ${why}`, { status: 503 });
        if (isOpening) open.add(id);
        try {
          return decodeValue(await (link ?? start()).request(action, encodeValue(body)));
        } finally {
          if (isClosing) open.delete(id);
          if (open.size === 0) idle = systemClock.after(IDLE_MS, end);
        }
      });
    },
    async close() {
      idle?.cancel();
      await worker?.terminate();
    },
  };
}
