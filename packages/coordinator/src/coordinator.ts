import { parseQuery } from '@shoal/query';
import { asyncSearchCalls } from './async-search/async-search-calls.js';
import { quarantineCalls } from './quarantine/quarantine-calls.js';
import type { RemoteHttp } from './by-query/remote-http.js';
import { createIndexMappings } from '@shoal/cluster';
import type { Channel, Clock, Log, Random } from '@shoal/doors';
import type { JsonObject } from '@shoal/json';
import { section } from '@shoal/state';
import { toApiError } from '@shoal/errors';
import { noDatabases, createIngest, createScripts, type IngestDatabases, type EnrichSources } from '@shoal/ingest';
import { ACTIONS, accessOf } from './access.js';
import { analyze } from './admin/analyze.js';
import { broadcast, callNodes, callShard } from './admin/broadcast.js';
import { refresh } from './admin/refresh.js';
import { enrichCalls } from './enrich/enrich-calls.js';
import { PolicySources } from './enrich/enrich-sources.js';
import { explain } from './admin/explain.js';
import { fieldCaps } from './admin/field-caps.js';
import { searchShardsJson } from './admin/search-shards.js';
import { multiTermVectors, termVectors } from './admin/term-vectors.js';
import { validate } from './admin/validate.js';
import { startByQuery } from './by-query/run-by-query.js';
import { createAutoIds } from './bulk/auto-id.js';
import { bulk, checkBulk } from './bulk/bulk.js';
import { createOperationIds } from './bulk/operation-ids.js';
import { write } from './bulk/write.js';
import type { ClusterAccess } from './cluster-access.js';
import type { CoordinatorContext, CoordinatorLimits, CoordinatorMemory } from './context.js';
import type { Coordinator } from './coordinator-api.js';
import { ingestCalls } from './ingest/ingest-calls.js';
import { answerIngest } from './ingest/run-pipelines.js';
import { get, readableIndex } from './get/get.js';
import { multiGet } from './get/multi-get.js';
import { readMultiGet } from './get/multi-get-body.js';
import { createInFlightBytes } from './in-flight-bytes.js';
import { createCopyRanks, type NodeRank } from './search/targets/copy-ranks.js';
import { checkQuery, checkSearch } from './search/check-body.js';
import { count } from './search/count.js';
import { checkMultiSearch, multiSearch } from './search/multi-search.js';
import { closePointInTime, openPointInTime } from './search/contexts/point-in-time.js';
import { createRecentSources } from './search/targets/recent-sources.js';
import { createScrolls } from './search/contexts/scroll.js';
import { createScrollRouter } from './search/contexts/scroll-router.js';
import { executeScript } from './scripts/execute-script.js';
import { knnSearchRequest } from './search/parse/knn-search-body.js';
import { clusterParseContext, search } from './search/search.js';
import { renderTemplate, templatedSearch } from './search/templates/render-template.js';
import type { SearchRequest } from './search/parse/search-request.js';
import type { CallContext, JsonAnswer } from './call.js';
import { createTaskRegistry } from './tasks/task-registry.js';
import { takeTurns } from './turns.js';

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
  /** Reads documents of other clusters for `_reindex`; absent: it does not. */
  readonly remoteHttp?: RemoteHttp;
  /** Files of the node that processors look things up in; absent: none. */
  readonly databases?: Omit<IngestDatabases, 'enrich'>;
}

const DEFAULT_LIMITS: CoordinatorLimits = {
  inFlightBytesMax: 256 * 1024 * 1024,
  bucketsMax: 65_536,
  scrollsMax: 500,
};

function contextOf(options: CoordinatorOptions, enrich: EnrichSources): CoordinatorContext {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const trips = { count: 0 };
  const inFlightBytesMax = options.memory?.inFlightBytesMax ?? (() => limits.inFlightBytesMax);
  const storedScripts = (): JsonObject => section(options.cluster.state(), 'storedScripts');
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
    ingest: createIngest({
      clock: options.clock,
      scripts: createScripts(storedScripts),
      databases: { ...(options.databases ?? noDatabases()), enrich },
    }),
    models: options.databases?.inference ?? null,
    checkWrite: options.memory?.checkWrite ?? (() => undefined),
    takeWrite: options.memory?.takeWrite ?? (() => () => undefined),
    ranks: createCopyRanks(),
    autoIds: createAutoIds(options.clock, options.random),
    operationIds: createOperationIds(options.ephemeralId),
    mappings: createIndexMappings(),
    sources: createRecentSources(),
    quarantine: { kept: 0, lost: 0, replayed: 0, toldAtMs: -Infinity },
    remoteHttp: options.remoteHttp ?? null,
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
  const enrichSources = new PolicySources(() => context);
  const context: CoordinatorContext = contextOf(options, enrichSources);
  const scrolls = createScrolls(context);
  const scrollRouter = createScrollRouter(context, scrolls);
  const searchOrScroll = (request: SearchRequest, call: CallContext): Promise<JsonAnswer> =>
    request.scrollMs === null ? search(context, request, call) : scrolls.open(request, call);
  const asyncSearch = asyncSearchCalls(context);
  return {
    turn: () => context.clock.yield(),
    aside: () => context.clock.aside(),
    write: (request, call) => write(context, request, call),
    bulk: (request, call) => bulk(context, request, call),
    checkBulk: (request, call) => checkBulk(context, request, call),
    byQuery: (request, call) => startByQuery(context, request, call),
    get: (request, call) => get(context, request, call),
    multiGet: (request, call) => multiGet(context, request, call),
    checkMultiGet: async (request, call) => void (await readMultiGet(request, takeTurns(context.clock, call.signal))),
    search: searchOrScroll,
    checkSearch: (request) => checkSearch(context, request),
    checkQuery: (body) => checkQuery(context, body),
    checkFilter: (query) => void parseQuery(query, clusterParseContext(context)),
    checkKnnSearch: (request) => void knnSearchRequest(request, clusterParseContext(context)),
    knnSearch: (request, call) => search(context, knnSearchRequest(request, clusterParseContext(context)), call),
    searchTemplate: async (request, template, call) =>
      searchOrScroll(templatedSearch(context.cluster, request, template), call),
    executeScript: (request, call) => executeScript(context, request, call),
    renderTemplate: (template) => renderTemplate(context.cluster, template),
    multiSearch: (request, call) => multiSearch(context, request, call),
    checkMultiSearch: (request, call) => checkMultiSearch(context, request, call),
    scroll: (request, call) => scrollRouter.next(request, call),
    clearScroll: (ids, call) => scrollRouter.clear(ids, call),
    openPointInTime: (target, keepAliveMs, choice, call) => openPointInTime(context, target, keepAliveMs, choice, call),
    closePointInTime: (id, call) => closePointInTime(context, id, call),
    count: (request, call) => count(context, request, call),
    validate: (request, validateOptions, call) => validate(context, request, validateOptions, call),
    explain: (request, call) => explain(context, request, call),
    analyze: (index, body, call) => analyze(context, index, body, call),
    fieldCaps: (indices, request, call) => fieldCaps(context, indices, request, call.signal),
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
    ingest: ingestCalls(context),
    enrich: enrichCalls(context, enrichSources),
    quarantine: quarantineCalls(context),
    asyncSearch,
    handlers: {
      scroll: (request, signal) => scrollRouter.answer(request, signal),
      ingest: (request, signal) => answerIngest(context, request, signal),
    },
    async close() {
      asyncSearch.close();
      await scrolls.clearAll();
    },
  };
}
