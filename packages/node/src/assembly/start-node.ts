import { hostname } from 'node:os';
import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import { createHttpApp, type HttpApp, type NodeFacts, routes, securityRoutes } from '@shoal/rest';
import { confinedFiles, nodeFiles } from '@shoal/store';
import { createTransport } from '@shoal/transport';
import { fairTurns, systemClock } from '../doors/system-clock.js';
import { DanglingIndices } from '../dangling/dangling-indices.js';
import { remoteHttp } from '../doors/remote-http.js';
import { systemMemory } from '../doors/system-memory.js';
import { systemRandom } from '../doors/system-random.js';
import { diskReport } from '../facts/disk-report.js';
import { type HotThreadsCall, hotThreads } from '../facts/hot-threads.js';
import { openFacts } from '../facts/open-facts.js';
import { type HttpEndpoint, openHttp } from '../http/http-endpoint.js';
import { localUrl, noteHttpAddress } from '../http/local-address.js';
import { makeOwnToken, type OwnToken } from '../dashboard/own-token.js';
import { namedLog } from '../log/named-log.js';
import type { NodeLog } from '../log/node-log.js';
import { openAudit } from '../log/open-audit.js';
import { followCluster, openLog } from '../log/open-log.js';
import { announceFirstStart } from '../security/announce-first-start.js';
import { configurationFolder } from '../security/open-security.js';
import { type PreparedSecurity, prepareSecurity } from '../security/prepare-security.js';
import { enrollmentSecrets, secretCalls } from '../security/secret-calls.js';
import { systemSecurityDoors } from '../security/system-security-doors.js';
import { readS3Clients } from '../s3/s3-clients.js';
import { shareClients, sharedClients } from '../s3/shared-clients.js';
import { repositoryFiles, s3Files } from '../s3/s3-files.js';
import type { NodeSettings } from '../settings/load-settings.js';
import { openIngestFiles } from '../ingest/ingest-files.js';
import { repositoryRoots } from '../settings/repository-roots.js';
import { type NodeDashboard, openDashboard } from '../threads/start-dashboard-thread.js';
import { takeDataFolder } from '../start/data-folder.js';
import { withConnectionsMax } from '../limits/open-files.js';
import { limitMemory, processBudgets } from '../start/node-budgets.js';
import { nodeIdentity } from '../start/node-identity.js';
import { type AssembledNode, assembleNode } from './assemble-node.js';
import type { NodeCalls } from './node-calls.js';
import type { NodeDoors } from './node-doors.js';
import { modelHeapMb } from './open-ml.js';
import { placeOnThreads } from './place-on-threads.js';

/** Options of a node in this process. */
export interface StartOptions {
  readonly settings: NodeSettings;
  /** Called when a thread failed and the node must end. */
  readonly onFatal: (error: Error) => void;
}

/** A node that runs in this process. */
export interface RunningNode {
  readonly nodeId: string;
  readonly httpPort: number;
  readonly cluster: ClusterService;
  readonly coordinator: Coordinator;
  /** Finishes requests (at most 10 s), flushes, closes; the next start finds all data. */
  close(): Promise<void>;
}

/** Starts one node in this process. Throws ConfigurationError for settings that cannot be used. */
export async function startNode({ settings: given, onFatal }: StartOptions): Promise<RunningNode> {
  const startedAtMs = systemClock.now();
  const names = { node: given.text('node.name') ?? hostname(), cluster: given.text('cluster.name')! };
  const log = openLog(given, names);
  const budgets = processBudgets(given);
  const memory = limitMemory(budgets);
  const folder = await takeDataFolder(given.text('path.data')!, log);
  const prepared = await prepareSecurity(given, { nodeName: names.node, memoryBytes: budgets.memoryBytes, log });
  const { settings, protection } = prepared;
  const stores = shareClients(readS3Clients(settings, prepared.secure));
  const nodeId = nodeIdentity(folder.path, systemRandom);
  const http = await openHttp(settings, protection, log);
  noteHttpAddress(folder.path, http.bound[0]!, protection.httpTls !== null);
  const ingestDoors = { clock: systemClock, log: namedLog(log, 'shoal.ingest') };
  const ingestFiles = await openIngestFiles(settings, configurationFolder(settings, folder.path), ingestDoors);
  const node = await assembleNode(
    {
      settings,
      budgets,
      nodeId,
      session: Buffer.from(systemRandom.bytes(9)).toString('base64url'),
      nodeName: names.node,
      clusterName: names.cluster,
      dataPath: folder.path,
      host: http.publishHost,
      httpAddress: `${http.publishHost}:${http.publishPort}`,
      protection,
      s3Clients: stores.memory,
      onFatal,
    },
    systemDoors(settings, folder.path, log, ingestFiles.databases, stores.memory),
    placeOnThreads({
      shardThreads: budgets.shardThreads,
      heapBytesMax: budgets.shardHeapBytes,
      modelHeapMb: modelHeapMb(budgets),
    }),
  );
  followCluster(log, nodeId, node.cluster);
  announceFirstStart(prepared, node, http, log);
  const facts = openFacts({
    node,
    settings,
    clusterName: names.cluster,
    dataPath: folder.path,
    startedAtMs,
    budgets,
    http,
  });
  const dangling = watchDangling(node, folder.path, log);
  node.serve({ ...factCalls(facts, node), ...secretCalls(prepared, stores), ...dangling.calls, ...ingestFiles.calls });
  const ownToken = settings.boolean('dashboard.enabled') ? makeOwnToken(systemRandom) : null;
  http.serve(httpApp(node, facts, prepared, http, log, ownToken));
  const dashboard = ownToken === null ? null : dashboardOf(node, prepared, http, log, ownToken);
  logStart(log, node, http, { path: folder.path, memoryBytes: budgets.memoryBytes, startedAtMs });
  return {
    nodeId,
    httpPort: http.port,
    cluster: node.cluster,
    coordinator: node.coordinator,
    async close() {
      log.write('info', 'stopping');
      dangling.close();
      await dashboard?.close();
      await node.close(() => http.close());
      for (const part of [protection, memory, ingestFiles]) part.close();
      await folder.release();
      await log.flush();
    },
  };
}

function watchDangling({ cluster, localNode }: AssembledNode, dataPath: string, log: NodeLog): DanglingIndices {
  const dangling = new DanglingIndices({
    dataPath,
    nodeId: localNode.id,
    state: () => cluster.state(),
    files: nodeFiles(),
    clock: systemClock,
    log: namedLog(log, 'shoal.cluster'),
  });
  dangling.start();
  return dangling;
}

function systemDoors(
  settings: NodeSettings,
  dataPath: string,
  log: NodeLog,
  ingestDatabases: NodeDoors['ingestDatabases'],
  s3Clients: SharedArrayBuffer,
): NodeDoors {
  const files = nodeFiles();
  const stores = s3Files(sharedClients(s3Clients), { clock: systemClock, random: systemRandom });
  return {
    clock: systemClock,
    random: systemRandom,
    log,
    files,
    repositoryFiles: repositoryFiles(confinedFiles(nodeFiles({ isShared: true }), repositoryRoots(settings)), stores),
    createTransport: withConnectionsMax(createTransport),
    disk: () => diskReport(dataPath, files),
    turns: fairTurns,
    memory: systemMemory(),
    ingestDatabases,
    remoteHttp: remoteHttp(settings, configurationFolder(settings, dataPath)),
    security: systemSecurityDoors(configurationFolder(settings, dataPath), log),
  };
}

function logStart(
  log: NodeLog,
  { localNode, shards }: AssembledNode,
  http: HttpEndpoint,
  { path, memoryBytes, startedAtMs }: { readonly path: string; readonly memoryBytes: number; startedAtMs: number },
): void {
  log.write('info', 'started', {
    'http.address': http.bound.join(','),
    'node.id': localNode.id,
    'path.data': path,
    'memory.bytes': memoryBytes,
    'shard.threads': shards.threads.length,
    'start.millis': systemClock.now() - startedAtMs,
  });
}

/** Starts the dashboard inside this node, as a service account in a node with security. */
const dashboardOf = (
  { security }: AssembledNode,
  { settings, protection }: PreparedSecurity,
  http: HttpEndpoint,
  log: NodeLog,
  token: OwnToken,
): NodeDashboard =>
  openDashboard({
    settings,
    address: localUrl(http.bound[0]!, protection.httpTls !== null),
    token: security === null ? null : token.text,
    log: namedLog(log, 'shoal.dashboard'),
  });

/** Creates the calls by which other nodes ask about this process: info, statistics, hot threads. */
function factCalls(facts: NodeFacts, { shards }: AssembledNode): NodeCalls {
  return {
    info: () => facts.info(),
    stats: () => facts.stats(),
    hot_threads: (body) => hotThreads(body as HotThreadsCall, (intervalMs) => shards.sample(intervalMs)),
  };
}

function httpApp(
  { cluster, coordinator, snapshots, transforms, ml, security, limits, localNode }: AssembledNode,
  facts: NodeFacts,
  prepared: PreparedSecurity,
  http: HttpEndpoint,
  log: NodeLog,
  ownToken: OwnToken | null,
): HttpApp {
  const { settings, protection } = prepared;
  const [clock, random, tasks] = [systemClock, systemRandom, coordinator.tasks];
  return createHttpApp({
    routes: security ? [...routes, ...securityRoutes] : routes,
    services: {
      coordinator,
      cluster,
      node: facts,
      tasks,
      snapshots,
      transforms,
      ml,
      clock,
      random,
      log,
      http: http.stats,
      certificates: protection.certificates,
      enrollment: () => enrollmentSecrets(prepared),
      security,
    },
    settings: http.settings,
    stats: http.stats,
    tasks,
    inFlight: coordinator.inFlight,
    clock,
    log: namedLog(log, 'shoal.http'),
    admit: security === null ? null : (ownToken?.admits(security) ?? security.admit),
    limits: limits.http,
    audit: openAudit({ settings, log, cluster, localNode, protection, clock, random }),
  });
}
