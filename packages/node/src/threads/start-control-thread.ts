import { Worker } from 'node:worker_threads';
import { AppliedCluster, type CoordinationAccess, type CoordinationStatistics, type PendingTask } from '@shoal/cluster';
import { applyDiff, type ClusterState, emptyState, type StateDiff } from '@shoal/state';
import type { ChannelHandler, LogFields, LogLevel } from '@shoal/doors';
import { decodeJson, encodeJson } from '@shoal/json';
import { master as protocol } from '@shoal/protocol';
import { createLink, type Link, type TransportStats } from '@shoal/transport';
import type { ControlPart, ControlPartOptions } from '../assembly/placement.js';
import type { ControlReady, ControlThreadData, LeaderChange, LinkRuling } from './control-thread-data.js';
import { createPulse, keepPulse } from './node-pulse.js';
import { workerPort } from './worker-port.js';

/** Heap limits of the control thread in MB. The state machine and its links need little; the cluster state grows. */
const HEAP_MB = { old: 192, young: 8 };

const NOTHING = new Uint8Array(0);
const json = (value: unknown): Uint8Array => new Uint8Array(encodeJson(value));

/** Access of the main thread to coordination on the control thread. `end` ends the thread. */
function accessTo(link: Link, end: () => Promise<void>): CoordinationAccess {
  return {
    submit: async (task, body, options) =>
      decodeJson(await link.request('control/submit', json({ task, body, options }))),
    pendingTasks: async () => decodeJson(await link.request('control/pending', NOTHING)) as PendingTask[],
    statistics: async () => decodeJson(await link.request('control/statistics', NOTHING)) as CoordinationStatistics,
    async close() {
      await link.request('control/close', NOTHING).catch(() => undefined);
      await end();
    },
  };
}

/** Applies publications of the control thread on this one. */
function publicationHandler(cluster: AppliedCluster): (payload: Uint8Array) => Promise<Uint8Array> {
  let state: ClusterState = emptyState();
  return async (payload) => {
    const { baseVersion, body } = protocol.decodePublication(payload);
    if (baseVersion !== 0 && baseVersion !== state.version)
      return protocol.encodePublicationAnswer({ version: state.version, needFull: true });
    const previous = state;
    state = applyDiff(baseVersion === 0 ? emptyState() : state, decodeJson(body) as StateDiff);
    await cluster.apply(state, previous);
    return protocol.encodePublicationAnswer({ version: state.version, needFull: false });
  };
}

/** Callbacks for events of the thread: its port is bound, or it failed. */
interface ThreadNews {
  ready(address: ControlReady): void;
  failed(error: Error): void;
}

/** Answers requests and reports of the control thread. Other requests go to the node's handler. */
function threadHandler(
  { log, linkRuled, seeds, handler }: ControlPartOptions,
  news: ThreadNews,
): {
  readonly handle: ChannelHandler;
  /** Sets the receiver of states and leaders. Must be called before the thread is bound. */
  publishTo(cluster: AppliedCluster): void;
} {
  let follower: { cluster: AppliedCluster; publish(payload: Uint8Array): Promise<Uint8Array> } | null = null;
  const told: Readonly<Record<string, (payload: Uint8Array) => void>> = {
    log(payload) {
      const [level, message, fields] = decodeJson(payload) as [LogLevel, string, LogFields];
      log.write(level, message, fields);
    },
    'control/leader': (payload) => follower!.cluster.leaderChanged((decodeJson(payload) as LeaderChange).leaderId),
    'control/link-ruled'(payload) {
      const { address, ruling } = decodeJson(payload) as LinkRuling;
      linkRuled(address, ruling);
    },
    'control/ready': (payload) => news.ready(decodeJson(payload) as ControlReady),
    'control/fatal': (payload) => news.failed(new Error((decodeJson(payload) as { message: string }).message)),
  };
  return {
    publishTo: (cluster) => void (follower = { cluster, publish: publicationHandler(cluster) }),
    async handle(action, payload, signal) {
      if (action === protocol.methods.publish.action) return follower!.publish(payload);
      if (action === 'control/seeds') return json(await seeds());
      if (!Object.hasOwn(told, action)) return handler(action, payload, signal);
      told[action]!(payload);
      return NOTHING;
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
  const bound = new Promise<ControlReady>((ready, failed) => (news = { ready, failed }));
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
    transportStats: async () => decodeJson(await link.request('control/transport-stats', NOTHING)) as TransportStats,
    protect: (security) => void link.request('control/protect', encodeJson(security)).catch(() => undefined),
  };
}
