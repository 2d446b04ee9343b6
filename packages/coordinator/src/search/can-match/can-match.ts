import { sendMessage } from '@shoal/doors';
import { shard as messages } from '@shoal/protocol';
import type { CoordinatorContext } from '../../context.js';
import { messageOptions, type QueryPhaseRequest, shardTarget } from '../query-phase/phase-request.js';
import type { RunningSearch } from '../running-search.js';
import type { Bounds, CanMatchResults } from './shard-skipping.js';

/** Default of `pre_filter_shard_size`: searches of at most this many shards have no can_match phase. */
const SHARDS_MAX = 128;

/** Whether a can_match phase may skip shards. */
function isWorthwhile({ request, plan, targets }: RunningSearch): boolean {
  if (targets.length <= (request.preFilterShardSize ?? SHARDS_MAX) || request.searchType !== 'query_then_fetch')
    return false;
  const hasSort = plan.orders?.[0]?.kind === 'field';
  return hasSort || (plan.query !== null && !plan.needsAllShards);
}

async function askNode(
  context: CoordinatorContext,
  phase: QueryPhaseRequest,
  nodeId: string,
  positions: readonly number[],
  results: (messages.CanMatchResult | null)[],
): Promise<void> {
  const request: messages.CanMatchRequest = {
    targets: positions.map((i) => shardTarget(phase.targets[i]!)),
    body: phase.body,
    options: messages.encodeSearchOptions(phase.options),
    nowMs: phase.nowMs,
  };
  try {
    const channel = context.channel(nodeId);
    const answer = await sendMessage(channel, messages.methods.canMatch, request, messageOptions(phase));
    for (const result of answer.results) results[positions[result.target]!] = result;
  } catch {
    // Shards without a result are searched.
    phase.signal.throwIfAborted();
  }
}

function byNode(phase: QueryPhaseRequest): Map<string, number[]> {
  const nodes = new Map<string, number[]>();
  phase.targets.forEach(({ nodeIds }, i) => {
    const [nodeId] = nodeIds;
    if (nodeId === undefined) return;
    const positions = nodes.get(nodeId);
    if (positions) positions.push(i);
    else nodes.set(nodeId, [i]);
  });
  return nodes;
}

/** Sorts targets by their bounds, best first. Targets with unknown bounds come before all others. */
function ordered(positions: number[], bounds: readonly (Bounds | null)[], isDescending: boolean): number[] {
  const key = (i: number): number =>
    bounds[i] ? (isDescending ? -bounds[i].max : bounds[i].min) : Number.NEGATIVE_INFINITY;
  return positions.sort((a, b) => key(a) - key(b) || a - b);
}

/**
 * Asks the shards of a large search whether they can match. Null if the phase could skip nothing. One shard is always
 * searched, so that the answer has its usual form.
 */
export async function canMatchPhase(
  context: CoordinatorContext,
  search: RunningSearch,
  phase: QueryPhaseRequest,
): Promise<CanMatchResults | null> {
  if (!isWorthwhile(search)) return null;
  const results = new Array<messages.CanMatchResult | null>(phase.targets.length).fill(null);
  await Promise.all(
    [...byNode(phase)].map(([nodeId, positions]) => askNode(context, phase, nodeId, positions, results)),
  );
  const all = phase.targets.map((_, i) => i);
  const skipped = new Set(search.plan.needsAllShards ? [] : all.filter((i) => results[i]?.matches === false));
  if (skipped.size === all.length) skipped.delete(0);
  const bounds = results.map((result): Bounds | null =>
    result?.min === undefined || result.max === undefined ? null : { min: result.min, max: result.max },
  );
  const first = search.plan.orders?.[0];
  const left = all.filter((i) => !skipped.has(i));
  return { skipped, order: first?.kind === 'field' ? ordered(left, bounds, first.order === 'desc') : left, bounds };
}
