import { AppliedCluster, type CoordinationAccess, type CoordinationStatistics, type PendingTask } from '@shoal/cluster';
import { applyDiff, type ClusterState, emptyState, type StateDiff } from '@shoal/state';
import { type ChannelHandler, sendMessage } from '@shoal/doors';
import { ApiError, errors } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import { answerers, control, master as protocol, type Service, threads } from '@shoal/protocol';
import type { ControlPart, ControlPartOptions } from '../assembly/placement.js';
import { ControlWorker } from './control-worker.js';
import { writeForwarded } from './forward-log.js';
import { createPulse, keepPulse } from './node-pulse.js';

const { methods } = control;

/** Access of the main thread to coordination on the control thread. */
function accessTo(thread: ControlWorker): CoordinationAccess {
  return {
    async submit(task, body, { timeoutMs, masterTimeoutMs }) {
      const link = await thread.linkWithin(masterTimeoutMs ?? null);
      if (link === null) throw errors.masterNotDiscovered(null);
      const request = { task, body: encodeJson(body ?? null), timeoutMs, masterTimeoutMs };
      return decodeJson((await sendMessage(link, methods.submit, request).catch(outcomeUnknown)).body);
    },
    pendingTasks: async () => decodeJson((await sendMessage(thread, methods.pending, {})).body) as PendingTask[],
    statistics: async () =>
      decodeJson((await sendMessage(thread, methods.statistics, {})).body) as CoordinationStatistics,
    close: () => thread.close(),
  };
}

/** A task that the thread had when it ended may have been done or not, as if the master had been lost. */
function outcomeUnknown(error: unknown): never {
  if (!isLost(error)) throw error;
  throw errors.failedToCommitClusterState('the thread of elections of this node ended before the task was answered');
}

const isLost = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.type === 'no_shard_available_action_exception';

/**
 * Applies publications of the control thread on this one, one after the other: a thread that was started again may
 * publish while the last state of the one before is still being applied.
 */
function publicationHandler(cluster: AppliedCluster): protocol.MasterHandlers['publish'] {
  let state: ClusterState = emptyState();
  let applying: Promise<unknown> = Promise.resolve();
  const apply = async ({ baseVersion, body }: protocol.Publication): Promise<protocol.PublicationAnswer> => {
    if (baseVersion !== 0 && baseVersion !== state.version) return { version: state.version, needFull: true };
    const previous = state;
    state = applyDiff(baseVersion === 0 ? emptyState() : state, decodeJson(body) as StateDiff);
    await cluster.apply(state, previous);
    return { version: state.version, needFull: false };
  };
  return (publication) => {
    const applied = applying.then(() => apply(publication));
    applying = applied.catch(() => undefined);
    return applied;
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

/** Starts the control part on its own thread. */
export async function startControlThread(options: ControlPartOptions): Promise<ControlPart> {
  const { data, clock, log, files, onFatal } = options;
  const pulse = createPulse();
  const stopPulse = keepPulse(pulse, { clock, files, dataPath: data.dataPath });
  let news: ThreadNews = { ready: () => undefined, failed: onFatal };
  const bound = new Promise<control.ControlReady>((ready, failed) => (news = { ready, failed }));
  const fromThread = threadHandler(options, {
    ready: (address) => news.ready(address),
    failed: (error) => news.failed(error),
  });
  let isBound = false;
  const thread = new ControlWorker({
    data: { ...data, pulse },
    clock,
    log,
    handle: fromThread.handle,
    onLost: () =>
      isBound ? cluster.leaderChanged(null) : news.failed(new Error('the control thread ended at its start')),
    onFatal: (error) => news.failed(error),
  });
  const access = accessTo(thread);
  const cluster: AppliedCluster = new AppliedCluster({
    clock,
    clusterName: data.clusterName,
    nodeSettings: data.nodeSettings,
    localNode: data.localNode,
    next: options.next,
    coordination: {
      ...access,
      close() {
        stopPulse();
        return access.close();
      },
    },
  });
  fromThread.publishTo(cluster);
  const { transportAddress } = await bound;
  isBound = true;
  news = { ready: () => undefined, failed: onFatal };
  // Others know the node by its address: a thread that is started again binds the same port.
  thread.change({ bind: { ...data.bind, port: transportAddress.slice(transportAddress.lastIndexOf(':') + 1) } });
  return {
    cluster,
    transportAddress,
    transportStats: () => sendMessage(thread, methods.transportStats, {}),
    protect(linkSecurity) {
      thread.change({ linkSecurity });
      void sendMessage(thread, methods.protect, { security: encodeJson(linkSecurity) }).catch(() => undefined);
    },
  };
}
