import { sendMessage } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import { errorOf, shard as messages } from '@shoal/protocol';
import type { CoordinatorContext } from '../../context.js';
import { mayAnswerElsewhere } from '../../retryable.js';
import { freeKept } from '../fetch-phase/fetch-phase.js';
import type { GatheredAnswers } from './gathered-answers.js';
import { noCopy, type SearchFailure, inOrder } from '../search-failure.js';
import {
  messageOptions,
  type QueryPhaseRequest,
  type QueryPhaseResult,
  type ShardAnswer,
  shardTarget,
} from './phase-request.js';
import { renderedBytes } from './rendered-bytes.js';
import type { BottomSortValue, ShardSkipping } from '../can-match/shard-skipping.js';
import type { TargetShard } from '../targets/search-targets.js';

interface Attempt {
  readonly target: number;
  readonly copy: number;
}

/** Limit for shards in one message, which bounds the size of an answer. */
const MESSAGE_SHARDS_MAX = 64;

/** A query message with its parsed body, for shards on this thread. The encoded message lacks `search`. */
type LocalQueryRequest = messages.QueryRequest & Pick<QueryPhaseRequest, 'search'>;

function queryMessage(
  { tasks }: CoordinatorContext,
  request: QueryPhaseRequest,
  attempts: readonly Attempt[],
): LocalQueryRequest {
  const { options } = request;
  const after = options.after.length === 0 ? options.after : attempts.map(({ target }) => options.after[target]!);
  return {
    targets: attempts.map(({ target }) => shardTarget(request.targets[target]!)),
    body: request.body,
    search: request.search,
    options: messages.encodeSearchOptions({ ...options, after }),
    nowMs: request.nowMs,
    fetch: request.fetch,
    keepContext: request.keepContext,
    keepAliveMs: request.keepAliveMs,
    maxConcurrent: request.maxConcurrentPerNode,
    statistics: request.statistics ?? undefined,
    caller: tasks.callerOf(request.taskId),
    totalShards: request.targets.length,
  };
}

/** Messages to one node, sent one after another. */
interface NodeQueue {
  readonly nodeId: string;
  readonly messages: Attempt[][];
}

/**
 * Groups attempts into messages for each node. Later pages of a scroll have one message a shard: a position belongs to
 * one shard, and a node may divide a message among its threads.
 */
function queues(request: QueryPhaseRequest, attempts: readonly Attempt[]): NodeQueue[] {
  const nodeOf = (attempt: Attempt): string => request.targets[attempt.target]!.nodeIds[attempt.copy]!;
  if (attempts.length === 1) return [{ nodeId: nodeOf(attempts[0]!), messages: [[attempts[0]!]] }];
  if (request.options.after.length > 0)
    return attempts.map((attempt) => ({ nodeId: nodeOf(attempt), messages: [[attempt]] }));
  const nodes = new Map<string, NodeQueue>();
  for (const attempt of attempts) {
    const nodeId = nodeOf(attempt);
    let queue = nodes.get(nodeId);
    if (!queue) nodes.set(nodeId, (queue = { nodeId, messages: [] }));
    const last = queue.messages.at(-1);
    if (last && last.length < MESSAGE_SHARDS_MAX) last.push(attempt);
    else queue.messages.push([attempt]);
  }
  return [...nodes.values()];
}

/** Collects answers and failures over the rounds of a phase. */
interface Progress {
  readonly answers: (ShardAnswer | null)[];
  /** Failures by target. */
  readonly failures: Map<number, SearchFailure>;
  readonly again: Attempt[];
  readonly bottomSortValue: BottomSortValue | null;
  readonly gathered: GatheredAnswers;
  skipped: number;
  /** Whether the search has failed. No more shards are asked, and later answers are dropped. */
  isOver: boolean;
}

function noteFailure(request: QueryPhaseRequest, attempt: Attempt, error: ApiError, progress: Progress): void {
  const target = request.targets[attempt.target]!;
  if (mayAnswerElsewhere(error) && attempt.copy + 1 < target.nodeIds.length) {
    progress.again.push({ target: attempt.target, copy: attempt.copy + 1 });
    return;
  }
  progress.failures.set(attempt.target, {
    shard: target.shard,
    index: target.indexName,
    nodeId: target.nodeIds[attempt.copy] ?? null,
    error,
  });
}

function take({ answers, bottomSortValue }: Progress, target: number, answer: ShardAnswer): void {
  answers[target] = answer;
  bottomSortValue?.add(answer);
}

/** Estimated memory of an answer besides its arrays. */
const ANSWER_BYTES = 64;
/** Estimated memory of a hit during the merge. */
const MERGED_HIT_BYTES = 64;
/** Factor by which decoded sort values take more memory than encoded ones. */
const DECODED_TIMES = 8;

/** Estimates the bytes of memory that an answer holds until the answer of the search is made. */
function bytesOf({
  docs,
  scores,
  sortValues,
  collapseValues,
  aggregations,
  suggest,
  profile,
  hits,
}: messages.ShardQueryResult): number {
  let bytes =
    ANSWER_BYTES +
    docs.length +
    (docs.length >> 2) * MERGED_HIT_BYTES +
    scores.length +
    sortValues.length * DECODED_TIMES;
  for (const part of [collapseValues, aggregations, suggest, profile]) if (part !== undefined) bytes += part.length;
  return bytes + renderedBytes(hits);
}

/** Sends a message to a node. If the node does not answer, records the failures of its shards and returns null. */
async function responseOf(
  context: CoordinatorContext,
  request: QueryPhaseRequest,
  nodeId: string,
  attempts: readonly Attempt[],
  progress: Progress,
): Promise<readonly messages.ShardQueryResult[] | null> {
  const answered = context.ranks.sent(nodeId);
  const sentAt = context.clock.monotonic();
  let response: messages.QueryResponse;
  try {
    response = await sendMessage(
      context.channel(nodeId),
      messages.methods.query,
      queryMessage(context, request, attempts),
      messageOptions(request),
    );
  } catch (thrown) {
    answered(null);
    request.signal.throwIfAborted();
    const error = context.apiError(thrown);
    for (const attempt of attempts) noteFailure(request, attempt, error, progress);
    return null;
  }
  const responseMs = context.clock.monotonic() - sentAt;
  answered({ responseMs, serviceMs: response.serviceMs ?? responseMs, queue: response.queue ?? 0 });
  return response.results;
}

async function askNode(
  context: CoordinatorContext,
  request: QueryPhaseRequest,
  nodeId: string,
  attempts: readonly Attempt[],
  progress: Progress,
): Promise<void> {
  const results = await responseOf(context, request, nodeId, attempts, progress);
  if (results === null) return;
  if (progress.isOver)
    return freeKept(
      context,
      request,
      results.map((result) => ({ result, nodeId })),
    );
  let bytes = 0;
  for (const result of results) {
    bytes += bytesOf(result);
    const attempt = attempts[result.target]!;
    if (result.error) noteFailure(request, attempt, errorOf(result.error), progress);
    else take(progress, attempt.target, { result, nodeId });
  }
  progress.gathered.add(bytes);
}

async function askInTurn(
  context: CoordinatorContext,
  request: QueryPhaseRequest,
  { nodeId, messages: batches }: NodeQueue,
  progress: Progress,
): Promise<void> {
  for (const attempts of batches) {
    if (progress.isOver) return;
    const { bottomSortValue } = progress;
    const wanted =
      bottomSortValue === null ? attempts : attempts.filter(({ target }) => !bottomSortValue.isBeyond(target));
    progress.skipped += attempts.length - wanted.length;
    if (wanted.length > 0) await askNode(context, request, nodeId, wanted, progress);
  }
}

/**
 * Searches the shards of this node after the messages to other nodes are sent, so that all nodes work at the same time.
 */
async function askAfterOthers(
  context: CoordinatorContext,
  request: QueryPhaseRequest,
  queue: NodeQueue,
  progress: Progress,
): Promise<void> {
  await new Promise<void>((resolve) => context.clock.turnEnd(resolve));
  await askInTurn(context, request, queue, progress);
}

/** Reports to the ranks which node was chosen for each shard, and which were not. */
function notePassedOver({ ranks }: CoordinatorContext, targets: readonly TargetShard[]): void {
  if (targets.length === 1 && targets[0]!.nodeIds.length < 2) return;
  const seen = new Set<string>();
  for (const { nodeIds } of targets) {
    if (nodeIds.length < 2 || seen.has(nodeIds[0]!)) continue;
    seen.add(nodeIds[0]!);
    ranks.passedOver(nodeIds[0]!, nodeIds.slice(1));
  }
}

/**
 * Asks one copy of every shard, the shards of a node in one message. If a copy fails, the next one is asked. `skipping`
 * has the shards to skip and the order of the others.
 */
export async function runQueryPhase(
  context: CoordinatorContext,
  request: QueryPhaseRequest,
  gathered: GatheredAnswers,
  skipping: ShardSkipping | null = null,
): Promise<QueryPhaseResult> {
  const progress: Progress = {
    answers: new Array<ShardAnswer | null>(request.targets.length).fill(null),
    failures: new Map(),
    again: [],
    bottomSortValue: skipping?.bottomSortValue ?? null,
    gathered,
    skipped: skipping?.canMatch.skipped.size ?? 0,
    isOver: false,
  };
  let attempts: Attempt[] = [];
  for (const target of skipping?.canMatch.order ?? request.targets.keys()) {
    if (request.targets[target]!.nodeIds.length === 0) progress.failures.set(target, noCopy(request.targets[target]!));
    else attempts.push({ target, copy: 0 });
  }
  while (attempts.length > 0) {
    await askAll(context, request, attempts, progress);
    attempts = progress.again.splice(0);
  }
  notePassedOver(context, request.targets);
  return { answers: progress.answers, failures: inOrder(progress.failures), skipped: progress.skipped };
}

/**
 * Sends all messages and waits for the answers. Throws if the client has disconnected, or if the answers take too much
 * memory.
 */
async function askAll(
  context: CoordinatorContext,
  request: QueryPhaseRequest,
  attempts: readonly Attempt[],
  progress: Progress,
): Promise<void> {
  try {
    const asked = queues(request, attempts);
    const isOwn = ({ nodeId }: NodeQueue): boolean => nodeId === context.localNodeId;
    const askOwn = asked.every(isOwn) ? askInTurn : askAfterOthers;
    await Promise.all(asked.map((queue) => (isOwn(queue) ? askOwn : askInTurn)(context, request, queue, progress)));
  } catch (error) {
    progress.isOver = true;
    freeKept(context, request, progress.answers);
    throw error;
  }
}
