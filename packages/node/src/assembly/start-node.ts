import { VERSION } from '@shoal/values';
import { availableParallelism, hostname } from 'node:os';
import v8 from 'node:v8';
import type { ClusterService, CoordinationStatistics, StateApplier } from '@shoal/cluster';
import type { NodeInfo } from '@shoal/state';
import {
  type Coordinator,
  createCoordinator,
  createMasterSnapshots,
  probeRepository,
  type RepositoryProbe,
  snapshotCalls,
  Snapshots,
  taskCalls,
} from '@shoal/coordinator';
import type { ChannelHandler, Log } from '@shoal/doors';
import { createShardRouter } from '@shoal/host';
import { createHttpApp, type NodeFacts, routes, securityRoutes, type Services } from '@shoal/rest';
import type { Security } from '@shoal/security';
import { nodeFiles } from '@shoal/store';
import { takeDataFolder } from '../start/data-folder.js';
import { systemClock } from '../doors/system-clock.js';
import { systemRandom } from '../doors/system-random.js';
import { diskReport } from '../facts/disk-report.js';
import { type HotThreadsCall, hotThreads } from '../facts/hot-threads.js';
import { nodeInfo } from '../facts/node-info.js';
import { createNodeStats } from '../facts/node-stats.js';
import { type HttpEndpoint, openHttp } from '../http/http-endpoint.js';
import { type Limits, openLimits } from '../limits/open-limits.js';
import { watchMemory } from '../limits/watch-memory.js';
import { limitShardWork, type ShardWork } from '../limits/shard-work.js';
import { namedLog } from '../log/named-log.js';
import { openAudit } from '../log/open-audit.js';
import { followCluster, openLog } from '../log/open-log.js';
import { openMetrics } from '../metrics/open-metrics.js';
import { announceLeaving, yieldPrimaries } from './leave-cluster.js';
import { localRequests } from './local-handler.js';
import { noteHttpAddress } from '../http/local-address.js';
import { joinCluster } from './membership.js';
import type { Membership, TransportTotals } from './membership-api.js';
import { memoryBudget } from '../start/memory-budget.js';
import type { NodeCalls } from './node-calls.js';
import { nodeIdentity } from '../start/node-identity.js';
import { openSecurity, securityCalls } from '../security/open-security.js';
import type { NodeProtection } from '../security/node-protection.js';
import { enrollmentSecrets, secretCalls } from '../security/secret-calls.js';
import type { WayInOptions } from '../security/tell-way-in.js';
import { prepareSecurity } from '../security/prepare-security.js';
import type { NodeSettings } from '../settings/load-settings.js';
import { createStatePublisher } from '../threads/publish-states.js';
import { type ShardThreads, startShardThreads } from '../threads/start-shard-threads.js';

/**
 * Part of the memory budget for the heap of each kind of thread; the rest is for caches and buffers outside the heaps.
 */
const HEAP_SHARE = { main: 0.25, shards: 0.4 };

/**
 * Up to so many processors young garbage is collected by the thread that made it, alone: what survives is little, and
 * V8's other threads, which share two processors with everything else, kept it waiting. 64 collections during a load of
 * small documents on a busy machine: pauses of 329-351 instead of
 * 467-670 ms in all, the longest 20-29 instead of 85-114 ms; processor time the same.
 */
const LONE_SCAVENGE_PROCESSORS_MAX = 2;

export interface StartOptions {
  readonly settings: NodeSettings;
  /** A thread failed: the node cannot go on. */
  readonly onFatal: (error: Error) => void;
}

export interface RunningNode {
  readonly nodeId: string;
  readonly httpPort: number;
  readonly cluster: ClusterService;
  readonly coordinator: Coordinator;
  /** Finishes requests (at most 10 s), flushes, closes; a new start finds everything. */
  close(): Promise<void>;
}

interface Resources {
  readonly memoryBytes: number;
  readonly processors: number;
  readonly indexBufferBytes: number;
  readonly blockCacheBytes: number;
  readonly requestBytesMax: number;
}

function resourcesOf(settings: NodeSettings): Resources {
  const memoryBytes = memoryBudget(settings.bytes('memory.limit'));
  return {
    memoryBytes,
    processors: settings.integer('node.processors') ?? availableParallelism(),
    indexBufferBytes: settings.share('indices.memory.index_buffer_size', memoryBytes),
    blockCacheBytes: settings.share('shoal.block_cache.size', memoryBytes),
    requestBytesMax: settings.share('indices.breaker.request.limit', memoryBytes),
  };
}

/** Bounds the heap, and what the process as a whole holds until it is closed. */
function limitMemory(settings: NodeSettings, { memoryBytes, processors }: Resources): { close(): void } {
  const share = settingsThreads(settings, processors) === 0 ? HEAP_SHARE.main + HEAP_SHARE.shards : HEAP_SHARE.main;
  v8.setFlagsFromString(`--max-old-space-size=${Math.max(64, Math.floor((memoryBytes * share) / 2 ** 20))}`);
  if (processors <= LONE_SCAVENGE_PROCESSORS_MAX) v8.setFlagsFromString('--no-parallel-scavenge');
  return { close: watchMemory(memoryBytes) };
}

/** Starts one node in this process. Throws ConfigurationError for what its settings make impossible. */
export async function startNode(options: StartOptions): Promise<RunningNode> {
  const given = options.settings;
  const startedAtMs = systemClock.now();
  const names = { node: given.text('node.name') ?? hostname(), cluster: given.text('cluster.name')! };
  const log = openLog(given, names);
  const resources = resourcesOf(given);
  const memory = limitMemory(given, resources);
  const folder = await takeDataFolder(given.text('path.data')!);
  const prepared = await prepareSecurity(given, { nodeName: names.node, memoryBytes: resources.memoryBytes, log });
  const { settings, protection } = prepared;
  const nodeId = nodeIdentity(folder.path, systemRandom);
  const session = Buffer.from(systemRandom.bytes(9)).toString('base64url');
  const threads = openThreads(
    options,
    resources,
    { nodeId, session, dataPath: folder.path },
    (action, payload, signal) => local.handle(action, payload, signal),
    namedLog(log, 'shoal.shards'),
  );
  const limits = openLimits({
    settings,
    clock: systemClock,
    nodeName: names.node,
    memoryBytes: resources.memoryBytes,
    shardThreads: threads.links.length,
  });
  const work = limitShardWork(createShardRouter(threads.links), { ...limits, localNodeId: nodeId });
  const local = localRequests({
    nodeId,
    shards: work.handle,
    disk: () => diskReport(folder.path, nodeFiles()),
    peers: () => joined,
  });
  let joined: Membership | null = null;
  const http = await openHttp(settings, protection, log).catch(async (error: unknown) => {
    await threads.close();
    throw error;
  });
  noteHttpAddress(folder.path, http.bound[0]!, protection.httpTls !== null);
  const membership = await joinCluster({
    settings,
    log: namedLog(log, 'shoal.cluster'),
    clusterName: names.cluster,
    dataPath: folder.path,
    localNode: localNodeOf(settings, names.node, { nodeId, session }, http),
    local: local.handle,
    protection,
    applier: alsoTo(protection, createStatePublisher(threads.links)),
    onFatal: options.onFatal,
  });
  joined = membership;
  const { cluster, localNode } = membership;
  local.serveMaster(cluster);
  followCluster(log, nodeId, cluster);
  const coordinator = openCoordinator(membership, limits, namedLog(log, 'shoal.coordinator'));
  limits.follow({
    state: () => cluster.state(),
    usages: () => ({
      inflight_requests: coordinator.inFlight.used,
      request: threads.requestMemory().used,
      fielddata: 0,
    }),
  });
  const facts = openFacts(settings, names, {
    startedAtMs,
    resources,
    threads,
    work,
    limits,
    http,
    coordinator,
    localNode,
    dataPath: folder.path,
    transport: () => membership.transportStats(),
    coordination: () => cluster.statistics(),
    cluster,
  });
  const taken = new Snapshots({
    cluster,
    channel: (target) => membership.channel(target),
    files: nodeFiles(),
    clock: systemClock,
    random: systemRandom,
    log: namedLog(log, 'shoal.snapshots'),
  });
  const snapshots = createMasterSnapshots({
    local: taken,
    localNodeId: nodeId,
    state: () => cluster.state(),
    callNodes: coordinator.callNodes,
  });
  const security = await openSecurity({ settings, cluster, coordinator, log, nodeId, dataPath: folder.path });
  if (prepared.isNew && security)
    tellFirst(security, {
      cluster,
      confFolder: prepared.confFolder,
      address: `${http.publishHost}:${http.publishPort}`,
      log,
    });
  local.serve(coordinator, {
    ...factCalls(facts, nodeId),
    ...snapshotCalls(taken, () => cluster.state()),
    ...taskCalls(coordinator.tasks, systemClock),
    ...securityCalls(security),
    ...secretCalls(prepared),
  });
  const services: Services = {
    coordinator,
    cluster,
    node: facts,
    tasks: coordinator.tasks,
    snapshots,
    clock: systemClock,
    random: systemRandom,
    log,
    http: http.stats,
    certificates: protection.certificates,
    enrollment: () => enrollmentSecrets(prepared),
    security,
  };
  http.serve(
    createHttpApp({
      routes: security ? [...routes, ...securityRoutes] : routes,
      services,
      settings: http.settings,
      stats: http.stats,
      tasks: coordinator.tasks,
      inFlight: coordinator.inFlight,
      clock: systemClock,
      log: namedLog(log, 'shoal.http'),
      admit: security?.admit ?? null,
      limits: limits.http,
      audit: openAudit({ settings, log, cluster, localNode, protection, clock: systemClock, random: systemRandom }),
    }),
  );
  log.write('info', 'started', {
    'http.address': http.bound.join(','),
    'node.id': nodeId,
    'path.data': folder.path,
    'memory.bytes': resources.memoryBytes,
    'shard.threads': threads.links.length,
    'start.millis': systemClock.now() - startedAtMs,
  });
  return {
    nodeId,
    httpPort: http.port,
    cluster,
    coordinator,
    async close() {
      log.write('info', 'stopping');
      await announceLeaving(cluster, localNode, log);
      await http.close();
      await yieldPrimaries(cluster, localNode, log);
      for (const part of [coordinator, threads, membership, protection, memory]) await part.close();
      await folder.release();
      await log.flush();
    },
  };
}

function tellFirst(security: Security, place: Omit<WayInOptions, 'security' | 'terminal'>): void {
  const terminal = process.stdout.isTTY ? (text: string): void => void process.stdout.write(text) : null;
  void import('../security/tell-way-in.js')
    .then(({ tellWayIn }) => tellWayIn({ ...place, security, terminal }))
    .catch((error: unknown) =>
      place.log.write('warn', 'no enrolment token was made; shoal create-enrollment-token makes one', { error }),
    );
}

/** What the node tells others about itself. */
function factCalls(facts: NodeFacts, nodeId: string): NodeCalls {
  return {
    info: () => facts.info(),
    stats: () => facts.stats(),
    hot_threads: (body) => hotThreads(body as HotThreadsCall),
    'verify-repository': (probe) => probeRepository(nodeFiles(), nodeId, probe as RepositoryProbe),
  };
}

/** Filters that a state sets hold before anything else of it does. */
function alsoTo(protection: NodeProtection, next: StateApplier): StateApplier {
  return {
    apply(state, previous) {
      protection.follow(state);
      return next.apply(state, previous);
    },
  };
}

/**
 * `shoal.shard_threads`, else one less than processors; on two or fewer the shards live on the main thread
 * (docs/adr/0001).
 */
function settingsThreads(settings: NodeSettings, processors: number): number {
  return settings.integer('shoal.shard_threads') ?? (processors <= 2 ? 0 : processors - 1);
}

function openThreads(
  options: StartOptions,
  resources: Resources,
  identity: { nodeId: string; session: string; dataPath: string },
  handler: ChannelHandler,
  log: Log,
): ShardThreads {
  const count = settingsThreads(options.settings, resources.processors);
  const share = (bytes: number): number => Math.floor(bytes / Math.max(1, count));
  return startShardThreads({
    count,
    data: {
      ...identity,
      blockCacheBytes: share(resources.blockCacheBytes),
      indexBufferBytes: share(resources.indexBufferBytes),
      requestBytesMax: share(resources.requestBytesMax),
    },
    heapBytesMax: share(resources.memoryBytes * HEAP_SHARE.shards),
    handler,
    log,
    onLost: options.onFatal,
  });
}

function localNodeOf(
  settings: NodeSettings,
  name: string,
  { nodeId, session }: { nodeId: string; session: string },
  http: HttpEndpoint,
): NodeInfo {
  return {
    id: nodeId,
    ephemeralId: session,
    name,
    host: http.publishHost,
    ip: http.publishHost,
    transportAddress: `${http.publishHost}:${settings.ports('transport.port')[0]}`,
    httpAddress: `${http.publishHost}:${http.publishPort}`,
    roles: settings.list('node.roles').toSorted(),
    attributes: attributesOf(settings),
    version: VERSION,
    dataAddress: null,
  };
}

function openCoordinator({ cluster, channel, localNode }: Membership, { memory }: Limits, log: Log): Coordinator {
  const limits = { bucketsMax: 65_536, scrollsMax: 500 };
  return createCoordinator({
    cluster,
    channel: (nodeId) => channel(nodeId),
    localNodeId: localNode.id,
    ephemeralId: localNode.ephemeralId,
    clock: systemClock,
    random: systemRandom,
    log,
    limits,
    memory,
  });
}

interface FactsContext {
  readonly startedAtMs: number;
  readonly resources: Resources;
  readonly threads: ShardThreads;
  readonly work: ShardWork;
  readonly limits: Limits;
  readonly http: HttpEndpoint;
  readonly coordinator: Coordinator;
  readonly localNode: NodeInfo;
  readonly dataPath: string;
  readonly transport: () => Promise<TransportTotals>;
  readonly coordination: () => Promise<CoordinationStatistics>;
  readonly cluster: ClusterService;
}

function openFacts(settings: NodeSettings, names: { node: string; cluster: string }, context: FactsContext): NodeFacts {
  const {
    startedAtMs,
    resources,
    threads,
    work,
    limits,
    http,
    coordinator,
    localNode,
    dataPath,
    transport,
    coordination,
    cluster,
  } = context;
  const shown = shownSettings(settings, { clusterName: names.cluster, nodeName: names.node, dataPath });
  const shardThreads = threads.links.length;
  const stats = createNodeStats({
    http: http.stats,
    transport,
    startedAtMs,
    memoryBytes: resources.memoryBytes,
    dataPath,
    requestBytesMax: resources.requestBytesMax,
    requestMemory: threads.requestMemory,
    shardThreads,
    work,
    limits,
    inFlight: () => coordinator.inFlight,
    searchRanks: coordinator.searchRanks,
    coordination,
  });
  const info = nodeInfo({
    ...resources,
    startedAtMs,
    shardThreads,
    queues: limits.queues,
    httpBound: http.bound,
    httpPublish: localNode.httpAddress!,
    maxContentBytes: http.settings.contentBytesMax,
    transportAddress: localNode.transportAddress,
  });
  return {
    id: localNode.id,
    name: names.node,
    startedAtMs,
    settings: shown,
    info: () => ({ ...info, settings: shown }),
    stats,
    metrics: openMetrics({
      localNodeId: localNode.id,
      version: localNode.version,
      http: http.stats,
      cluster,
      tasks: coordinator.tasks,
      stats,
      shards: work.handle,
    }),
  };
}

function attributesOf(settings: NodeSettings): Record<string, string> {
  const prefix = 'node.attr.';
  return Object.fromEntries(
    [...settings.explicit]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}

/** Settings as `GET /_nodes` shows them; lists as lists. */
function shownSettings(
  settings: NodeSettings,
  own: { clusterName: string; nodeName: string; dataPath: string },
): Record<string, string | readonly string[]> {
  const shown = [...settings.explicit].map(
    ([name, value]) => [name, name === 'path.repo' || name === 'node.roles' ? settings.list(name) : value] as const,
  );
  return {
    ...Object.fromEntries(shown),
    'cluster.name': own.clusterName,
    'node.name': own.nodeName,
    'path.data': own.dataPath,
  };
}
