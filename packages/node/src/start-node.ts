import { availableParallelism, hostname } from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import { type ClusterService, createClusterService, diffState, emptyState, type NodeInfo } from '@shoal/cluster';
import { type Coordinator, createCoordinator } from '@shoal/coordinator';
import type { Channel, ChannelHandler, LogLevel } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { createShardRouter } from '@shoal/host';
import { master } from '@shoal/protocol';
import { createHttpApp, createHttpServer, createHttpStats, DEFAULT_HTTP_SETTINGS, type HttpApp, type HttpSettings, routes, type Services } from '@shoal/rest';
import { nodeFiles, openStateLog } from '@shoal/store';
import { loopbackChannel } from '@shoal/transport';
import { takeDataFolder } from './data-folder.js';
import { systemClock } from './doors/system-clock.js';
import { systemRandom } from './doors/system-random.js';
import { nodeInfo } from './facts/node-info.js';
import { createNodeStats } from './facts/node-stats.js';
import { bindAddresses, listen, publishAddress } from './listen.js';
import { createNodeLog } from './log/node-log.js';
import { memoryBudget } from './memory-budget.js';
import { nodeIdentity } from './node-identity.js';
import type { NodeSettings } from './settings/load-settings.js';
import { type ShardThreads, startShardThreads } from './threads/start-shard-threads.js';

const DRAIN_MS = 10_000;

/** Part of the memory budget for the heap of each kind of thread; the rest is for caches and buffers outside the heaps. */
const HEAP_SHARE = { main: 0.25, shards: 0.4 };

export interface StartOptions {
  readonly settings: NodeSettings;
  readonly version: string;
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

const text = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value ?? null));

/** Starts one node in this process. Throws ConfigurationError for what its settings make impossible. */
export async function startNode(options: StartOptions): Promise<RunningNode> {
  const { settings } = options;
  const startedAtMs = systemClock.now();
  const nodeName = settings.text('node.name') ?? hostname();
  const clusterName = settings.text('cluster.name')!;
  const log = createNodeLog({
    level: settings.text('logger.level') as LogLevel,
    nodeName,
    clusterName,
    folder: settings.text('path.logs'),
    plain: process.stdout.isTTY === true,
  });
  const memoryBytes = memoryBudget(settings.bytes('memory.limit'));
  v8.setFlagsFromString(`--max-old-space-size=${Math.max(64, Math.floor((memoryBytes * HEAP_SHARE.main) / 2 ** 20))}`);
  const processors = settings.integer('node.processors') ?? availableParallelism();
  const threadCount = Math.max(1, processors - 1);

  const folder = await takeDataFolder(settings.text('path.data')!);
  const nodeId = nodeIdentity(folder.path, systemRandom);
  const session = Buffer.from(systemRandom.bytes(9)).toString('base64url');
  let cluster: ClusterService | null = null;

  const masterTask: ChannelHandler = async (action, payload) => {
    if (action !== 'master/task' || !cluster) throw errors.illegalArgument(`unknown action [${action}]`);
    const request = master.decodeMasterTaskRequest(payload);
    const body = await cluster.submit(request.task, JSON.parse(Buffer.from(request.body).toString('utf8')), { timeoutMs: request.timeoutMs });
    return master.encodeMasterTaskResponse({ body: text(body) });
  };
  const threads = startShardThreads({
    count: threadCount,
    data: {
      nodeId,
      session,
      dataPath: folder.path,
      blockCacheBytes: Math.floor(settings.share('shoal.block_cache.size', memoryBytes) / threadCount),
      indexBufferBytes: Math.floor(settings.share('indices.memory.index_buffer_size', memoryBytes) / threadCount),
    },
    heapBytesMax: (memoryBytes * HEAP_SHARE.shards) / threadCount,
    handler: masterTask,
    log,
    onLost: options.onFatal,
  });

  const http = await openHttp(settings);
  const transportAddress = `${http.publishHost}:${settings.ports('transport.port')[0]}`;
  const localNode: NodeInfo = {
    id: nodeId,
    ephemeralId: session,
    name: nodeName,
    host: http.publishHost,
    ip: http.publishHost,
    transportAddress,
    httpAddress: `${http.publishHost}:${http.publishPort}`,
    roles: settings.list('node.roles').toSorted(),
    attributes: attributesOf(settings),
  };
  cluster = await createClusterService({
    clock: systemClock,
    random: systemRandom,
    log,
    localNode,
    clusterName,
    stateLog: await openStateLog(path.join(folder.path, 'state'), { files: nodeFiles(), log }),
    nodeSettings: Object.fromEntries(settings.explicit),
    applier: createApplier(threads),
  });
  const router = createShardRouter(threads.links);
  const local = loopbackChannel((action, payload, signal) => (action === 'master/task' ? masterTask(action, payload, signal) : router(action, payload, signal)));
  const coordinator = createCoordinator({
    cluster,
    channel: channelTo(nodeId, local),
    localNodeId: nodeId,
    clock: systemClock,
    random: systemRandom,
    log,
    limits: { inFlightBytesMax: Math.floor(memoryBytes * 0.25), bucketsMax: 65_536, scrollsMax: 500 },
  });
  const stats = createNodeStats({ startedAtMs, memoryBytes, dataPath: folder.path, shardThreads: threadCount, pending: () => threads.links.reduce((sum, link) => sum + link.pendingCount, 0), inFlight: () => coordinator.inFlight });
  const info = nodeInfo({
    startedAtMs,
    processors,
    memoryBytes,
    indexBufferBytes: settings.share('indices.memory.index_buffer_size', memoryBytes),
    shardThreads: threadCount,
    httpBound: http.bound,
    httpPublish: localNode.httpAddress!,
    maxContentBytes: http.settings.contentBytesMax,
    transportAddress,
  });
  const services: Services = {
    coordinator,
    cluster,
    node: { id: nodeId, name: nodeName, startedAtMs, settings: shownSettings(settings, { clusterName, nodeName, dataPath: folder.path }), info: () => info, stats },
    tasks: coordinator.tasks,
    clock: systemClock,
    random: systemRandom,
    log,
    http: http.stats,
  };
  http.serve(createHttpApp({ routes, services, settings: http.settings, stats: http.stats, tasks: coordinator.tasks, inFlight: coordinator.inFlight, clock: systemClock, log }));
  log.write('info', 'started', { 'http.address': http.bound.join(','), 'node.id': nodeId, 'path.data': folder.path, 'memory.bytes': memoryBytes, 'shard.threads': threadCount, 'start.millis': systemClock.now() - startedAtMs });

  return {
    nodeId,
    httpPort: http.port,
    cluster,
    coordinator,
    async close() {
      log.write('info', 'stopping');
      await http.close();
      await coordinator.close();
      await threads.close();
      await cluster.close();
      await folder.release();
      await log.flush();
    },
  };
}

function attributesOf(settings: NodeSettings): Record<string, string> {
  const prefix = 'node.attr.';
  return Object.fromEntries([...settings.explicit].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]));
}

/** Settings as `GET /_nodes` shows them; lists as lists. */
function shownSettings(settings: NodeSettings, own: { clusterName: string; nodeName: string; dataPath: string }): Record<string, string | readonly string[]> {
  const shown = [...settings.explicit].map(([name, value]) => [name, name === 'path.repo' || name === 'node.roles' ? settings.list(name) : value] as const);
  return { ...Object.fromEntries(shown), 'cluster.name': own.clusterName, 'node.name': own.nodeName, 'path.data': own.dataPath };
}

/** Until there are links to other nodes every message is for this one. */
function channelTo(nodeId: string, local: Channel): (target: string) => Channel {
  const absent: Channel = { request: () => Promise.reject(errors.noShardAvailable(null)) };
  return (target) => (target === nodeId ? local : absent);
}

/** Publishes each state to the shard threads: a difference when they have the one before, else the whole. */
function createApplier(threads: ShardThreads): Parameters<typeof createClusterService>[0]['applier'] {
  let published = 0;
  return {
    async apply(state, previous) {
      const hasBase = published !== 0 && published === previous?.version;
      const publication = { term: state.term, version: state.version, baseVersion: hasBase && previous ? previous.version : 0, body: text(diffState(hasBase && previous ? previous : emptyState(), state)) };
      const payload = master.encodePublication(publication);
      const answers = await Promise.all(threads.links.map((link) => link.request('state/publish', payload.slice())));
      published = state.version;
      if (answers.some((bytes) => master.decodePublicationAnswer(bytes).needFull)) {
        const full = master.encodePublication({ ...publication, baseVersion: 0, body: text(diffState(emptyState(), state)) });
        await Promise.all(threads.links.map((link) => link.request('state/publish', full.slice())));
      }
    },
  };
}

interface OpenedHttp {
  readonly settings: HttpSettings;
  readonly stats: ReturnType<typeof createHttpStats>;
  readonly bound: readonly string[];
  readonly port: number;
  readonly publishHost: string;
  readonly publishPort: number;
  /** From now on requests are answered. */
  serve(app: HttpApp): void;
  close(): Promise<void>;
}

/** Binds the port early, so that the node knows its address; requests wait for `serve`. */
async function openHttp(settings: NodeSettings): Promise<OpenedHttp> {
  const httpSettings: HttpSettings = {
    ...DEFAULT_HTTP_SETTINGS,
    contentBytesMax: settings.bytes('http.max_content_length')!,
    headerBytesMax: settings.bytes('http.max_header_size')!,
    initialLineBytesMax: settings.bytes('http.max_initial_line_length')!,
    compression: settings.boolean('http.compression'),
    detailedErrors: settings.boolean('http.detailed_errors.enabled'),
  };
  const stats = createHttpStats();
  let ready: (app: HttpApp) => void = () => undefined;
  const app = new Promise<HttpApp>((resolve) => (ready = resolve));
  let serving: HttpApp | null = null;
  const proxy: HttpApp = {
    handle: (request, response) => (serving ? serving.handle(request, response) : void app.then((loaded) => loaded.handle(request, response))),
    drain: () => serving?.drain() ?? Promise.resolve(),
  };
  const server = createHttpServer(proxy, httpSettings, stats, systemClock);
  const hosts = bindAddresses(settings);
  const port = await listen(server.server, hosts[0]!, settings.ports('http.port'));
  const publishHost = publishAddress(settings, hosts[0]!);
  return {
    settings: httpSettings,
    stats,
    bound: [`${hosts[0]}:${port}`],
    port,
    publishHost,
    publishPort: settings.text('http.publish_port') === null ? port : settings.ports('http.publish_port')[0],
    serve(loaded) {
      serving = loaded;
      ready(loaded);
    },
    close: () => server.close(DRAIN_MS),
  };
}
