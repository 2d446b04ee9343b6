import type { TransformService } from '@shoal/automation';
import type { ClusterService, StateApplier } from '@shoal/cluster';
import {
  ASYNC_SEARCH_CALL,
  type Coordinator,
  createCoordinator,
  createMasterSnapshots,
  type AnalysedBlob,
  probeRepository,
  readAnalysedBlobs,
  type RepositoryProbe,
  snapshotCalls,
  Snapshots,
  type SnapshotService,
  taskCalls,
} from '@shoal/coordinator';
import type { ChannelHandler } from '@shoal/doors';
import { checkScriptSettings, followScripts, scriptSettings } from '../doors/follow-scripts.js';
import { installScriptDoors } from '../doors/script-doors.js';
import { createShardRouter } from '@shoal/host';
import type { IngestDatabases } from '@shoal/ingest';
import type { Security } from '@shoal/security';
import type { MlService } from '@shoal/ml';
import type { NodeInfo } from '@shoal/state';
import { VERSION } from '@shoal/values';
import { type Limits, openLimits } from '../limits/open-limits.js';
import { limitShardWork, type ShardWork } from '../limits/shard-work.js';
import { namedLog } from '../log/named-log.js';
import type { NodeProtection } from '../security/node-protection.js';
import { openSecurity, securityCalls } from '../security/open-security.js';
import type { NodeSettings } from '../settings/load-settings.js';
import { repositoryRoots } from '../settings/repository-roots.js';
import type { NodeBudgets } from '../start/node-budgets.js';
import { createStatePublisher } from '../threads/publish-states.js';
import { announceLeaving, yieldPrimaries } from './leave-cluster.js';
import { openAutomation } from './open-automation.js';
import { lateInference, openMl } from './open-ml.js';
import { type LocalRequests, localRequests } from './local-handler.js';
import type { Membership } from './membership-api.js';
import type { NodeCalls } from './node-calls.js';
import type { NodeDoors } from './node-doors.js';
import type { Placement, ShardPart } from './placement.js';

/** Who a node is and what it may use. */
export interface NodePlan {
  readonly settings: NodeSettings;
  readonly budgets: NodeBudgets;
  readonly nodeId: string;
  /** Ephemeral id: new with each start of the node. */
  readonly session: string;
  readonly nodeName: string;
  readonly clusterName: string;
  /** Folder of the node's data. */
  readonly dataPath: string;
  /** Host name published to other nodes; `httpAddress` is null for a node without HTTP. */
  readonly host: string;
  readonly httpAddress: string | null;
  readonly protection: NodeProtection;
  /** How object stores with snapshot repositories are reached (`sharedClients`). */
  readonly s3Clients: SharedArrayBuffer;
  /** Called when a part of the node failed in a way that the node must end. */
  readonly onFatal: (error: Error) => void;
}

/** A node that takes part in its cluster. */
export interface AssembledNode {
  /** This node as others see it, transport addresses included. */
  readonly localNode: NodeInfo;
  readonly cluster: ClusterService;
  readonly coordinator: Coordinator;
  readonly snapshots: SnapshotService;
  readonly transforms: TransformService;
  readonly ml: MlService;
  /** Null if security is switched off. */
  readonly security: Security | null;
  readonly limits: Limits;
  /** Handler for messages to this node's shards; applies thread pools and indexing pressure. */
  readonly work: ShardWork;
  readonly shards: ShardPart;
  readonly membership: Membership;
  /** Answers messages of other nodes and of this one. */
  readonly handle: ChannelHandler;
  /** Starts to answer calls about the node as a whole: those of its parts, and `calls` about its process. */
  serve(calls: NodeCalls): void;
  /**
   * Shuts the node down in order: announces it to the master, hands primaries over, flushes, closes. `finishRequests`
   * runs when the node no longer gets new work.
   */
  close(finishRequests?: () => Promise<void>): Promise<void>;
}

/**
 * Puts a node together, without HTTP: shards and the control part where `placement` has them, everything else on the
 * calling thread. Resolves once the node takes part in its cluster, which may have no master yet. Throws
 * ConfigurationError for settings that make no sense.
 */
export async function assembleNode(plan: NodePlan, doors: NodeDoors, placement: Placement): Promise<AssembledNode> {
  const { settings, nodeId } = plan;
  const nodeSettings = Object.fromEntries(settings.explicit);
  installScriptDoors(doors.clock, doors.random);
  checkScriptSettings(nodeSettings);
  const shards = openShards(plan, doors, placement, (action, payload, signal, origin) =>
    local.handle(action, payload, signal, origin),
  );
  const limits = openLimits({
    ...doors,
    settings,
    nodeName: plan.nodeName,
    memoryBytes: plan.budgets.memoryBytes,
    shardThreads: shards.threads.length,
  });
  const work = limitShardWork(createShardRouter(shards.threads), { ...limits, localNodeId: nodeId });
  const hasThreads = placement.shardThreads > 0;
  const local = localRequests({ nodeId, shards: work.handle, hasThreads, disk: doors.disk, peers: () => joined });
  let joined: Membership | null = null;
  const membership = await join(plan, doors, placement, local, shards).catch(async (error: unknown) => {
    await shards.close();
    throw error;
  });
  joined = membership;
  const { cluster, localNode } = membership;
  local.serveMaster(cluster);
  const inference = lateInference();
  const coordinator = openCoordinator(membership, limits, doors, inference);
  followUsage(limits, cluster, coordinator, shards);
  const { snapshots, calls: repositoryCalls } = openSnapshots(membership, coordinator, doors, plan.budgets);
  const owned = { settings, cluster, coordinator, nodeId, doors: doors.security };
  const security = await openSecurity({ ...doors, ...owned });
  const { memoryBytes } = plan.budgets;
  const ml = openMl({ settings, membership, coordinator, security, placement, memoryBytes, inference }, doors);
  const automation = openAutomation({ membership, coordinator, snapshots, nodeSettings, security, ml }, doors);
  const ownCalls = {
    ...automation.calls,
    ...ml.calls,
    ...repositoryCalls,
    ...taskCalls(coordinator.tasks, doors.clock),
    ...securityCalls(security),
    ...coordinatorCalls(coordinator),
  };
  return {
    localNode,
    cluster,
    coordinator,
    snapshots,
    transforms: automation.transforms,
    ml: ml.service,
    security,
    limits,
    work,
    shards,
    membership,
    handle: local.handle,
    serve: (calls) => local.serve(coordinator, { ...ownCalls, ...calls }),
    async close(finishRequests) {
      await announceLeaving(cluster, localNode, doors.log);
      await finishRequests?.();
      await automation.close();
      await ml.close();
      await yieldPrimaries(cluster, localNode, doors.log);
      for (const part of [coordinator, shards, membership]) await part.close();
    },
  };
}

/** Calls about what the coordinator of this node does. */
function coordinatorCalls({ enrich, quarantine, asyncSearch }: Coordinator): NodeCalls {
  return {
    enrich_stats: () => enrich.stats(),
    quarantine_stats: () => quarantine.stats(),
    [ASYNC_SEARCH_CALL]: (body, signal) => asyncSearch.answer(body, signal),
  };
}

function openShards(
  { settings, budgets, nodeId, session, dataPath, s3Clients }: NodePlan,
  { log }: NodeDoors,
  placement: Placement,
  handler: ChannelHandler,
): ShardPart {
  const share = (bytes: number): number => Math.floor(bytes / Math.max(1, placement.shardThreads));
  return placement.startShards({
    data: {
      nodeId,
      session,
      dataPath,
      repositoryRoots: repositoryRoots(settings),
      s3Clients,
      scriptSettings: scriptSettings(Object.fromEntries(settings.explicit)),
      blockCacheBytes: share(budgets.blockCacheBytes),
      snapshotCacheBytes: share(budgets.snapshotCacheBytes),
      indexBufferBytes: share(budgets.indexBufferBytes),
      requestBytesMax: share(budgets.requestBytesMax),
      searchThreads: budgets.searchThreads,
    },
    handler,
    log: namedLog(log, 'shoal.shards'),
  });
}

function join(
  plan: NodePlan,
  doors: NodeDoors,
  placement: Placement,
  local: LocalRequests,
  shards: ShardPart,
): Promise<Membership> {
  const publisher = createStatePublisher(shards.threads);
  shards.onRestart((thread) => void publisher.renew(thread).catch(plan.onFatal));
  return placement.join({
    settings: plan.settings,
    doors,
    log: namedLog(doors.log, 'shoal.cluster'),
    clusterName: plan.clusterName,
    dataPath: plan.dataPath,
    localNode: nodeInfoOf(plan),
    local: local.handle,
    protection: plan.protection,
    applier: settingsFirst(plan, publisher),
    onFatal: plan.onFatal,
  });
}

/** Returns the node as others see it, still with the configured port instead of the bound transport addresses. */
function nodeInfoOf({ settings, nodeId, session, nodeName, host, httpAddress }: NodePlan): NodeInfo {
  const prefix = 'node.attr.';
  const attributes = [...settings.explicit].filter(([name]) => name.startsWith(prefix));
  return {
    id: nodeId,
    ephemeralId: session,
    name: nodeName,
    host,
    ip: host,
    transportAddress: `${host}:${settings.ports('transport.port')[0]}`,
    httpAddress,
    roles: settings.list('node.roles').toSorted(),
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name.slice(prefix.length), value])),
    version: VERSION,
    dataAddress: null,
  };
}

/** Applies the address filters of a state before the state reaches `next`. */
function settingsFirst({ protection, settings }: NodePlan, next: StateApplier): StateApplier {
  const scriptsFollow = followScripts(scriptSettings(Object.fromEntries(settings.explicit)));
  return {
    apply(state, previous) {
      protection.follow(state);
      scriptsFollow(state);
      return next.apply(state, previous);
    },
  };
}

function openCoordinator(
  { cluster, channel, localNode }: Membership,
  { memory }: Limits,
  { clock, random, log, ingestDatabases, remoteHttp }: NodeDoors,
  inference: IngestDatabases['inference'],
): Coordinator {
  return createCoordinator({
    cluster,
    channel: (nodeId) => channel(nodeId),
    localNodeId: localNode.id,
    ephemeralId: localNode.ephemeralId,
    clock,
    random,
    log: namedLog(log, 'shoal.coordinator'),
    limits: { bucketsMax: 65_536, scrollsMax: 500 },
    memory,
    databases: { ...ingestDatabases, inference },
    remoteHttp,
  });
}

/**
 * Makes the limits follow the cluster's settings, and gives the breaker `parent` the bytes of the other breakers for
 * its messages.
 */
function followUsage(limits: Limits, cluster: ClusterService, coordinator: Coordinator, shards: ShardPart): void {
  limits.follow({
    state: () => cluster.state(),
    usages: () => ({
      inflight_requests: coordinator.inFlight.used,
      request: shards.requestMemory().used,
      fielddata: 0,
    }),
  });
}

/** Share of the memory budget for catalogs of snapshot repositories; 1,000 snapshots of one index take about 1 MB. */
const CATALOGS_SHARE = 1 / 64;

/** Opens the snapshot service, with the calls by which other nodes use this node's repositories. */
function openSnapshots(
  { cluster, channel, localNode }: Membership,
  { callNodes }: Coordinator,
  { repositoryFiles: files, clock, random, log }: NodeDoors,
  { memoryBytes }: { readonly memoryBytes: number },
): { readonly snapshots: SnapshotService; readonly calls: NodeCalls } {
  const local = new Snapshots({
    cluster,
    localNodeId: localNode.id,
    channel: (target) => channel(target),
    files,
    clock,
    random,
    log: namedLog(log, 'shoal.snapshots'),
    catalogBytesMax: Math.floor(memoryBytes * CATALOGS_SHARE),
  });
  const state = () => cluster.state();
  return {
    snapshots: createMasterSnapshots({ local, localNodeId: localNode.id, state, callNodes }),
    calls: {
      ...snapshotCalls(local, state),
      'read-analysed-blobs': (blobs) => readAnalysedBlobs(files, blobs as AnalysedBlob[]),
      'verify-repository': (probe) => probeRepository(files, localNode.id, probe as RepositoryProbe),
    },
  };
}
