// Elections, publications and control links, on a thread that shares nothing with the work on data
// (docs/internals/cluster.md §1).
import { parentPort, workerData } from 'node:worker_threads';
import type { StateFollower } from '@shoal/cluster';
import { type Channel, sendMessage } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import { master as protocol } from '@shoal/protocol';
import { nodeFiles } from '@shoal/store';
import { createLink, createTransport } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { systemRandom } from '../doors/system-random.js';
import { createLinkGuard, type LinkSecurity } from '../links/link-security.js';
import { type RunningCoordination, runCoordination } from '../links/run-coordination.js';
import type { ControlThreadData, LinkRuling, SubmitMessage } from './control-thread-data.js';
import { forwardLog } from './forward-log.js';
import { readPulse } from './node-pulse.js';
import { publicationOf } from './publish-states.js';
import { workerPort } from './worker-port.js';

const data = workerData as ControlThreadData;
const NOTHING = new Uint8Array(0);
const json = (value: unknown): Uint8Array => new Uint8Array(encodeJson(value));

let running: RunningCoordination | null = null;

const main = createLink(workerPort(parentPort!), (action, payload) => serveMain(action, payload));
const log = forwardLog(main);
const guard = createLinkGuard(data.linkSecurity, (address, ruling) => {
  const told: LinkRuling = { address, ruling };
  if (data.reportsRulings) main.request('control/link-ruled', json(told)).catch(() => undefined);
});

async function serveMain(action: string, payload: Uint8Array): Promise<Uint8Array> {
  switch (action) {
    case 'control/submit': {
      const { task, body, options } = decodeJson(payload) as SubmitMessage;
      return json(await running!.node.submit(task, body, options));
    }
    case 'control/pending':
      return json(await running!.node.pendingTasks());
    case 'control/statistics':
      return json(await running!.node.statistics());
    case 'control/close':
      await running?.node.close();
      await running?.transport.close();
      return NOTHING;
    case 'control/protect':
      guard.update(decodeJson(payload) as LinkSecurity);
      return NOTHING;
    case 'control/transport-stats':
      return json(running!.transport.stats());
    default:
      throw errors.illegalArgument(`unknown action [${action}]`);
  }
}

/** Sends committed states to the main thread, as differences if it has the previous state. */
function mainFollower(channel: Channel): StateFollower {
  let published = 0;
  return {
    async apply(state, previous) {
      const base = published !== 0 && published === previous.version ? previous : null;
      const { publish } = protocol.methods;
      const answer = await sendMessage(channel, publish, publicationOf(state, base));
      if (answer.needFull) await sendMessage(channel, publish, publicationOf(state, null));
      published = state.version;
    },
    leaderChanged: (leaderId) => void channel.request('control/leader', json({ leaderId })).catch(() => undefined),
  };
}

async function start(): Promise<void> {
  running = await runCoordination({
    data,
    clock: systemClock,
    random: systemRandom,
    log,
    files: nodeFiles(),
    createTransport,
    protection: guard.options,
    ready: async (transportAddress) => void (await main.request('control/ready', json({ transportAddress }))),
    seeds: async () => decodeJson(await main.request('control/seeds', NOTHING)) as string[],
    follower: mainFollower(main),
    health: readPulse(data.pulse, systemClock),
    handler: (action, payload, signal) => main.request(action, payload, { signal }),
    onFatal: (error) => void main.request('control/fatal', json({ message: error.message })),
  });
}

start().catch((error: unknown) => void main.request('control/fatal', json({ message: (error as Error).message })));
