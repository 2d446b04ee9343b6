import { createIndexMappings } from '@shoal/cluster';
import type { Channel, Clock, Log, Random } from '@shoal/doors';
import { toApiError } from '@shoal/errors';
import { ACTIONS, accessOf } from './access.js';
import { analyze } from './admin/analyze.js';
import { broadcast, callNodes, callShard } from './admin/broadcast.js';
import { refresh } from './admin/refresh.js';
import { explain } from './admin/explain.js';
import { fieldCaps } from './admin/field-caps.js';
import { searchShardsJson } from './admin/search-shards.js';
import { multiTermVectors, termVectors } from './admin/term-vectors.js';
import { validate } from './admin/validate.js';
import { createAutoIds } from './bulk/auto-id.js';
import { bulk } from './bulk/bulk.js';
import { createOperationIds } from './bulk/operation-ids.js';
import { write } from './bulk/write.js';
import type { ClusterAccess } from './cluster-access.js';
import type { CoordinatorContext, CoordinatorLimits, CoordinatorMemory } from './context.js';
import type { Coordinator } from './coordinator-api.js';
import { get, readableIndex } from './get/get.js';
import { multiGet } from './get/multi-get.js';
import { createInFlightBytes } from './in-flight-bytes.js';
import { createCopyRanks, type NodeRank } from './search/targets/copy-ranks.js';
import { count } from './search/count.js';
import { multiSearch } from './search/multi-search.js';
import { closePointInTime, openPointInTime } from './search/contexts/point-in-time.js';
import { createRecentSources } from './search/targets/recent-sources.js';
import { createScrolls } from './search/contexts/scroll.js';
import { createScrollRouter } from './search/contexts/scroll-router.js';
import { search } from './search/search.js';
import { createTaskRegistry } from './tasks/task-registry.js';

/** Cluster, doors and limits of a coordinator. */
export interface CoordinatorOptions {
  readonly cluster: ClusterAccess;
  /** Returns the channel to a node, the local one included. */
  readonly channel: (nodeId: string) => Channel;
  readonly localNodeId: string;
  /** Id of this run of the node, part of the ids of its writes. */
  readonly ephemeralId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly limits?: Partial<CoordinatorLimits>;
  /** Memory limits of the process; absent: only `inFlightBytesMax` applies. */
  readonly memory?: Partial<CoordinatorMemory>;
}

const DEFAULT_LIMITS: CoordinatorLimits = {
  inFlightBytesMax: 256 * 1024 * 1024,
  bucketsMax: 65_536,
  scrollsMax: 500,
};

function contextOf(options: CoordinatorOptions): CoordinatorContext {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const trips = { count: 0 };
  const inFlightBytesMax = options.memory?.inFlightBytesMax ?? (() => limits.inFlightBytesMax);
  return {
    cluster: options.cluster,
    channel: options.channel,
    localNodeId: options.localNodeId,
    clock: options.clock,
    random: options.random,
    log: options.log,
    limits,
    tasks: createTaskRegistry(options.clock, options.localNodeId),
    inFlight: createInFlightBytes(inFlightBytesMax, options.memory?.checkParent, trips),
    bulkAnswers: createInFlightBytes(() => inFlightBytesMax() / 2, options.memory?.checkParent, trips),
    checkWrite: options.memory?.checkWrite ?? (() => undefined),
    takeWrite: options.memory?.takeWrite ?? (() => () => undefined),
    ranks: createCopyRanks(),
    autoIds: createAutoIds(options.clock, options.random),
    operationIds: createOperationIds(options.ephemeralId),
    mappings: createIndexMappings(),
    sources: createRecentSources(),
    apiError: toApiError,
  };
}

function currentRanks({ ranks, cluster }: CoordinatorContext): ReadonlyMap<string, NodeRank> {
  const { nodes } = cluster.state();
  ranks.keep((nodeId) => nodes.has(nodeId));
  return ranks.figures();
}

/** Makes the coordinator of a node. */
export function createCoordinator(options: CoordinatorOptions): Coordinator {
  const context = contextOf(options);
  const scrolls = createScrolls(context);
  const scrollRouter = createScrollRouter(context, scrolls);
  return {
    write: (request, call) => write(context, request, call),
    bulk: (request, call) => bulk(context, request, call),
    get: (request, call) => get(context, request, call),
    multiGet: (request, call) => multiGet(context, request, call),
    search: (request, call) =>
      request.scrollMs === null ? search(context, request, call) : scrolls.open(request, call),
    multiSearch: (request, call) => multiSearch(context, request, call),
    scroll: (request, call) => scrollRouter.next(request, call),
    clearScroll: (ids, call) => scrollRouter.clear(ids, call),
    openPointInTime: (target, keepAliveMs, choice, call) => openPointInTime(context, target, keepAliveMs, choice, call),
    closePointInTime: (id, call) => closePointInTime(context, id, call),
    count: (request, call) => count(context, request, call),
    validate: (request, validateOptions, call) => validate(context, request, validateOptions, call),
    explain: (request, call) => explain(context, request, call),
    analyze: (index, body, call) => analyze(context, index, body, call),
    fieldCaps: (indices, request) => fieldCaps(context, indices, request),
    termVectors: (request, call) => termVectors(context, request, call),
    multiTermVectors: (requests, call) => multiTermVectors(context, requests, call),
    searchShards: (target, routing, preference, call) => searchShardsJson(context, target, routing, preference, call),
    refresh: (indices) => refresh(context, indices),
    broadcast: (indices, action, body, selection = 'all', limitsOf) =>
      broadcast(context, indices, action, body, selection, limitsOf),
    callNodes: (nodeIds, action, body, options) => callNodes(context, nodeIds, action, body, options),
    callShard: (index, shard, action, body) => callShard(context, index, shard, action, body),
    mappingOf: (index) => context.mappings.current(index).mapping,
    analysisOf: (index) => context.mappings.current(index).options.analysis,
    singleIndex: (name, call) =>
      readableIndex(context.cluster.state(), name, context.clock.now(), accessOf(call, ACTIONS.analyze)).index,
    tasks: context.tasks,
    inFlight: context.inFlight,
    searchRanks: () => currentRanks(context),
    handlers: { scroll: (request, signal) => scrollRouter.answer(request, signal) },
    close: async () => void (await scrolls.clearAll()),
  };
}
