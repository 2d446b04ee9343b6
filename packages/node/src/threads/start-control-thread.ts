import { Worker } from 'node:worker_threads';
import {
  AppliedCluster,
  type CoordinationAccess,
  type CoordinationStatistics,
  type PendingTask,
  type StateApplier,
} from '@shoal/cluster';
import { applyDiff, type ClusterState, emptyState, type StateDiff } from '@shoal/state';
import type { ChannelHandler, Clock, Log, LogFields, LogLevel } from '@shoal/doors';
import { decodeJson, encodeJson } from '@shoal/json';
import { master as protocol } from '@shoal/protocol';
import { createLink, type Link, type TransportStats } from '@shoal/transport';
import type { LinkSecurity, TellRuling } from '../links/link-security.js';
import type { ControlReady, ControlThreadData, LeaderChange, LinkRuling } from './control-thread-data.js';
import { workerPort } from './worker-port.js';

/** A consensus state machine and its links need little; the cluster state is what grows. */
const HEAP_MB = { old: 192, young: 8 };

export interface ControlThreadOptions {
  readonly data: ControlThreadData;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes the states on to the other threads of the node. */
  readonly next: StateApplier;
  /** `discovery.seed_hosts` as addresses; names are looked up here, off the control thread. */
  readonly seeds: () => Promise<readonly string[]>;
  /** Hears of control links that a filter looked at. */
  readonly linkRuled: TellRuling;
  /** Answers what the elected master asks of this node beside coordination. */
  readonly handler: ChannelHandler;
  readonly onFatal: (error: Error) => void;
}

export interface ControlThread {
  readonly cluster: AppliedCluster;
  /** `host:port` that the other nodes are told. */
  readonly transportAddress: string;
  /** Of the control links. */
  transportStats(): Promise<TransportStats>;
  /** New certificates or address rules for the control links. */
  protect(security: LinkSecurity): void;
}

const NOTHING = new Uint8Array(0);
const json = (value: unknown): Uint8Array => new Uint8Array(encodeJson(value));

/** Coordination on its thread, as the main thread asks for it. */
function accessTo(link: Link, worker: Worker): CoordinationAccess {
  return {
    submit: async (task, body, options) =>
      decodeJson(await link.request('control/submit', json({ task, body, options }))),
    pendingTasks: async () => decodeJson(await link.request('control/pending', NOTHING)) as PendingTask[],
    statistics: async () => decodeJson(await link.request('control/statistics', NOTHING)) as CoordinationStatistics,
    async close() {
      await link.request('control/close', NOTHING).catch(() => undefined);
      await worker.terminate();
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

/** Starts the control thread; resolves once it has bound its port. */
export async function startControlThread(options: ControlThreadOptions): Promise<ControlThread> {
  const { data, clock, log, onFatal } = options;
  const worker = new Worker(new URL('./control-thread.js', import.meta.url), {
    name: 'shoal-control',
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB.old, maxYoungGenerationSizeMb: HEAP_MB.young },
  });
  let isClosing = false;
  let ready: (address: ControlReady) => void = () => undefined;
  let fail: (error: Error) => void = onFatal;
  const bound = new Promise<ControlReady>((resolve, reject) => {
    ready = resolve;
    fail = reject;
  });
  const handle: ChannelHandler = async (action, payload, signal) => {
    switch (action) {
      case 'log': {
        const [level, message, fields] = decodeJson(payload) as [LogLevel, string, LogFields];
        log.write(level, message, fields);
        return NOTHING;
      }
      case 'state/publish':
        return publish(payload);
      case 'control/leader':
        cluster.leaderChanged((decodeJson(payload) as LeaderChange).leaderId);
        return NOTHING;
      case 'control/link-ruled': {
        const { address, ruling } = decodeJson(payload) as LinkRuling;
        options.linkRuled(address, ruling);
        return NOTHING;
      }
      case 'control/seeds':
        return json(await options.seeds());
      case 'control/ready':
        ready(decodeJson(payload) as ControlReady);
        return NOTHING;
      case 'control/fatal':
        fail(new Error((decodeJson(payload) as { message: string }).message));
        return NOTHING;
      default:
        return options.handler(action, payload, signal);
    }
  };
  const link = createLink(workerPort(worker), handle);
  const access = accessTo(link, worker);
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
        return access.close();
      },
    },
  });
  const publish = publicationHandler(cluster);
  const lost = (error: Error): void => {
    link.fail(`the control thread ended: ${error.message}`);
    if (!isClosing) fail(error);
  };
  worker.on('error', lost);
  worker.on('exit', (code) => lost(new Error(`exit code ${code}`)));
  const { transportAddress } = await bound;
  fail = onFatal;
  return {
    cluster,
    transportAddress,
    transportStats: async () => decodeJson(await link.request('control/transport-stats', NOTHING)) as TransportStats,
    protect: (security) => void link.request('control/protect', encodeJson(security)).catch(() => undefined),
  };
}
