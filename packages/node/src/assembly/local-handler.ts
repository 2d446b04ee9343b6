import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import {
  type Channel,
  type ChannelHandler,
  type LocalHandler,
  type RequestOrigin,
  withLocalHandler,
} from '@shoal/doors';
import { errors } from '@shoal/errors';
import { type NodeLink, nodeTarget } from '@shoal/host';
import { decodeJson, encodeJson } from '@shoal/json';
import { answerers, coordinator, master as protocol, methodOf, node } from '@shoal/protocol';
import { type ChildTasks, createChildTasks } from './child-tasks.js';
import { lateNodeCalls, type NodeCalls } from './node-calls.js';

/** Creates a promise for a part of the node that starts later, and the function that resolves it. */
function createLatePart<T>(): { readonly part: Promise<T>; readonly serve: (part: T) => void } {
  let serve: (part: T) => void = () => undefined;
  const part = new Promise<T>((resolve) => (serve = resolve));
  return { part, serve };
}

/** Reaches the other nodes. */
export interface PeerLinks {
  channel(nodeId: string, link: NodeLink): Channel;
}

/** Parts of a node that its message handler needs. */
export interface LocalOptions {
  readonly nodeId: string;
  readonly shards: ChannelHandler;
  /** Whether shards are on threads of their own. */
  readonly hasThreads: boolean;
  /** How full the disk is, `node/disk`. */
  readonly disk: () => Promise<node.DiskReport>;
  /** Links to other nodes, for copies of shards; null before there are any. */
  readonly peers: () => PeerLinks | null;
}

/**
 * Message handler of a node, for its own messages and those of other nodes. Messages for a part that has not started
 * wait for the part.
 */
export interface LocalRequests {
  readonly handle: ChannelHandler;
  serveMaster(cluster: ClusterService): void;
  /** Sets the coordinator, and `calls`, which answer questions about the node as a whole. */
  serve(coordinator: Coordinator, calls: NodeCalls): void;
}

/** Sends a copy's message to another node. */
async function toNode(
  peers: PeerLinks | null,
  target: NonNullable<ReturnType<typeof nodeTarget>>,
  payload: Uint8Array,
  signal: AbortSignal,
  origin: RequestOrigin | undefined,
): Promise<Uint8Array> {
  if (!peers) throw errors.nodeNotConnected(`[${target.nodeId}] Node not connected`);
  return peers.channel(target.nodeId, target.link).request(target.action, payload, { signal, shard: origin?.shard });
}

/**
 * Wraps `handle` for messages of other nodes. Refuses actions that only threads of one node send each other, such as a
 * new state or a message to pass on.
 */
export function handlerForPeers(handle: ChannelHandler): ChannelHandler {
  return async (action, payload, signal, origin) => {
    const method = methodOf(action);
    if (!method || method.route === 'INSIDE' || method.route === 'CONTROL')
      throw errors.actionNotFoundTransport(`No handler for action [${action}]`);
    return handle(action, payload, signal, origin);
  };
}

/** Runs a shard message that was passed as an object as a child task, as `toShards` does with encoded ones. */
function localToShards(local: LocalHandler, tasks: ChildTasks): LocalHandler {
  return {
    actions: local.actions,
    handle: (action, message, signal, origin) =>
      origin?.parentTask
        ? tasks.run(methodOf(action)!, origin.parentTask, signal, (until) =>
            local.handle(action, message, until, origin),
          )
        : local.handle(action, message, signal),
  };
}

/** Handlers of messages that the main thread answers itself. */
type OwnHandlers = node.NodeHandlers & coordinator.CoordinatorHandlers & Pick<protocol.MasterHandlers, 'task'>;

/** Creates the handler of all messages to this node. */
export function localRequests({ nodeId, shards, hasThreads, disk, peers }: LocalOptions): LocalRequests {
  const cluster = createLatePart<ClusterService>();
  const coordination = createLatePart<Coordinator>();
  const calls = lateNodeCalls();
  const tasks = createChildTasks(nodeId, hasThreads);
  const own = answerers<OwnHandlers>(
    { ...node.methods, ...coordinator.methods, task: protocol.methods.task },
    {
      task: async ({ task, body, timeoutMs }) => ({
        body: encodeJson(await (await cluster.part).submit(task, decodeJson(body), { timeoutMs })),
      }),
      scroll: async (request, signal) => (await coordination.part).handlers.scroll(request, signal),
      ingest: async (request, signal) => (await coordination.part).handlers.ingest(request, signal),
      call: (request, signal) => calls.handle(request, signal),
      disk,
    },
  );
  const asTask = (inner: ChannelHandler): ChannelHandler => {
    return (action, payload, signal, origin) => {
      const method = origin?.parentTask ? methodOf(action) : undefined;
      return method
        ? tasks.run(method, origin!.parentTask!, signal, (until, onThread) =>
            inner(action, payload, until, onThread === undefined ? origin : { ...origin!, onThread }),
          )
        : inner(action, payload, signal, origin);
    };
  };
  const toShards = asTask(shards);
  const toOwn = asTask((action, payload, signal, origin) => own.get(action)!(payload, signal, origin));
  // Hot path: most messages are for shards, and are passed on without an extra promise.
  const handle: ChannelHandler = (action, payload, signal, origin) => {
    if (own.has(action)) return toOwn(action, payload, signal, origin);
    const target = nodeTarget(action);
    return target ? toNode(peers(), target, payload, signal, origin) : toShards(action, payload, signal, origin);
  };
  return {
    handle: withLocalHandler(handle, shards.local && localToShards(shards.local, tasks)),
    serveMaster: (service) => cluster.serve(service),
    serve(served, named) {
      coordination.serve(served);
      tasks.serve(served.tasks);
      calls.serve(named);
    },
  };
}
