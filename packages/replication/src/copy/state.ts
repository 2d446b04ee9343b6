import type { recovery } from '@shoal/protocol';
import type { StoreAtRest, WantedIdentity } from '@shoal/store';
import type { CopyGroup } from '../primary.js';
import type { CopyView } from './copy-view.js';

/** Where a recovery is (R0 to R7, docs/internals/cluster.md §5.6). */
export type RecoveryStage =
  /** R0: the own store is opened and verified. */
  | { readonly name: 'opening' }
  /** R1, R2. */
  | { readonly name: 'asking' }
  /** R3, R4. */
  | { readonly name: 'copying'; readonly answer: recovery.StartAnswer }
  /** R0 again, on the files that `answer` brought. */
  | { readonly name: 'reopening'; readonly answer: recovery.StartAnswer }
  /** R1 again, for the operations behind these files. */
  | { readonly name: 'askingAgain'; readonly answer: recovery.StartAnswer }
  /** R5, R6. */
  | { readonly name: 'counting' }
  /** The primary of `term` is asked to hand its role over (docs/internals/cluster.md §5.7). */
  | { readonly name: 'takingOver'; readonly term: number }
  /** The attempt failed; the next begins when a timer fires. */
  | { readonly name: 'waiting' };

/** Where a copy is in its life. Only `failed` and `closed` are final. */
export type CopyPhase =
  /** Becomes a primary from what is on disk, or from nothing. */
  | {
      readonly name: 'opening';
      readonly stage: 'looking' | 'clearing' | 'opening' | 'preparing';
      /** No other copy was there when the opening began: what is on disk is all that there is. */
      readonly isAlone: boolean;
    }
  /** A primary whose store nobody has needed yet (ADR 0008). */
  | { readonly name: 'resting'; readonly found: StoreAtRest }
  | { readonly name: 'waking'; readonly found: StoreAtRest }
  /** Becomes a replica. `failures`: attempts that failed, in a row. */
  | { readonly name: 'recovering'; readonly stage: RecoveryStage; readonly failures: number }
  /** A replica that was counted by its primary. */
  | { readonly name: 'following' }
  /** `term` is being synced; then the copy is its primary. */
  | { readonly name: 'starting'; readonly term: number }
  | { readonly name: 'primary'; readonly term: number }
  /** Running writes end, so that the copy `to` can be primary in this term. */
  | { readonly name: 'handingOff'; readonly term: number; readonly to: string }
  /** Assigns nothing any more; waits for the state in which the copy `to` has its place. */
  | { readonly name: 'handedOff'; readonly term: number; readonly to: string }
  | { readonly name: 'failed' }
  | { readonly name: 'closed' };

/** Asynchronous work on the store or with the primary; one piece at a time. */
export type CopyWork =
  | { readonly kind: 'lookAtRest' }
  /** Removes what is on disk. */
  | { readonly kind: 'clear' }
  | {
      readonly kind: 'open';
      readonly as: 'primary' | 'replica';
      readonly identity: WantedIdentity;
      readonly isAlone: boolean;
    }
  /** Fills a new primary from elsewhere before it is reported: a resized or restored index. */
  | { readonly kind: 'prepare'; readonly term: number }
  /** Ends what the copy was, syncs the term and takes writes. */
  | { readonly kind: 'lead'; readonly term: number }
  /** Drops the identity of the copy that this one was before: the state has it as whole under its allocation id. */
  | { readonly kind: 'confirm' }
  | { readonly kind: 'askRecovery'; readonly filesOnly: boolean }
  | { readonly kind: 'copyFiles'; readonly answer: recovery.StartAnswer }
  | { readonly kind: 'awaitCounted'; readonly recoveryId: string }
  | { readonly kind: 'takeOver'; readonly term: number };

/** What is on this node for the copy: an engine, files of a primary that are not all there, or neither. */
export type CopyHolds = 'nothing' | 'engine' | 'files';

/** A copy between two steps. */
export interface CopyState {
  readonly view: CopyView;
  readonly phase: CopyPhase;
  /** The work that is under way; null if none is. */
  readonly work: CopyWork['kind'] | null;
  readonly holds: CopyHolds;
  /** The newest term that the copy was reported in while at rest; 0 if none. */
  readonly restedTerm: number;
  /** The newest term that the copy has begun to lead; 0 if none. */
  readonly ledTerm: number;
  /** The identity of before is forgotten, or is being forgotten. */
  readonly isConfirmed: boolean;
}

/** Everything that can happen to a copy. */
export type CopyEvent =
  /** Once, first. */
  | { readonly type: 'begin' }
  /** A newer cluster state was applied. */
  | { readonly type: 'view'; readonly view: CopyView }
  /** Somebody needs the store of a copy at rest. */
  | { readonly type: 'wake' }
  /** The work under way has ended well. */
  | { readonly type: 'looked'; readonly found: StoreAtRest | null }
  | { readonly type: 'cleared' }
  | { readonly type: 'opened' }
  | { readonly type: 'prepared' }
  | { readonly type: 'leads' }
  | { readonly type: 'confirmed' }
  | { readonly type: 'copied' }
  | { readonly type: 'tookOver' }
  | { readonly type: 'answered'; readonly answer: recovery.StartAnswer }
  /** The copy counts on the primary of `term`. */
  | { readonly type: 'counted'; readonly term: number }
  /** The work under way has failed. */
  | {
      readonly type: 'workFailed';
      readonly error: unknown;
      readonly isDamaged: boolean;
      /** The store took an error of the disk: nothing can be done with it any more. */
      readonly isStoreFailed: boolean;
      readonly holds: CopyHolds;
    }
  | { readonly type: 'retryTimer' }
  | { readonly type: 'handOffTimer' }
  /** The copy `to` has caught up and asks for the role of primary. */
  | { readonly type: 'handOff'; readonly to: string }
  | { readonly type: 'handedOff' }
  | { readonly type: 'handOffFailed' }
  /** The engine ended because of an error, or another copy is primary. */
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'close' };

/** What the driver has to do, in this order. */
export type CopyEffect =
  /** Begins the work; its end comes back as an event. */
  | { readonly type: 'work'; readonly work: CopyWork }
  | { readonly type: 'updateGroup'; readonly group: CopyGroup }
  /** The recovery is over. */
  | { readonly type: 'recovered' }
  /** Searches and writes may use the engine. */
  | { readonly type: 'offerShard' }
  | { readonly type: 'reportResting' }
  | { readonly type: 'reportStarted'; readonly term: number }
  | { readonly type: 'reportFailed'; readonly error: unknown }
  | { readonly type: 'setTimer'; readonly timer: 'retryTimer' | 'handOffTimer' }
  | { readonly type: 'cancelTimers' }
  /** Lets running writes end, and what was answered arrive at the copy `to`. */
  | { readonly type: 'drain'; readonly to: string }
  | { readonly type: 'stopServing' }
  | { readonly type: 'stopLeading'; readonly error: unknown }
  /** The own store was damaged: the recovery goes on with files of the primary. */
  | { readonly type: 'logDamaged'; readonly error: unknown }
  | { readonly type: 'logRetry'; readonly error: unknown }
  /** Ends requests and roles; no effect but `release` follows. */
  | { readonly type: 'endRoles' }
  /** Closes the engine and removes files that are not all there; last. */
  | { readonly type: 'release' };

/** A copy of which the cluster state has told for the first time. */
export function newCopyState(view: CopyView): CopyState {
  const phase: CopyPhase = view.isPrimary
    ? { name: 'opening', stage: 'looking', isAlone: false }
    : { name: 'recovering', stage: { name: 'opening' }, failures: 0 };
  return { view, phase, work: null, holds: 'nothing', restedTerm: 0, ledTerm: 0, isConfirmed: false };
}
