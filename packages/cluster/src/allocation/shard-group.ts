import { type ShardRouting, type UnassignedInfo, isActive, isRelocationTarget } from '@shoal/state';
import { primaryOf } from './copies.js';

/** One shard in the state: its copies, primary term and in-sync set. Immutable. */
export interface ShardGroup {
  readonly copies: readonly ShardRouting[];
  readonly term: number;
  /** In-sync allocation ids. Never becomes empty again after the first id. */
  readonly inSync: readonly string[];
}

/** Order in which in-sync replicas are promoted: the first one becomes primary. */
export type PromotionOrder = (a: ShardRouting, b: ShardRouting) => number;

function replace(group: ShardGroup, old: ShardRouting, next: ShardRouting | null): ShardGroup {
  const copies = next
    ? group.copies.map((copy) => (copy === old ? next : copy))
    : group.copies.filter((copy) => copy !== old);
  return { ...group, copies };
}

/** Returns the other entry of a relocation; undefined if the copy does not relocate. */
function counterpart(group: ShardGroup, copy: ShardRouting): ShardRouting | undefined {
  if (copy.relocatingNodeId === null) return undefined;
  return group.copies.find(
    (other) => other !== copy && other.nodeId === copy.relocatingNodeId && other.relocatingNodeId === copy.nodeId,
  );
}

/** Returns what an unassigned copy will recover from. */
function sourceAfterLoss(group: ShardGroup, copy: ShardRouting): ShardRouting['recoverySource'] {
  if (!copy.primary) return 'PEER';
  if (group.inSync.length > 0) return 'EXISTING_STORE';
  return copy.recoverySource ?? 'EXISTING_STORE';
}

function lost(group: ShardGroup, copy: ShardRouting, info: UnassignedInfo): ShardRouting {
  const { isForced: _forced, relocationFailures: _failures, ...rest } = copy;
  return {
    ...rest,
    state: 'UNASSIGNED',
    nodeId: null,
    relocatingNodeId: null,
    allocationId: null,
    recoverySource: sourceAfterLoss(group, copy),
    unassigned: info,
  };
}

/** Cancels a relocation: removes the target and returns the source to STARTED. `hasFailed` counts a failure. */
function cancelMove(group: ShardGroup, target: ShardRouting, hasFailed = false): ShardGroup {
  const source = counterpart(group, target);
  const without = replace(group, target, null);
  if (!source) return without;
  const failures = hasFailed ? { relocationFailures: (source.relocationFailures ?? 0) + 1 } : {};
  return replace(without, source, { ...source, ...failures, state: 'STARTED', relocatingNodeId: null });
}

/** Removes the copies that recovered from a lost primary from their nodes. */
function failRecoveringReplicas(group: ShardGroup, info: UnassignedInfo): ShardGroup {
  const doomed = group.copies.filter((copy) => copy.state === 'INITIALIZING' && !copy.primary);
  return doomed.reduce((next, copy) => {
    if (isRelocationTarget(copy)) return cancelMove(next, copy);
    return replace(
      next,
      copy,
      lost(next, copy, {
        ...info,
        reason: 'PRIMARY_FAILED',
        details: 'primary failed while replica initializing',
        failedAttempts: 0,
      }),
    );
  }, group);
}

/** Makes a replica the primary and puts it first; the other copies keep their order. */
function promote(group: ShardGroup, promoted: ShardRouting): ShardGroup {
  const others = group.copies
    .filter((copy) => copy !== promoted)
    .map((copy): ShardRouting => (copy.primary ? { ...copy, primary: false, recoverySource: 'PEER' } : copy));
  return { ...group, copies: [{ ...promoted, primary: true }, ...others] };
}

function failPrimary(
  group: ShardGroup,
  primary: ShardRouting,
  info: UnassignedInfo,
  order: PromotionOrder,
): ShardGroup {
  const target = counterpart(group, primary);
  const alone = target ? replace(group, target, null) : group;
  const orphaned = failRecoveringReplicas(replace(alone, primary, lost(group, primary, info)), withoutDelay(info));
  const candidates = orphaned.copies.filter(
    (copy) => !copy.primary && isActive(copy) && orphaned.inSync.includes(copy.allocationId ?? ''),
  );
  const [promoted] = candidates.sort(order);
  const next = { ...orphaned, term: orphaned.term + 1 };
  return promoted ? promote(next, promoted) : next;
}

function withoutDelay({ delayedUntilMs: _delay, retryAtMs: _retry, ...info }: UnassignedInfo): UnassignedInfo {
  return info;
}

function failReplica(group: ShardGroup, replica: ShardRouting, info: UnassignedInfo): ShardGroup {
  const target = counterpart(group, replica);
  if (!target) return replace(group, replica, lost(group, replica, info));
  // The target copies from the primary, not from its source. It continues as a copy of its own.
  return replace(replace(group, replica, null), target, {
    ...target,
    relocatingNodeId: null,
    unassigned: withoutDelay(info),
  });
}

/**
 * Removes a copy from its node. If the primary is lost, an in-sync replica is promoted in a new term; without one the
 * primary waits for its store.
 */
export function failCopy(
  group: ShardGroup,
  copy: ShardRouting,
  info: UnassignedInfo,
  order: PromotionOrder,
): ShardGroup {
  if (isRelocationTarget(copy)) return cancelMove(group, copy, info.failedAttempts > 0);
  return copy.primary ? failPrimary(group, copy, info, order) : failReplica(group, copy, info);
}

/** Removes an id from the in-sync set, unless it is the last one. */
export function withoutInSync(group: ShardGroup, allocationId: string): ShardGroup {
  const inSync = group.inSync.filter((id) => id !== allocationId);
  return inSync.length === group.inSync.length || inSync.length === 0 ? group : { ...group, inSync };
}

/** Removes in-sync ids without a copy while there are more ids than copies. */
export function trimmed(inSync: readonly string[], copies: readonly ShardRouting[]): readonly string[] {
  const max = copies.filter((copy) => !isRelocationTarget(copy)).length;
  if (inSync.length <= max) return inSync;
  const assigned = new Set(copies.map((copy) => copy.allocationId));
  const spare = inSync.length - max;
  const stale = new Set(inSync.filter((id) => !assigned.has(id)).slice(0, spare));
  return inSync.filter((id) => !stale.has(id));
}

function admit(group: ShardGroup, copy: ShardRouting): ShardGroup {
  const id = copy.allocationId ?? '';
  if (group.inSync.includes(id)) return group;
  // A primary that starts without being in sync is empty, forced, or was restored: no other copy has its history.
  return { ...group, inSync: copy.primary ? [id] : trimmed([...group.inSync, id], group.copies) };
}

/** Restarts the recoveries from a primary that has moved: they continue from its new node. */
function restartRecoveries(group: ShardGroup, newUuid: () => string): ShardGroup {
  const recovering = group.copies.filter((copy) => copy.state === 'INITIALIZING' && !copy.primary);
  return recovering.reduce(
    (next, copy) =>
      isRelocationTarget(copy) ? cancelMove(next, copy) : replace(next, copy, { ...copy, allocationId: newUuid() }),
    group,
  );
}

function finishMove(group: ShardGroup, target: ShardRouting, source: ShardRouting, newUuid: () => string): ShardGroup {
  const { relocationFailures: _failures, ...rest } = target;
  const moved: ShardRouting = {
    ...rest,
    state: 'STARTED',
    relocatingNodeId: null,
    recoverySource: null,
    unassigned: null,
  };
  const placed = replace(replace(group, target, null), source, moved);
  const inSync = [
    ...placed.inSync.filter((id) => id !== source.allocationId && id !== moved.allocationId),
    moved.allocationId ?? '',
  ];
  const next = { ...placed, inSync };
  return moved.primary ? restartRecoveries(next, newUuid) : next;
}

/** Marks an initializing copy as started and in sync. The target of a relocation replaces its source. */
export function startCopy(group: ShardGroup, copy: ShardRouting, newUuid: () => string): ShardGroup {
  if (copy.state !== 'INITIALIZING') return group;
  const source = counterpart(group, copy);
  if (source) return finishMove(group, copy, source, newUuid);
  const { isForced: _forced, ...rest } = copy;
  const started: ShardRouting = { ...rest, state: 'STARTED', recoverySource: null, unassigned: null };
  return admit(replace(group, copy, started), started);
}

/**
 * Promotes an in-sync replica in a new term and removes the former primary from its node. Null if there is no such
 * replica.
 */
export function yieldPrimary(group: ShardGroup, info: UnassignedInfo, order: PromotionOrder): ShardGroup | null {
  const primary = primaryOf(group.copies);
  const hasCandidate = group.copies.some(
    (copy) => !copy.primary && isActive(copy) && group.inSync.includes(copy.allocationId ?? ''),
  );
  return primary && isActive(primary) && hasCandidate ? failPrimary(group, primary, info, order) : null;
}
