import { type Value, encodeValue } from '@shoal/codec';
import { sendMessage } from '@shoal/doors';
import { shard as messages } from '@shoal/protocol';
import type { CoordinatorContext } from '../../context.js';
import type { GatheredAnswers } from '../query-phase/gathered-answers.js';
import type { MergedHit } from '../query-phase/merge-hits.js';
import { messageOptions, type QueryPhaseRequest, type ShardAnswer } from '../query-phase/phase-request.js';
import { withNode } from './explained-hits.js';
import { renderedBytes } from '../query-phase/rendered-bytes.js';
import { inOrder, type SearchFailure } from '../search-failure.js';

/** Hits of one shard on the page, with their positions on it. */
interface ShardWinners {
  readonly target: number;
  readonly winners: MergedHit[];
  readonly positions: number[];
}

const NONE = new Uint8Array(0);

function bytesOf(array: Int32Array | Float32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function groupWinners(page: readonly MergedHit[]): ShardWinners[] {
  const groups = new Map<number, ShardWinners>();
  page.forEach((hit, position) => {
    const { target } = hit.hits;
    if (!groups.has(target)) groups.set(target, { target, winners: [], positions: [] });
    groups.get(target)!.winners.push(hit);
    groups.get(target)!.positions.push(position);
  });
  return [...groups.values()];
}

/** A fetch message with its parsed body, for shards on this thread. The encoded message lacks `search`. */
type LocalFetchRequest = messages.FetchRequest & Pick<QueryPhaseRequest, 'search'>;

function fetchMessage(
  { tasks }: CoordinatorContext,
  request: QueryPhaseRequest,
  answer: ShardAnswer,
  group: ShardWinners,
): LocalFetchRequest {
  const target = request.targets[group.target]!;
  const { hits } = group.winners[0]!;
  const docs = Int32Array.from(group.winners, ({ at }) => hits.docs[at]!);
  const scores = hits.scores === null ? NONE : bytesOf(Float32Array.from(group.winners, ({ at }) => hits.scores![at]!));
  const sortValues =
    hits.sortValues === null ? NONE : encodeValue(group.winners.map(({ at }): Value => hits.sortValues![at]!));
  return {
    target: {
      shard: { indexUuid: target.indexUuid, shard: target.shard },
      indexName: target.indexName,
      filter: target.filter,
      boost: target.boost,
      context: answer.result.context ?? target.reader ?? undefined,
      access: target.access,
      owner: target.owner,
      nearest: target.nearest === undefined ? undefined : { counts: [...target.nearest] },
    },
    body: request.body,
    search: request.search,
    options: messages.encodeSearchOptions(request.options),
    nowMs: request.nowMs,
    docs: bytesOf(docs),
    scores,
    sortValues,
    freeContext: !request.options.isScroll && !request.options.isPit,
    caller: tasks.callerOf(request.taskId),
    total: answer.result.total,
    totalIsLowerBound: answer.result.totalIsLowerBound,
    totalShards: request.targets.length,
    statistics: request.search.fetch.explain ? (request.statistics ?? undefined) : undefined,
  };
}

/**
 * Closes reader contexts of shards, except those that the fetch phase closes. Errors are ignored, as contexts expire.
 */
function freeAnswers(
  context: CoordinatorContext,
  answers: readonly (ShardAnswer | null)[],
  owner: string | undefined,
  fetched?: ReadonlySet<number>,
): void {
  const byNode = new Map<string, string[]>();
  answers.forEach((answer, target) => {
    if (!answer?.result.context || fetched?.has(target)) return;
    const contexts = byNode.get(answer.nodeId);
    if (contexts) contexts.push(answer.result.context);
    else byNode.set(answer.nodeId, [answer.result.context]);
  });
  for (const [nodeId, contexts] of byNode) void freeContexts(context, nodeId, contexts, owner);
}

/**
 * Closes the reader contexts that a failed search kept for its fetch phase or next page; contexts of earlier scroll
 * pages stay.
 */
export function freeKept(
  context: CoordinatorContext,
  request: QueryPhaseRequest,
  answers: readonly (ShardAnswer | null)[],
): void {
  if (request.keepContext && request.options.after.length === 0)
    freeAnswers(context, answers, request.targets[0]?.owner);
}

/** Closes reader contexts of a node. Returns the number closed. */
export async function freeContexts(
  context: CoordinatorContext,
  nodeId: string,
  contexts: readonly string[],
  owner?: string,
): Promise<number> {
  try {
    const request = { contexts: [...contexts], owner };
    return (await sendMessage(context.channel(nodeId), messages.methods.freeContexts, request)).freed;
  } catch (error) {
    context.log.write('debug', 'failed to free reader contexts', { 'error.message': context.apiError(error).message });
    return 0;
  }
}

/**
 * Fetches the hits of the page as rendered JSON, in order; `shown` changes a hit at its position. Hits of a shard that
 * fails are left out. Throws circuit_breaking_exception if all searches together hold too many bytes.
 */
export async function runFetchPhase(
  context: CoordinatorContext,
  request: QueryPhaseRequest,
  answers: readonly (ShardAnswer | null)[],
  page: readonly MergedHit[],
  gathered: GatheredAnswers,
  shown: (hit: Uint8Array, position: number) => Uint8Array = (hit) => hit,
): Promise<{ readonly hits: Uint8Array[]; readonly failures: readonly SearchFailure[] }> {
  const groups = groupWinners(page);
  const rendered = new Array<Uint8Array | undefined>(page.length);
  const failures = new Map<number, SearchFailure>();
  if (!request.options.isScroll && !request.options.isPit)
    freeAnswers(context, answers, request.targets[0]?.owner, new Set(groups.map((group) => group.target)));
  await Promise.all(
    groups.map(async (group) => {
      const answer = answers[group.target]!;
      let hits: readonly Uint8Array[] = [];
      try {
        const message = fetchMessage(context, request, answer, group);
        ({ hits } = await sendMessage(
          context.channel(answer.nodeId),
          messages.methods.fetch,
          message,
          messageOptions(request),
        ));
      } catch (thrown) {
        request.signal.throwIfAborted();
        const target = request.targets[group.target]!;
        failures.set(group.target, {
          shard: target.shard,
          index: target.indexName,
          nodeId: answer.nodeId,
          error: context.apiError(thrown),
        });
      }
      gathered.add(renderedBytes(hits));
      withNode(hits, answer.nodeId).forEach((hit, i) => {
        const position = group.positions[i]!;
        rendered[position] = shown(hit, position);
      });
    }),
  );
  return { hits: rendered.filter((hit) => hit !== undefined), failures: inOrder(failures) };
}
