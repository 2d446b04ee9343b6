import { Worker } from 'node:worker_threads';
import type { Log, TimerHandle } from '@shoal/doors';
import { systemClock } from '../doors/system-clock.js';
import type { NodeSettings } from '../settings/load-settings.js';
import { assetsFolder } from '../dashboard/assets-folder.js';
import { CLOSE, type DashboardThreadData, type DashboardThreadMessage } from '../dashboard/dashboard-thread-data.js';

/** Pause before the thread is started again after a fault; doubles with each one. */
const RESTART_MS_MIN = 1_000;
const RESTART_MS_MAX = 60_000;
/** A thread that ran for so long has no fault before it. */
const SOUND_MS = 60_000;
/** How long the thread may take to end its requests when the node ends. */
const CLOSE_MS = 2_000;
/** Heap of the thread. One that needs more ends, and the node goes on. */
const HEAP_MB = 128;
/** Three times what `bin/shoal` gives a dashboard of its own for new objects. */
const YOUNG_MB = 6;

/** The dashboard inside a node. */
export interface NodeDashboard {
  close(): Promise<void>;
}

/** What the dashboard of a node is told. */
export interface NodeDashboardOptions {
  readonly settings: NodeSettings;
  /** Address of this node, its only host. */
  readonly address: string;
  /** Token of the dashboard's own user; null in a node without security. */
  readonly token: string | null;
  readonly log: Log;
}

/** Runs the dashboard in a thread of its own. A fault ends the thread, which is started again after a growing pause. */
export function openDashboard({ settings, address, token, log }: NodeDashboardOptions): NodeDashboard {
  const data: DashboardThreadData = {
    assetsFolder: assetsFolder(),
    settings: [
      ['server.host', settings.text('dashboard.host')!],
      ['server.port', settings.text('dashboard.port')!],
      ['server.shutdownTimeout', String(CLOSE_MS)],
      ['elasticsearch.hosts', address],
      // The node itself, in the same process: there is nobody between.
      ['elasticsearch.ssl.verificationMode', 'none'],
      ...(token === null ? [] : [['elasticsearch.serviceAccountToken', token] as const]),
    ],
  };
  let worker: Worker | null = null;
  let timer: TimerHandle | null = null;
  let faults = 0;
  let isClosing = false;
  const start = (): void => {
    const startedAtMs = systemClock.monotonic();
    const started = new Worker(new URL('./dashboard-thread.js', import.meta.url), {
      name: 'shoal-dashboard',
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    started.unref();
    worker = started;
    let reason = 'it ended';
    started.on('message', (said: DashboardThreadMessage) => {
      if (said.kind === 'log') log.write(said.level, said.message, said.fields);
    });
    started.on('error', (error) => (reason = error.message));
    started.on('exit', () => {
      worker = null;
      if (isClosing) return;
      faults = systemClock.monotonic() - startedAtMs > SOUND_MS ? 1 : faults + 1;
      const pauseMs = Math.min(RESTART_MS_MAX, RESTART_MS_MIN * 2 ** Math.min(10, faults - 1));
      log.write('warn', 'the dashboard failed and is started again', { reason, 'pause.millis': pauseMs });
      timer = systemClock.after(pauseMs, start);
    });
  };
  start();
  return {
    close: async () => {
      isClosing = true;
      timer?.cancel();
      if (worker !== null) await ended(worker);
    },
  };
}

/** Lets the thread end its requests, then ends it. */
async function ended(worker: Worker): Promise<void> {
  await new Promise<void>((resolve) => {
    const limit = systemClock.after(CLOSE_MS, resolve);
    worker.on('message', (said: DashboardThreadMessage) => {
      if (said.kind !== 'closed') return;
      limit.cancel();
      resolve();
    });
    worker.once('exit', () => resolve());
    worker.postMessage(CLOSE);
  });
  await worker.terminate();
}
