import type { JsonObject } from '@shoal/json';
import type { AnalysisRegistry } from '@shoal/analysis';
import type { IndexMetadata } from '@shoal/state';
import type { RequestOptions } from '@shoal/doors';
import type { Mapping } from '@shoal/mapping';
import type { coordinator } from '@shoal/protocol';
import type { BroadcastAnswer, CopySelection, LimitsOf, NodeAnswer } from './admin/broadcast.js';
import type { ExplainRequest, FieldCapsRequest, TermVectorsRequest, ValidateOptions } from './admin/admin-requests.js';
import type { BulkRequest } from './bulk/bulk-request.js';
import type { WriteAnswer, WriteRequest } from './bulk/write-request.js';
import type { ByQueryRequest } from './by-query/by-query-request.js';
import type { ByQueryRun } from './by-query/run-by-query.js';
import type { CallContext, JsonAnswer } from './call.js';
import type { GetDocumentRequest, MultiGetRequest } from './get/get-request.js';
import type { IndexExpression } from './index-expression.js';
import type { EnrichCalls } from './enrich/enrich-calls.js';
import type { IngestCalls } from './ingest/ingest-calls.js';
import type { QuarantineCalls } from './quarantine/quarantine-calls.js';
import type { AsyncSearchCalls } from './async-search/async-search-calls.js';
import type { InFlightBytes } from './in-flight-bytes.js';
import type { NodeRank } from './search/targets/copy-ranks.js';
import type { MultiSearchRequest, ScrollRequest, SearchRequest } from './search/parse/search-request.js';
import type { TemplateRequest } from './search/templates/template-request.js';
import type { ShardChoice } from './search/contexts/point-in-time.js';
import type { VisibleIndex } from './admin/field-caps.js';
import type { ExecuteRequest } from './scripts/execute-request.js';
import type { TaskRegistry } from './tasks/task-registry.js';

/** Runs requests over the shards of the cluster. All methods reject with ApiErrors in the texts of Elasticsearch. */
export interface Coordinator {
  /** Gives the thread back: for callers that work on large answers. */
  turn(): Promise<void>;
  /** Gives the thread back; what the caller does then waits for requests (`Clock.aside`). */
  aside(): Promise<void>;
  /** Runs one index, create, update or delete. */
  write(request: WriteRequest, call: CallContext): Promise<WriteAnswer>;
  bulk(request: BulkRequest, call: CallContext): Promise<JsonAnswer>;
  /** Throws what `bulk` would throw for malformed lines; writes nothing. */
  checkBulk(request: BulkRequest, call: CallContext): Promise<void>;
  get(request: GetDocumentRequest, call: CallContext): Promise<JsonAnswer>;
  multiGet(request: MultiGetRequest, call: CallContext): Promise<JsonAnswer>;
  /** Throws what `multiGet` would throw for a malformed body. */
  checkMultiGet(request: MultiGetRequest, call: CallContext): Promise<void>;
  search(request: SearchRequest, call: CallContext): Promise<JsonAnswer>;
  /** Throws what `search` would throw for the body and the options alone. */
  checkSearch(request: SearchRequest): void;
  /** As `checkSearch`, of a body that may only have `query` (`count`, `explain`). */
  checkQuery(body: Uint8Array): void;
  /** Throws what parsing a query throws; errors have their places in `query`. */
  checkFilter(query: JsonObject): void;
  /** As `checkSearch`, of a body of `_knn_search`. */
  checkKnnSearch(request: SearchRequest): void;
  /** Runs a request of `_knn_search`. */
  knnSearch(request: SearchRequest, call: CallContext): Promise<JsonAnswer>;
  multiSearch(request: MultiSearchRequest, call: CallContext): Promise<JsonAnswer>;
  /** Throws what `multiSearch` would throw for malformed searches. */
  checkMultiSearch(request: MultiSearchRequest, call: CallContext): Promise<void>;
  /** Runs the search that a template renders; of `search` the body is not used. */
  searchTemplate(search: SearchRequest, template: TemplateRequest, call: CallContext): Promise<JsonAnswer>;
  /** Returns the text that a template renders. */
  renderTemplate(template: TemplateRequest): string;
  /** Returns the result of `_scripts/painless/_execute`. */
  executeScript(request: ExecuteRequest, call: CallContext): Promise<unknown>;
  scroll(request: ScrollRequest, call: CallContext): Promise<JsonAnswer>;
  /** Closes scrolls by id, or all with `_all`. */
  clearScroll(ids: readonly string[], call: CallContext): Promise<JsonAnswer>;
  openPointInTime(
    target: IndexExpression,
    keepAliveMs: number,
    choice: ShardChoice,
    call: CallContext,
  ): Promise<JsonAnswer>;
  closePointInTime(id: string, call: CallContext): Promise<JsonAnswer>;
  /** Counts the matches of the `query` of a `_count` body, without collecting hits. */
  count(request: SearchRequest, call: CallContext): Promise<JsonAnswer>;
  validate(request: SearchRequest, options: ValidateOptions, call: CallContext): Promise<JsonAnswer>;
  explain(request: ExplainRequest, call: CallContext): Promise<JsonAnswer>;
  /** Returns the answer of `_analyze`; `index` null: without settings of an index. */
  analyze(index: IndexMetadata | null, body: unknown, call: CallContext): Promise<Readonly<Record<string, unknown>>>;
  fieldCaps(
    indices: readonly VisibleIndex[],
    request: FieldCapsRequest,
    call: CallContext,
  ): Promise<Record<string, unknown>>;
  termVectors(
    request: TermVectorsRequest,
    call: CallContext,
  ): Promise<{ readonly status: number; readonly json: Record<string, unknown> }>;
  multiTermVectors(requests: readonly TermVectorsRequest[], call: CallContext): Promise<Record<string, unknown>>;
  searchShards(
    target: IndexExpression,
    routing: string | null,
    preference: string | null,
    call: CallContext,
  ): Record<string, unknown>;
  /** Makes acknowledged operations visible to later searches of the indices. */
  refresh(indices: readonly IndexMetadata[]): Promise<BroadcastAnswer>;
  /** Calls `action` on the selected copies of the indices, by default all copies. */
  broadcast(
    indices: readonly IndexMetadata[],
    action: string,
    body: unknown,
    selection?: CopySelection,
    limitsOf?: LimitsOf,
  ): Promise<BroadcastAnswer>;
  /** Sends a call to nodes; see `node/call` in the node room. */
  callNodes(nodeIds: readonly string[], action: string, body: unknown, options?: RequestOptions): Promise<NodeAnswer[]>;
  /** Sends a call to one copy of a shard. */
  callShard(index: IndexMetadata, shard: number, action: string, body: unknown): Promise<unknown>;
  /** Returns the parsed mapping of an index; cached until its metadata changes. */
  mappingOf(index: IndexMetadata): Mapping;
  analysisOf(index: IndexMetadata): AnalysisRegistry;
  /** Returns the index whose analyzers `_analyze` uses. */
  singleIndex(name: string, call: CallContext): IndexMetadata;
  /** Starts `_delete_by_query`, `_update_by_query` or `_reindex`. */
  byQuery(request: ByQueryRequest, call: CallContext): ByQueryRun;
  readonly ingest: IngestCalls;
  readonly enrich: EnrichCalls;
  readonly quarantine: QuarantineCalls;
  readonly asyncSearch: AsyncSearchCalls;
  readonly tasks: TaskRegistry;
  readonly inFlight: InFlightBytes;
  /** Returns the search times of other nodes as measured by this node, by node id. */
  searchRanks(): ReadonlyMap<string, NodeRank>;
  /** Handles messages of other coordinators (actions `coordinator/…`): pages of scrolls that this node opened. */
  readonly handlers: coordinator.CoordinatorHandlers;
  /** Frees the resources that the node holds for clients. */
  close(): Promise<void>;
}
