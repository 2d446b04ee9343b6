import { type ApiError, type WireError, decodeError, errors } from '@shoal/errors';
import { type SearchOptions, shard as messages } from '@shoal/protocol';
import type { CoordinatorContext } from '../context.js';
import { decodeJson, encodeJson } from '../json-bytes.js';
import type { SearchFailure } from './search-failure.js';
import type { TargetShard } from './search-targets.js';

/** What goes to all shards of a query phase. */
export interface QueryPhaseRequest {
  readonly targets: readonly TargetShard[];
  readonly body: Uint8Array;
  readonly options: SearchOptions;
  readonly nowMs: number;
  /** Hits are rendered at once: for a single shard. */
  readonly fetch: boolean;
  readonly keepContext: boolean;
  readonly keepAliveMs: number;
  /** Shards that a node may search at once for this request. */
  readonly maxConcurrentPerNode: number;
  readonly signal: AbortSignal;
  /** Counts of all shards to score with; null for each shard's own. */
  readonly statistics: Uint8Array | null;
}

/** Answer of one shard and the node that gave it. */
export interface ShardAnswer {
  readonly result: messages.ShardQueryResult;
  readonly nodeId: string;
}

export interface QueryPhaseResult {
  /** Beside the targets; null where all copies failed. */
  readonly answers: readonly (ShardAnswer | null)[];
  readonly failures: readonly SearchFailure[];
}

interface Attempt {
  readonly target: number;
  readonly copy: number;
}

/** Whether another copy may do better. */
function worthRetrying(error: ApiError): boolean {
  return error.status >= 500 || error.status === 429 || error.type === 'shard_not_found_exception';
}

function message(target: TargetShard): messages.ShardTarget {
  return {
    shard: { indexUuid: target.indexUuid, shard: target.shard },
    indexName: target.indexName,
    filter: target.filter,
    boost: target.boost,
    context: target.reader ?? undefined,
  };
}

function encodeRequest(request: QueryPhaseRequest, attempts: readonly Attempt[]): Uint8Array {
  const { options } = request;
  const after = options.after && attempts.map(({ target }) => options.after![target] ?? null);
  return messages.encodeQueryRequest({
    targets: attempts.map(({ target }) => message(request.targets[target]!)),
    body: request.body,
    options: encodeJson(after ? { ...options, after } : options),
    nowMs: request.nowMs,
    fetch: request.fetch,
    keepContext: request.keepContext,
    keepAliveMs: request.keepAliveMs,
    maxConcurrent: request.maxConcurrentPerNode,
    statistics: request.statistics ?? undefined,
  });
}

interface NodeBatch {
  readonly nodeId: string;
  readonly attempts: Attempt[];
}

/** Shards of a node go in one message, except later pages of a scroll: positions are of one shard each, and a node may divide a message among its threads. */
function batches(request: QueryPhaseRequest, attempts: readonly Attempt[]): NodeBatch[] {
  const nodeOf = (attempt: Attempt): string => request.targets[attempt.target]!.nodeIds[attempt.copy]!;
  if (request.options.after) return attempts.map((attempt) => ({ nodeId: nodeOf(attempt), attempts: [attempt] }));
  const nodes = new Map<string, NodeBatch>();
  for (const attempt of attempts) {
    const nodeId = nodeOf(attempt);
    const batch = nodes.get(nodeId);
    if (batch) batch.attempts.push(attempt);
    else nodes.set(nodeId, { nodeId, attempts: [attempt] });
  }
  return [...nodes.values()];
}

/** Collects answers and failures over the rounds of a phase. */
interface Progress {
  readonly answers: (ShardAnswer | null)[];
  readonly failures: SearchFailure[];
  readonly again: Attempt[];
}

function noteFailure(request: QueryPhaseRequest, attempt: Attempt, error: ApiError, progress: Progress): void {
  const target = request.targets[attempt.target]!;
  if (worthRetrying(error) && attempt.copy + 1 < target.nodeIds.length) {
    progress.again.push({ target: attempt.target, copy: attempt.copy + 1 });
    return;
  }
  progress.failures.push({ shard: target.shard, index: target.indexName, nodeId: target.nodeIds[attempt.copy] ?? null, error });
}

async function askNode(context: CoordinatorContext, request: QueryPhaseRequest, nodeId: string, attempts: readonly Attempt[], progress: Progress): Promise<void> {
  try {
    const bytes = await context.channel(nodeId).request('shard/query', encodeRequest(request, attempts), { signal: request.signal });
    for (const result of messages.decodeQueryResponse(bytes).results) {
      const attempt = attempts[result.target]!;
      if (result.error) noteFailure(request, attempt, decodeError(decodeJson(result.error) as WireError), progress);
      else progress.answers[attempt.target] = { result, nodeId };
    }
  } catch (thrown) {
    request.signal.throwIfAborted();
    const error = context.apiError(thrown);
    for (const attempt of attempts) noteFailure(request, attempt, error, progress);
  }
}

function noCopy(target: TargetShard): SearchFailure {
  const error = errors.noShardAvailable(null, { meta: { index_uuid: target.indexUuid, shard: String(target.shard), index: target.indexName } });
  return { shard: target.shard, index: target.indexName, nodeId: null, error };
}

/** Asks one copy of every shard, all shards of a node in one message; a copy that fails is replaced by the next. */
export async function runQueryPhase(context: CoordinatorContext, request: QueryPhaseRequest): Promise<QueryPhaseResult> {
  const answers = new Array<ShardAnswer | null>(request.targets.length).fill(null);
  const failures: SearchFailure[] = [];
  let attempts: Attempt[] = [];
  request.targets.forEach((target, i) => {
    if (target.nodeIds.length === 0) failures.push(noCopy(target));
    else attempts.push({ target: i, copy: 0 });
  });
  while (attempts.length > 0) {
    const progress: Progress = { answers, failures, again: [] };
    await Promise.all(batches(request, attempts).map((batch) => askNode(context, request, batch.nodeId, batch.attempts, progress)));
    attempts = progress.again;
  }
  return { answers, failures };
}
