import { errors } from '@shoal/errors';
import type { AllocationContext } from '../allocation/context.js';
import { primaryOf } from '../allocation/copies.js';
import { retryAtMs } from '../allocation/delays.js';
import type { ClusterState, ShardRouting, UnassignedInfo } from '@shoal/state';
import { promotionOrder } from '../allocation/promotion-order.js';
import { nodeLeftDelayMs } from '../allocation/lost-nodes.js';
import { ShardEdits } from '../allocation/shard-edits.js';
import { failCopy, type ShardGroup, startCopy, withoutInSync, yieldPrimary } from '../allocation/shard-group.js';
import { ACKNOWLEDGED, defineTask, type TaskContext, type TaskResult } from './task.js';

/** A copy as its node or primary reports it. */
export interface ShardStartedBody {
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  /** Primary term of the reporter. A report with a lower term than that of the state is refused. */
  readonly primaryTerm?: number;
}

/** Body of `shardFailed`. */
export interface ShardFailedBody extends ShardStartedBody {
  /**
   * Whether the copy lacks operations that were acknowledged without it. It then leaves the in-sync set, assigned or
   * not.
   */
  readonly markStale?: boolean;
  /** The failure, as the node encoded it. */
  readonly failure?: { readonly type: string; readonly reason: string | null };
}

/** Body of `yieldPrimaryTask`. */
export type YieldPrimaryBody = ShardStartedBody;

function copyOf(group: ShardGroup, allocationId: string): ShardRouting | undefined {
  return group.copies.find((copy) => copy.allocationId === allocationId);
}

/** Throws no_longer_primary_shard_exception if the report is of a primary that has been replaced. */
function checkTerm(state: ClusterState, group: ShardGroup, { indexUuid, shard, primaryTerm }: ShardStartedBody): void {
  if (primaryTerm === undefined || primaryTerm >= group.term) return;
  const meta = state.indices.get(indexUuid);
  throw errors.noLongerPrimaryShard(
    `primary term [${primaryTerm}] did not match current primary term [${group.term}]`,
    {
      meta: { index_uuid: indexUuid, shard: String(shard), index: meta?.name ?? null },
    },
  );
}

/** Starts the copies of many reports, copying each index once. Reports of started or missing copies change nothing. */
function startAll(state: ClusterState, bodies: readonly ShardStartedBody[], context: TaskContext): TaskResult {
  const edits = new ShardEdits(state);
  for (const { indexUuid, shard, allocationId, primaryTerm } of bodies) {
    const group = edits.group(indexUuid, shard);
    const copy = group && copyOf(group, allocationId);
    // A copy that recovered from the primary of an earlier term may lack operations: it has to report again in the new
    // term.
    if (group && copy?.state === 'INITIALIZING' && (primaryTerm ?? group.term) >= group.term)
      edits.set(
        indexUuid,
        shard,
        startCopy(group, copy, () => context.newUuid()),
      );
  }
  const next = edits.finish();
  return { state: next, answer: ACKNOWLEDGED, ...(next === state ? {} : { reroute: 'all' as const }) };
}

/** Marks a copy as started, on the report of its node. */
export const shardStarted = defineTask<ShardStartedBody>({
  name: 'shard-started',
  priority: 'URGENT',
  source: ({ indexUuid, shard }) => `shard-started [${indexUuid}][${shard}]`,
  apply: (state, body, context) => startAll(state, [body], context),
  applyAll: startAll,
});

function failedInfo(copy: ShardRouting, body: ShardFailedBody, context: AllocationContext): UnassignedInfo {
  const wasTrying = copy.state === 'INITIALIZING';
  const failedAttempts = (wasTrying ? (copy.unassigned?.failedAttempts ?? 0) : 0) + 1;
  const nodeId = copy.nodeId ?? '';
  const why = body.failure ? `${body.failure.type}: ${body.failure.reason}` : 'the copy did not take an operation';
  const retryAt = retryAtMs(failedAttempts, context.nowMs);
  return {
    reason: 'ALLOCATION_FAILED',
    atMs: context.nowMs,
    details: `failed shard on node [${nodeId}]: ${why}`,
    failedAttempts,
    lastNodeId: nodeId,
    failedNodeIds: [...new Set([...(wasTrying ? (copy.unassigned?.failedNodeIds ?? []) : []), nodeId])],
    ...(retryAt === null ? {} : { retryAtMs: retryAt }),
  };
}

function failed(state: ClusterState, body: ShardFailedBody, context: TaskContext): TaskResult {
  const edits = new ShardEdits(state);
  const group = edits.group(body.indexUuid, body.shard);
  if (!group) return { state, answer: ACKNOWLEDGED };
  checkTerm(state, group, body);
  const copy = copyOf(group, body.allocationId);
  const without = copy ? failCopy(group, copy, failedInfo(copy, body, context), promotionOrder(state, context)) : group;
  const next = body.markStale === true ? withoutInSync(without, body.allocationId) : without;
  if (next === group) return { state, answer: ACKNOWLEDGED };
  edits.set(body.indexUuid, body.shard, next);
  return { state: edits.finish(), answer: ACKNOWLEDGED, reroute: 'all' };
}

/** Removes a failed copy from its node, or from the in-sync set. */
export const shardFailed = defineTask<ShardFailedBody>({
  name: 'shard-failed',
  priority: 'IMMEDIATE',
  source: ({ indexUuid, shard }) => `shard-failed [${indexUuid}][${shard}]`,
  apply: failed,
});

function restartInfo(state: ClusterState, copy: ShardRouting, nowMs: number): UnassignedInfo {
  const delayMs = nodeLeftDelayMs(state.indices.get(copy.indexUuid)?.settings ?? {});
  const nodeId = copy.nodeId ?? '';
  return {
    reason: 'NODE_RESTARTING',
    atMs: nowMs,
    details: `node_left [${nodeId}]`,
    failedAttempts: 0,
    lastNodeId: nodeId,
    ...(delayMs > 0 ? { delayedUntilMs: nowMs + delayMs } : {}),
  };
}

function yieldTo(state: ClusterState, body: YieldPrimaryBody, context: TaskContext): TaskResult {
  const edits = new ShardEdits(state);
  const group = edits.group(body.indexUuid, body.shard);
  const primary = group && primaryOf(group.copies);
  if (!group || primary?.allocationId !== body.allocationId)
    return { state, answer: { ...ACKNOWLEDGED, yielded: false } };
  checkTerm(state, group, body);
  const next = yieldPrimary(group, restartInfo(state, primary, context.nowMs), promotionOrder(state, context));
  if (!next) return { state, answer: { ...ACKNOWLEDGED, yielded: false } };
  edits.set(body.indexUuid, body.shard, next);
  return { state: edits.finish(), answer: { ...ACKNOWLEDGED, yielded: true } };
}

/**
 * Moves the role of primary from a node that ends to an in-sync replica. The old copy stays in sync, so that it can
 * return without copying.
 */
export const yieldPrimaryTask = defineTask<YieldPrimaryBody>({
  name: 'yield-primary',
  priority: 'IMMEDIATE',
  source: ({ indexUuid, shard }) => `yield-primary [${indexUuid}][${shard}]`,
  apply: yieldTo,
});
