import type { StoreAtRest, WantedIdentity } from '@shoal/store';
import type { CopyGroup } from '../primary.js';
import type { RecoveryProgress } from '../recovery-progress.js';

/** What the applied cluster state says about one copy on this node, and about its shard. */
export interface CopyView {
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly isPrimary: boolean;
  readonly isStarted: boolean;
  /** Whether the copy is the target of a moving primary; it then leads the same term. */
  readonly takesOver: boolean;
  /** Whether an operator forced the copy to be primary, whatever its store lacks. */
  readonly isForced: boolean;
  readonly recoverySource: RecoveryProgress['type'] | null;
  readonly term: number;
  readonly group: CopyGroup;
  /** Node of the active primary; null if there is none, also on the primary's node. */
  readonly primaryNodeId: string | null;
}

/** Returns the identity that the copy's store must have, or gets when it is created. */
export function identityOf({ allocationId, group }: CopyView): WantedIdentity {
  return { allocationId, inSync: group.inSync };
}

/**
 * Returns the identity of the store that a primary opens. The store of a former primary is never created anew: an empty
 * store in its place would lose everything.
 */
export function primaryIdentityOf(view: CopyView): WantedIdentity {
  const { allocationId, recoverySource, isForced, isStarted, group } = view;
  if (recoverySource !== 'EXISTING_STORE' || isStarted) return identityOf(view);
  return {
    ...identityOf(view),
    existing: group.inSync.includes(allocationId) && !isForced ? 'own' : 'any',
    beginsHistory: isForced,
  };
}

/** Whether no other copy exists, and none is in sync. */
export function isAlone({ allocationId, group }: CopyView): boolean {
  return group.copies.length === 0 && group.inSync.every((id) => id === allocationId);
}

/** Whether opening the copy's store may be deferred, if it was closed cleanly (ADR 0008). */
export function mayRest(view: CopyView): boolean {
  const { recoverySource, isForced, isStarted } = view;
  return recoverySource === 'EXISTING_STORE' && !isForced && !isStarted && isAlone(view);
}

/** Whether `found` is the cleanly closed store of this allocation id. */
export function isOwnStoreAtRest({ allocationId }: CopyView, found: StoreAtRest | null): found is StoreAtRest {
  return Boolean(found?.note) && found!.info.allocationId === allocationId && found!.info.previousAllocationId === null;
}
