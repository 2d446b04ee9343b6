import type { StoreAtRest, WantedIdentity } from '@shoal/store';
import type { CopyGroup } from '../primary.js';
import type { RecoveryProgress } from '../recovery-progress.js';

/** What the applied cluster state says about one copy of this node and its shard. */
export interface CopyView {
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly isPrimary: boolean;
  readonly isStarted: boolean;
  /** The copy takes over from a primary that moves: the primary's term goes on here. */
  readonly takesOver: boolean;
  /** Operators made the copy primary, whatever its store lacks. */
  readonly isForced: boolean;
  readonly recoverySource: RecoveryProgress['type'] | null;
  readonly term: number;
  readonly group: CopyGroup;
  /** Node of the active primary; null if there is none, also on the primary's node. */
  readonly primaryNodeId: string | null;
}

/** Identity that the store of the copy has to have or gets. */
export function identityOf({ allocationId, group }: CopyView): WantedIdentity {
  return { allocationId, inSync: group.inSync };
}

/**
 * Identity of the store that a primary opens. A primary that has been one before is never made anew: an empty store in
 * its place would lose everything.
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

/** Whether the copy may exist without its store being opened, if the store was closed in order (ADR 0008). */
export function mayRest(view: CopyView): boolean {
  const { recoverySource, isForced, isStarted } = view;
  return recoverySource === 'EXISTING_STORE' && !isForced && !isStarted && isAlone(view);
}

/** Whether `found` is the store of this very copy, closed in order. */
export function isOwnStoreAtRest({ allocationId }: CopyView, found: StoreAtRest | null): found is StoreAtRest {
  return Boolean(found?.note) && found!.info.allocationId === allocationId && found!.info.previousAllocationId === null;
}
