// Thread of the dashboard inside a node (`dashboard.enabled`): the same server as `shoal dashboard`.
import { parentPort, workerData } from 'node:worker_threads';
import { loadDashboardSettings, startDashboard } from '@shoal/dashboard';
import type { Log } from '@shoal/doors';
import { CLOSE, type DashboardThreadData, type DashboardThreadMessage } from '../dashboard/dashboard-thread-data.js';
import { keyStores } from '../dashboard/key-stores.js';
import { systemClock } from '../doors/system-clock.js';
import { systemRandom } from '../doors/system-random.js';
import { nameThisThread } from './name-this-thread.js';

nameThisThread('shoal-dashboard');
const say = (message: DashboardThreadMessage): void => parentPort!.postMessage(message);
const plain = (value: unknown): unknown => (value instanceof Error ? (value.stack ?? value.message) : value);
const log: Log = {
  write: (level, message, fields = {}) =>
    say({
      kind: 'log',
      level,
      message,
      fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)])),
    }),
};

async function run({ settings, assetsFolder }: DashboardThreadData): Promise<void> {
  const loaded = loadDashboardSettings({ file: {}, environment: {}, overrides: settings });
  const doors = { clock: systemClock, random: systemRandom, log, stores: await keyStores(loaded) };
  const dashboard = await startDashboard(loaded, assetsFolder, doors);
  parentPort!.on('message', (message) => {
    if (message === CLOSE) void dashboard.close().then(() => say({ kind: 'closed' }));
  });
}

// A start that fails is an error of the thread, which the node logs.
void run(workerData as DashboardThreadData);
