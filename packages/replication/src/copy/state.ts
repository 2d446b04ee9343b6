import type { recovery } from '@shoal/protocol';
import type { StoreAtRest, WantedIdentity } from '@shoal/store';
import type { CopyGroup } from '../primary.js';
import type { CopyView } from './copy-view.js';

/** Stage of a recovery (R0 to R7, docs/internals/cluster.md §5.6). */
export type RecoveryStage =
  /** R0: the own store is opened and verified. */
  | { readonly name: 'opening' }
  /** R1, R2: the primary is asked how to recover. */
  | { readonly name: 'asking' }
  /** R3, R4: files and operations are copied. */
  | { readonly name: 'copying'; readonly answer: recovery.StartAnswer }
  /** R0 again: the store with the files of `answer` is opened. */
  | { readonly name: 'reopening'; readonly answer: recovery.StartAnswer }
  /** R1 again: the primary is asked for operations after these files. */
  | { readonly name: 'askingAgain'; readonly answer: recovery.StartAnswer }
  /** R5, R6: waits until the primary counts the copy. */
  | { readonly name: 'counting' }
  /** The primary of `term` is asked to hand its role over (docs/internals/cluster.md §5.7). */
  | { readonly name: 'takingOver'; readonly term: number }
  /** The attempt failed; the next begins when a timer fires. */
  | { readonly name: 'waiting' };

/** Phase of a copy's life. Only `failed` and `closed` are final. */
export type CopyPhase =
  /** Becomes a primary from its store, or from an empty one. */
  | {
      readonly name: 'opening';
      readonly stage: 'looking' | 'clearing' | 'opening' | 'preparing';
      /** No other copy existed when the opening began: this store has all the data that exist. */
      readonly isAlone: boolean;
    }
  /** A primary whose opening is deferred (ADR 0008): the store was closed cleanly; it is opened on first use. */
  | { readonly name: 'resting'; readonly found: StoreAtRest }
  | { readonly name: 'waking'; readonly found: StoreAtRest }
  /** Becomes a replica. `failures`: attempts that failed, in a row. */
  | { readonly name: 'recovering'; readonly stage: RecoveryStage; readonly failures: number }
  /** A replica that was counted by its primary. */
  | { readonly name: 'following' }
  /** `term` is being synced; then the copy is its primary. */
  | { readonly name: 'starting'; readonly term: number }
  | { readonly name: 'primary'; readonly term: number }
  /** Waits for running writes to end, so that the copy `to` (the target of the handoff) can be primary in this term. */
  | { readonly name: 'handingOff'; readonly term: number; readonly to: string }
  /** Assigns no numbers any more; waits for the state that makes the copy `to` primary. */
  | { readonly name: 'handedOff'; readonly term: number; readonly to: string }
  | { readonly name: 'failed' }
  | { readonly name: 'closed' };

/** Asynchronous work on the store or with the primary; one piece at a time. */
export type CopyWork =
  | { readonly kind: 'lookAtRest' }
  /** Deletes the store. */
  | { readonly kind: 'clear' }
  | {
      readonly kind: 'open';
      readonly as: 'primary' | 'replica';
      readonly identity: WantedIdentity;
      readonly isAlone: boolean;
    }
  /** Fills a new primary of a resized or restored index, before it is reported as started. */
  | { readonly kind: 'prepare'; readonly term: number }
  /** Ends the earlier role, syncs the term and accepts writes. */
  | { readonly kind: 'lead'; readonly term: number }
  /** Drops the store's earlier allocation id: the state has the copy as in sync under its new one. */
  | { readonly kind: 'confirm' }
  | { readonly kind: 'askRecovery'; readonly filesOnly: boolean }
  | { readonly kind: 'copyFiles'; readonly answer: recovery.StartAnswer }
  | { readonly kind: 'awaitCounted'; readonly recoveryId: string }
  | { readonly kind: 'takeOver'; readonly term: number };

/** What this node has of the copy: an open engine, a partly filled store, or neither. */
export type CopyHolds = 'nothing' | 'engine' | 'files';

/** State of a copy between two steps. */
export interface CopyState {
  readonly view: CopyView;
  readonly phase: CopyPhase;
  /** The running work; null if there is none. */
  readonly work: CopyWork['kind'] | null;
  readonly holds: CopyHolds;
  /** The newest term that the copy was reported in while at rest; 0 if none. */
  readonly restedTerm: number;
  /** The newest term that the copy has begun to lead; 0 if none. */
  readonly ledTerm: number;
  /** Whether the earlier allocation id is dropped, or is being dropped. */
  readonly isConfirmed: boolean;
}

/** Everything that can happen to a copy. */
export type CopyEvent =
  /** The first event. */
  | { readonly type: 'begin' }
  /** A newer cluster state was applied. */
  | { readonly type: 'view'; readonly view: CopyView }
  /** A caller needs the store, whose opening was deferred. */
  | { readonly type: 'openDeferred' }
  /** The running work has succeeded. */
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
  /** The running work has failed. */
  | {
      readonly type: 'workFailed';
      readonly error: unknown;
      readonly isDamaged: boolean;
      /** The store has failed with a disk error and cannot be used any more. */
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

/** An effect that the driver performs, in the given order. */
export type CopyEffect =
  /** Begins work; its end is an event. */
  | { readonly type: 'work'; readonly work: CopyWork }
  | { readonly type: 'updateGroup'; readonly group: CopyGroup }
  /** The recovery is over. */
  | { readonly type: 'recovered' }
  /** Searches and writes may use the engine. */
  | { readonly type: 'offerShard' }
  | { readonly type: 'reportDeferred' }
  | { readonly type: 'reportStarted'; readonly term: number }
  | { readonly type: 'reportFailed'; readonly error: unknown }
  | { readonly type: 'setTimer'; readonly timer: 'retryTimer' | 'handOffTimer' }
  | { readonly type: 'cancelTimers' }
  /** Waits until running writes have ended, and the copy `to` has all acknowledged operations. */
  | { readonly type: 'drain'; readonly to: string }
  | { readonly type: 'stopServing' }
  | { readonly type: 'stopLeading'; readonly error: unknown }
  /** The copy's store is damaged: the recovery goes on with files of the primary. */
  | { readonly type: 'logDamaged'; readonly error: unknown }
  | { readonly type: 'logRetry'; readonly error: unknown }
  /** Ends requests and roles; no effect but `release` follows. */
  | { readonly type: 'endRoles' }
  /** Closes the engine and deletes a partly filled store. The last effect. */
  | { readonly type: 'release' };

/** Creates the state of a copy that the cluster state has just assigned. */
export function newCopyState(view: CopyView): CopyState {
  const phase: CopyPhase = view.isPrimary
    ? { name: 'opening', stage: 'looking', isAlone: false }
    : { name: 'recovering', stage: { name: 'opening' }, failures: 0 };
  return { view, phase, work: null, holds: 'nothing', restedTerm: 0, ledTerm: 0, isConfirmed: false };
}
