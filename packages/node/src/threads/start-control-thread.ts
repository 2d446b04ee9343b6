import { Worker } from 'node:worker_threads';
import { AppliedCluster, type CoordinationAccess, type CoordinationStatistics, type PendingTask } from '@shoal/cluster';
import { applyDiff, type ClusterState, emptyState, type StateDiff } from '@shoal/state';
import { type ChannelHandler, sendMessage } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import { answerers, control, master as protocol, type Service, threads } from '@shoal/protocol';
import { createLink, type Link } from '@shoal/transport';
import type { ControlPart, ControlPartOptions } from '../assembly/placement.js';
import type { ControlThreadData } from './control-thread-data.js';
import { writeForwarded } from './forward-log.js';
import { createPulse, keepPulse } from './node-pulse.js';
import { workerPort } from './worker-port.js';

/** Heap limits of the control thread in MB. The state machine and its links need little; the cluster state grows. */
const HEAP_MB = { old: 192, young: 8 };

const { methods } = control;

/** Access of the main thread to coordination on the control thread. `end` ends the thread. */
function accessTo(link: Link, end: () => Promise<void>): CoordinationAccess {
  return {
    async submit(task, body, { timeoutMs, masterTimeoutMs }) {
      const request = { task, body: encodeJson(body ?? null), timeoutMs, masterTimeoutMs };
      return decodeJson((await sendMessage(link, methods.submit, request)).body);
    },
    pendingTasks: async () => decodeJson((await sendMessage(link, methods.pending, {})).body) as PendingTask[],
    statistics: async () =>
      decodeJson((await sendMessage(link, methods.statistics, {})).body) as CoordinationStatistics,
    async close() {
      await sendMessage(link, methods.close, {}).catch(() => undefined);
      await end();
    },
  };
}

/** Applies publications of the control thread on this one. */
function publicationHandler(cluster: AppliedCluster): protocol.MasterHandlers['publish'] {
  let state: ClusterState = emptyState();
  return async ({ baseVersion, body }) => {
    if (baseVersion !== 0 && baseVersion !== state.version) return { version: state.version, needFull: true };
    const previous = state;
    state = applyDiff(baseVersion === 0 ? emptyState() : state, decodeJson(body) as StateDiff);
    await cluster.apply(state, previous);
    return { version: state.version, needFull: false };
  };
}

/** Callbacks for events of the thread: its port is bound, or it failed. */
interface ThreadNews {
  ready(address: control.ControlReady): void;
  failed(error: Error): void;
}

/** Messages of the control thread that the main thread answers. */
type OwnHandlers = Pick<control.ControlHandlers, 'leader' | 'linkRuled' | 'ready' | 'fatal' | 'seeds'> &
  Pick<threads.ThreadsHandlers, 'log'> &
  Pick<protocol.MasterHandlers, 'publish'>;

const OWN_METHODS: Service<OwnHandlers> = {
  leader: methods.leader,
  linkRuled: methods.linkRuled,
  ready: methods.ready,
  fatal: methods.fatal,
  seeds: methods.seeds,
  log: threads.methods.log,
  publish: protocol.methods.publish,
};

/** Answers requests and reports of the control thread. Other requests go to the node's handler. */
function threadHandler(
  { log, linkRuled, seeds, handler }: ControlPartOptions,
  news: ThreadNews,
): {
  readonly handle: ChannelHandler;
  /** Sets the receiver of states and leaders. Must be called before the thread is bound. */
  publishTo(cluster: AppliedCluster): void;
} {
  let follower: { cluster: AppliedCluster; publish: protocol.MasterHandlers['publish'] } | null = null;
  const own = answerers<OwnHandlers>(OWN_METHODS, {
    log: (line) => writeForwarded(log, line),
    leader({ leaderId }) {
      follower!.cluster.leaderChanged(leaderId ?? null);
      return {};
    },
    linkRuled({ address, ...ruling }) {
      linkRuled(address, ruling);
      return {};
    },
    ready(address) {
      news.ready(address);
      return {};
    },
    fatal({ message, type }) {
      news.failed(type === 'corrupt_index_exception' ? errors.corruption(message) : new Error(message));
      return {};
    },
    seeds: async () => ({ addresses: [...(await seeds())] }),
    publish: (publication, signal) => follower!.publish(publication, signal),
  });
  return {
    publishTo: (cluster) => void (follower = { cluster, publish: publicationHandler(cluster) }),
    async handle(action, payload, signal) {
      const answer = own.get(action);
      return answer ? answer(payload, signal) : handler(action, payload, signal);
    },
  };
}

function startWorker(workerData: ControlThreadData): Worker {
  return new Worker(new URL('./control-thread.js', import.meta.url), {
    name: 'shoal-control',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB.old, maxYoungGenerationSizeMb: HEAP_MB.young },
  });
}

/** Starts the control part on its own thread. */
export async function startControlThread(options: ControlPartOptions): Promise<ControlPart> {
  const { data, clock, files, onFatal } = options;
  const pulse = createPulse();
  const stopPulse = keepPulse(pulse, { clock, files, dataPath: data.dataPath });
  const worker = startWorker({ ...data, pulse });
  let isClosing = false;
  let news: ThreadNews = { ready: () => undefined, failed: onFatal };
  const bound = new Promise<control.ControlReady>((ready, failed) => (news = { ready, failed }));
  const fromThread = threadHandler(options, {
    ready: (address) => news.ready(address),
    failed: (error) => news.failed(error),
  });
  const link = createLink(workerPort(worker), fromThread.handle);
  const access = accessTo(link, async () => void (await worker.terminate()));
  const cluster = new AppliedCluster({
    clock,
    clusterName: data.clusterName,
    nodeSettings: data.nodeSettings,
    localNode: data.localNode,
    next: options.next,
    coordination: {
      ...access,
      close() {
        isClosing = true;
        stopPulse();
        return access.close();
      },
    },
  });
  fromThread.publishTo(cluster);
  const lost = (error: Error): void => {
    link.fail(`the control thread ended: ${error.message}`);
    if (!isClosing) news.failed(error);
  };
  worker.on('error', lost);
  worker.on('exit', (code) => lost(new Error(`exit code ${code}`)));
  const { transportAddress } = await bound;
  news = { ready: () => undefined, failed: onFatal };
  return {
    cluster,
    transportAddress,
    transportStats: () => sendMessage(link, methods.transportStats, {}),
    protect: (security) =>
      void sendMessage(link, methods.protect, { security: encodeJson(security) }).catch(() => undefined),
  };
}
