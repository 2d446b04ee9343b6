import { VERSION } from '@shoal/values';
import {
  AppliedCluster,
  type ClusterService,
  type CoordinationAccess,
  type DiskReport,
  type NodeHealth,
} from '@shoal/cluster';
import type { NodeInfo } from '@shoal/state';
import { type Coordinator, createCoordinator, taskCalls } from '@shoal/coordinator';
import type { ChannelHandler, Clock, Files, KeyValueStores, Log, Random } from '@shoal/doors';
import { createShardRouter } from '@shoal/host';
import type { Guards } from '@shoal/consensus';
import { loopbackChannel, type Peers, type Transport, type TransportOptions } from '@shoal/transport';
import { announceLeaving, yieldPrimaries } from './leave-cluster.js';
import { clusterUuidOf, openDataLinks } from '../links/open-data-links.js';
import { type RunningCoordination, runCoordination } from '../links/run-coordination.js';
import { localRequests } from './local-handler.js';
import { clusterFormation } from '../settings/cluster-formation.js';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';
import { openShardRoom } from '../threads/open-shard-room.js';
import { createStatePublisher } from '../threads/publish-states.js';

/** Everything through which a node touches the world. */
export interface NodeDoors {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly files: Files;
  readonly stores: KeyValueStores;
  readonly createTransport: (options: TransportOptions) => Promise<Transport>;
  readonly disk: () => Promise<DiskReport>;
  readonly health: () => NodeHealth;
}

export interface AssembleOptions {
  readonly settings: NodeSettings;
  readonly doors: NodeDoors;
  readonly nodeId: string;
  /** Of this start of the node. */
  readonly session: string;
  /** Where both listeners are bound, and what the others are told. */
  readonly host: string;
  readonly onFatal: (error: Error) => void;
  /** For tests only: switches guards of the consensus state machine off. */
  readonly guards?: Guards;
}

export interface AssembledNode {
  readonly localNode: NodeInfo;
  readonly cluster: ClusterService;
  readonly coordinator: Coordinator;
  /** Answers what other nodes ask of this one's shards. */
  readonly handle: ChannelHandler;
  /** As a node that is told to end does: says so, hands its primaries over, flushes, closes. */
  close(): Promise<void>;
}

const MEGABYTE = 1 << 20;
/** Budgets of a node without settings of its own. */
const BUDGETS = {
  blockCacheBytes: 8 * MEGABYTE,
  indexBufferBytes: 8 * MEGABYTE,
  requestBytesMax: 64 * MEGABYTE,
  inFlightBytesMax: 64 * MEGABYTE,
};

/** What the node's parts have in common while it is put together. */
interface Parts {
  readonly options: AssembleOptions;
  readonly clusterName: string;
  readonly localNode: NodeInfo;
  readonly dataPath: string;
}

function nodeInfoOf({ settings, nodeId, session, host }: AssembleOptions): NodeInfo {
  return {
    id: nodeId,
    ephemeralId: session,
    name: settings.text('node.name')!,
    host,
    ip: host,
    transportAddress: `${host}:${settings.ports('transport.port')[0]}`,
    httpAddress: null,
    roles: settings.list('node.roles').toSorted(),
    attributes: {},
    version: VERSION,
    dataAddress: null,
  };
}

/**
 * A node on one thread over any doors, without HTTP: shards, links and coordination run side by side on the caller's.
 * What a simulator runs; `startNode` puts the same parts on threads of their own.
 */
export async function assembleNode(options: AssembleOptions): Promise<AssembledNode> {
  const { settings, doors, host } = options;
  const { clock, random, log } = doors;
  const parts: Parts = {
    options,
    clusterName: settings.text('cluster.name')!,
    localNode: nodeInfoOf(options),
    dataPath: settings.text('path.data')!,
  };
  const room = openRoom(parts, (action, payload, signal) => local.handle(action, payload, signal));
  const shardChannel = loopbackChannel(room.handle);
  const router = createShardRouter([shardChannel]);
  const local = localRequests({ nodeId: options.nodeId, shards: router, disk: doors.disk, peers: () => peers });
  let cluster: AppliedCluster | null = null;
  let peers: Peers | null = null;
  const links = await openDataLinks({
    clock,
    log,
    createTransport: doors.createTransport,
    localNode: parts.localNode,
    clusterName: parts.clusterName,
    clusterUuid: () => clusterUuidOf(cluster?.state()),
    bind: { host, port: settings.text('transport.data_port')! },
    publishHost: host,
    handler: local.handle,
  });
  peers = links.peers;
  const applier = createStatePublisher([shardChannel]);
  let running: RunningCoordination | null = null;
  cluster = new AppliedCluster({
    clock,
    clusterName: parts.clusterName,
    nodeSettings: Object.fromEntries(settings.explicit),
    localNode: links.localNode,
    next: {
      async apply(state, previous) {
        links.follow(state);
        await applier.apply(state, previous);
      },
    },
    coordination: accessTo(() => running!),
  });
  running = await startCoordination({ ...parts, localNode: links.localNode }, cluster, local.handle);
  const applied = cluster;
  local.serveMaster(applied);
  const loopback = loopbackChannel(local.handle);
  const localNode = links.localNode;
  const coordinator = createCoordinator({
    cluster: applied,
    channel: (nodeId) => (nodeId === localNode.id ? loopback : links.peers.channel(nodeId, 'data')),
    localNodeId: localNode.id,
    ephemeralId: localNode.ephemeralId,
    clock,
    random,
    log,
    limits: { inFlightBytesMax: BUDGETS.inFlightBytesMax },
  });
  local.serve(coordinator, taskCalls(coordinator.tasks, clock));
  return {
    localNode,
    cluster: applied,
    coordinator,
    handle: local.handle,
    async close() {
      await announceLeaving(applied, localNode, log);
      await yieldPrimaries(applied, localNode, log);
      await coordinator.close();
      await room.close();
      await applied.close();
      links.peers.close();
      await links.transport.close();
    },
  };
}

/** Coordination on this thread, which starts after those who ask it. */
function accessTo(running: () => RunningCoordination): CoordinationAccess {
  return {
    submit: (...task) => running().node.submit(...task),
    pendingTasks: () => running().node.pendingTasks(),
    statistics: () => running().node.statistics(),
    async close() {
      await running().node.close();
      await running().transport.close();
    },
  };
}

function openRoom({ options, dataPath }: Parts, handler: ChannelHandler): ReturnType<typeof openShardRoom> {
  const { doors, nodeId, session } = options;
  const { clock, random, log, files, stores } = doors;
  const data = {
    ...BUDGETS,
    nodeId,
    session,
    dataPath,
    thread: 0,
    threads: 1,
    requestMeters: new SharedArrayBuffer(16),
  };
  return openShardRoom(data, loopbackChannel(handler), { clock, random, log, files, stores });
}

function startCoordination(
  { options, clusterName, localNode, dataPath }: Parts,
  cluster: AppliedCluster,
  handler: ChannelHandler,
): Promise<RunningCoordination> {
  const { settings, doors, host, onFatal } = options;
  const formation = clusterFormation(settings);
  if (formation === null) throw new ConfigurationError('a node on one thread needs [discovery.seed_hosts]');
  return runCoordination({
    ...doors,
    data: {
      localNode,
      clusterName,
      dataPath,
      nodeSettings: Object.fromEntries(settings.explicit),
      initialMasterNodes: formation.initialMasterNodes,
      consensusSettings: formation.consensusSettings,
      bind: { host, port: settings.text('transport.port')! },
      publishHost: host,
    },
    ready: async () => undefined,
    seeds: async () => formation.seedHosts,
    follower: cluster,
    handler,
    onFatal,
    ...(options.guards ? { guards: options.guards } : {}),
  });
}
