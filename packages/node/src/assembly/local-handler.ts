import type { ClusterService, DiskReport } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import { type Channel, type ChannelHandler, type LocalHandler, withLocalHandler } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { type NodeLink, nodeTarget } from '@shoal/host';
import { decodeJson, encodeJson } from '@shoal/json';
import { master as protocol } from '@shoal/protocol';
import { type ChildTasks, createChildTasks } from './child-tasks.js';
import { lateNodeCalls, type NodeCalls } from './node-calls.js';

/** Answers `master/task` from the moment the cluster service is there: threads start before it. */
function lateMaster(): { handle: ChannelHandler; serve(cluster: ClusterService): void } {
  let ready: (cluster: ClusterService) => void = () => undefined;
  const cluster = new Promise<ClusterService>((resolve) => (ready = resolve));
  return {
    serve: (service) => ready(service),
    async handle(action, payload) {
      if (action !== 'master/task') throw errors.illegalArgument(`unknown action [${action}]`);
      const request = protocol.decodeMasterTaskRequest(payload);
      const body = decodeJson(request.body);
      const answer = await (await cluster).submit(request.task, body, { timeoutMs: request.timeoutMs });
      return protocol.encodeMasterTaskResponse({ body: encodeJson(answer) });
    },
  };
}

/** Answers `coordinator/…` from the moment the coordinator is there. */
function lateCoordinator(): { handle: ChannelHandler; serve(coordinator: Coordinator): void } {
  let ready: (coordinator: Coordinator) => void = () => undefined;
  const coordinator = new Promise<Coordinator>((resolve) => (ready = resolve));
  return {
    serve: (service) => ready(service),
    handle: async (action, payload, signal) => (await coordinator).handle(action, payload, signal),
  };
}

/** Reaches the other nodes. */
export interface PeerLinks {
  channel(nodeId: string, link: NodeLink): Channel;
}

export interface LocalOptions {
  readonly nodeId: string;
  readonly shards: ChannelHandler;
  /** How full the disk is, `node/disk`. */
  readonly disk: () => Promise<DiskReport>;
  /** Links to other nodes, for copies of shards; null before there are any. */
  readonly peers: () => PeerLinks | null;
}

/** What a node answers, to itself and to others; requests for parts that are not there yet wait for them. */
export interface LocalRequests {
  readonly handle: ChannelHandler;
  serveMaster(cluster: ClusterService): void;
  /** `calls` are those about the node as a whole. */
  serve(coordinator: Coordinator, calls: NodeCalls): void;
}

/** Sends a copy's message to another node. */
async function toNode(
  peers: PeerLinks | null,
  target: NonNullable<ReturnType<typeof nodeTarget>>,
  payload: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (!peers) throw errors.nodeNotConnected(`[${target.nodeId}] Node not connected`);
  return peers.channel(target.nodeId, target.link).request(target.action, payload, { signal });
}

const FROM_OTHERS = /^(shard|replication|recovery|store|coordinator|master|node)\//;

/**
 * A handler for what other nodes ask: what only the threads of this node say to each other (a new state, a message to
 * pass on) is refused.
 */
export function askedByOthers(handle: ChannelHandler): ChannelHandler {
  return async (action, payload, signal, origin) => {
    if (!FROM_OTHERS.test(action)) throw errors.actionNotFoundTransport(`No handler for action [${action}]`);
    return handle(action, payload, signal, origin);
  };
}

/** Runs a shard message that comes as an object as a child task, as `toShards` does with one that comes as bytes. */
function localToShards(local: LocalHandler, tasks: ChildTasks): LocalHandler {
  return {
    actions: local.actions,
    handle: (action, message, signal, origin) =>
      origin?.parentTask
        ? tasks.run(action, origin.parentTask, signal, (until) => local.handle(action, message, until, origin))
        : local.handle(action, message, signal),
  };
}

/** Everything that this node answers. */
export function localRequests({ nodeId, shards, disk, peers }: LocalOptions): LocalRequests {
  const master = lateMaster();
  const coordination = lateCoordinator();
  const calls = lateNodeCalls();
  const tasks = createChildTasks(nodeId);
  const toShards: ChannelHandler = (action, payload, signal, origin) =>
    origin?.parentTask
      ? tasks.run(action, origin.parentTask, signal, (until) => shards(action, payload, until, origin))
      : shards(action, payload, signal);
  const handleOther: ChannelHandler = async (action, payload, signal, origin) => {
    const target = nodeTarget(action);
    if (target) return toNode(peers(), target, payload, signal);
    if (action === 'master/task') return master.handle(action, payload, signal);
    if (action.startsWith('coordinator/')) return coordination.handle(action, payload, signal);
    if (action === 'node/call') {
      const answer = (): Promise<Uint8Array> => Promise.resolve(calls.handle(action, payload, signal, origin));
      return origin?.parentTask ? tasks.run(action, origin.parentTask, signal, answer) : answer();
    }
    if (action === 'node/disk') return encodeJson(await disk());
    return toShards(action, payload, signal, origin);
  };
  // Most messages are for shards: they go on without a promise of their own.
  const handle: ChannelHandler = (action, payload, signal, origin) =>
    action.startsWith('shard/')
      ? toShards(action, payload, signal, origin)
      : handleOther(action, payload, signal, origin);
  return {
    handle: withLocalHandler(handle, shards.local && localToShards(shards.local, tasks)),
    serveMaster: (cluster) => master.serve(cluster),
    serve(coordinator, named) {
      coordination.serve(coordinator);
      tasks.serve(coordinator.tasks);
      calls.serve(named);
    },
  };
}
