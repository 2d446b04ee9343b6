// Elections, publications and control links, on a thread that shares nothing with the work on data
// (docs/internals/cluster.md §1).
import { parentPort, workerData } from 'node:worker_threads';
import type { StateFollower } from '@shoal/cluster';
import { type Channel, type MessagePair, sendMessage } from '@shoal/doors';
import { ApiError, errors } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import { answerers, control, master as protocol } from '@shoal/protocol';
import { nodeFiles } from '@shoal/store';
import { createLink, createTransport } from '@shoal/transport';
import { followScripts } from '../doors/follow-scripts.js';
import { systemClock } from '../doors/system-clock.js';
import { systemRandom } from '../doors/system-random.js';
import { withConnectionsMax } from '../limits/open-files.js';
import { createLinkGuard, type LinkSecurity } from '../links/link-security.js';
import { type RunningCoordination, runCoordination } from '../links/run-coordination.js';
import type { ControlThreadData } from './control-thread-data.js';
import { forwardLog } from './forward-log.js';
import { nameThisThread } from './name-this-thread.js';
import { readPulse } from './node-pulse.js';
import { publicationOf } from './publish-states.js';
import { workerPort } from './worker-port.js';

nameThisThread('shoal-control');
const data = workerData as ControlThreadData;
// A master compiles the scripts of mappings.
followScripts(data.nodeSettings);

let running: RunningCoordination | null = null;

const main = createLink(workerPort(parentPort!), async (action, payload, signal) => {
  const answer = own.get(action);
  if (!answer) throw errors.illegalArgument(`unknown action [${action}]`);
  return answer(payload, signal);
});
const log = forwardLog(main);
const { methods } = control;
/** Reports to the main thread; nobody waits for the answer. */
const report = <Message extends object>(method: MessagePair<Message, control.Nothing>, message: Message): void =>
  void sendMessage(main, method, message).catch(() => undefined);
const guard = createLinkGuard(
  data.linkSecurity,
  (address, ruling) => {
    if (data.reportsRulings) report(methods.linkRuled, { address, ...ruling });
  },
  systemRandom,
);

/** Messages of `service Control` that this thread answers. */
type OwnHandlers = Pick<
  control.ControlHandlers,
  'submit' | 'pending' | 'statistics' | 'close' | 'protect' | 'transportStats'
>;

const own = answerers<OwnHandlers>(
  {
    submit: methods.submit,
    pending: methods.pending,
    statistics: methods.statistics,
    close: methods.close,
    protect: methods.protect,
    transportStats: methods.transportStats,
  },
  {
    async submit({ task, body, timeoutMs, masterTimeoutMs }) {
      const options = {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(masterTimeoutMs === undefined ? {} : { masterTimeoutMs }),
      };
      return { body: encodeJson(await running!.node.submit(task, decodeJson(body), options)) };
    },
    pending: async () => ({ body: encodeJson(await running!.node.pendingTasks()) }),
    statistics: async () => ({ body: encodeJson(await running!.node.statistics()) }),
    async close() {
      await running?.node.close();
      await running?.transport.close();
      return {};
    },
    protect({ security }) {
      guard.update(decodeJson(security) as LinkSecurity);
      return {};
    },
    transportStats: () => running!.transport.stats(),
  },
);

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
    leaderChanged: (leaderId) => report(methods.leader, { leaderId: leaderId ?? undefined }),
  };
}

/** Ends the node. The kind of an error that an operator must act on travels with it. */
function reportFatal(error: unknown): void {
  const type = error instanceof ApiError ? { type: error.type } : {};
  report(methods.fatal, { message: (error as Error).message, ...type });
}

async function start(): Promise<void> {
  running = await runCoordination({
    data,
    clock: systemClock,
    random: systemRandom,
    log,
    files: nodeFiles(),
    createTransport: withConnectionsMax(createTransport),
    protection: guard.options,
    ready: async (transportAddress) => void (await sendMessage(main, methods.ready, { transportAddress })),
    seeds: async () => (await sendMessage(main, methods.seeds, {})).addresses,
    follower: mainFollower(main),
    health: readPulse(data.pulse, systemClock),
    handler: (action, payload, signal) => main.request(action, payload, { signal }),
    onFatal: reportFatal,
  });
}

start().catch(reportFatal);
