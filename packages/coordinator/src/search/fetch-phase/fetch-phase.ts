import { type Value, encodeValue } from '@shoal/codec';
import { sendMessage } from '@shoal/doors';
import { shard as messages } from '@shoal/protocol';
import type { CoordinatorContext } from '../../context.js';
import { encodeJson } from '../../json-bytes.js';
import type { GatheredAnswers } from '../query-phase/gathered-answers.js';
import type { MergedHit } from '../query-phase/merge-hits.js';
import { messageOptions, type QueryPhaseRequest, type ShardAnswer } from '../query-phase/phase-request.js';
import { renderedBytes } from '../query-phase/rendered-bytes.js';
import type { SearchFailure } from '../search-failure.js';

/** Winners of one shard and their places on the page. */
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

/** A fetch message that a shard on this thread takes with its body parsed; its bytes leave that out. */
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
    },
    body: request.body,
    search: request.search,
    options: encodeJson(request.options),
    nowMs: request.nowMs,
    docs: bytesOf(docs),
    scores,
    sortValues,
    freeContext: !request.options.isScroll && !request.options.isPit,
    caller: tasks.callerOf(request.taskId),
    total: answer.result.total,
    totalIsLowerBound: answer.result.totalIsLowerBound,
    totalShards: request.targets.length,
  };
}

/**
 * Frees reader contexts of shards, save those that their fetch frees. Failures are of no consequence: contexts expire.
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
 * Frees the reader contexts that a search that fails has kept for its fetch phase or next page; those of a scroll that
 * is read on stay.
 */
export function freeKept(
  context: CoordinatorContext,
  request: QueryPhaseRequest,
  answers: readonly (ShardAnswer | null)[],
): void {
  if (request.keepContext && !request.options.after) freeAnswers(context, answers, request.targets[0]?.owner);
}

/** Frees reader contexts of a node; returns how many there were. */
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
 * Hits of the page as rendered JSON, in order. A shard that fails here leaves its hits out. Throws when there is no
 * room for what all searches hold.
 */
export async function runFetchPhase(
  context: CoordinatorContext,
  request: QueryPhaseRequest,
  answers: readonly (ShardAnswer | null)[],
  page: readonly MergedHit[],
  gathered: GatheredAnswers,
): Promise<{ readonly hits: Uint8Array[]; readonly failures: readonly SearchFailure[] }> {
  const groups = groupWinners(page);
  const rendered = new Array<Uint8Array | undefined>(page.length);
  const failures: SearchFailure[] = [];
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
        failures.push({
          shard: target.shard,
          index: target.indexName,
          nodeId: answer.nodeId,
          error: context.apiError(thrown),
        });
      }
      gathered.add(renderedBytes(hits));
      hits.forEach((hit, i) => (rendered[group.positions[i]!] = hit));
    }),
  );
  return { hits: rendered.filter((hit) => hit !== undefined), failures };
}
