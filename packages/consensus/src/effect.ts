import type { AcceptedState } from './config.js';
import type { ConsensusMessage, Publish } from './message.js';

/** Record that the shell appends to the state log. */
export type PersistRecord =
  /** A term, in which this node may vote from now on; synced. */
  | { readonly type: 'term'; readonly term: number }
  /** An accepted state; synced. The shell appends the published bytes that it keeps under `accepted.stateUuid`. */
  | { readonly type: 'accept'; readonly accepted: AcceptedState }
  /** The accepted state is committed. `sync` only if the configuration or the cluster uuid becomes final. */
  | { readonly type: 'commit'; readonly term: number; readonly version: number; readonly sync: boolean };

/** Role of a node in its term. */
export type Mode = 'candidate' | 'leader' | 'follower';

/** Why a node is removed from the cluster. */
export type FailureReason =
  | 'disconnected'
  | 'followers check retry count exceeded'
  | 'health check failed'
  | 'restarted'
  | 'lagging';

/** A failed node and the reason. */
export interface NodeFailure {
  readonly nodeId: string;
  readonly reason: FailureReason;
}

/** What the shell must do, in this order. */
export type ConsensusEffect =
  | { readonly type: 'persist'; readonly seq: number; readonly record: PersistRecord }
  /**
   * Sends a message once persist `afterPersist` is on disk; at once if null. Messages of a node to itself are handled
   * in the same way and return as message events. To a publish message the shell adds the body; if it has no diff to
   * the base, the whole state.
   */
  | {
      readonly type: 'send';
      readonly to: string;
      readonly message: ConsensusMessage;
      readonly afterPersist: number | null;
    }
  /**
   * Starts a timer that fires once after `baseMs` plus a random part of `jitterMs`; replaces a running timer of this
   * id.
   */
  | { readonly type: 'setTimer'; readonly id: string; readonly baseMs: number; readonly jitterMs: number }
  | { readonly type: 'cancelTimer'; readonly id: string }
  /** Decode the body, compare its digest, and answer with a validated event. */
  | { readonly type: 'validate'; readonly from: string; readonly publication: Publish }
  /**
   * The state accepted in `term` with `version` is committed: apply it, then report `applied`. The shell may skip to a
   * newer committed state.
   */
  | { readonly type: 'commit'; readonly term: number; readonly version: number }
  | { readonly type: 'mode'; readonly mode: Mode; readonly leaderId: string | null; readonly term: number }
  /**
   * Fails tasks. `failedToCommit`: whether the proposal of `version` was committed is unknown. `notMaster`: queued
   * tasks (version null), or a proposal that was refused and not sent.
   */
  | { readonly type: 'failTasks'; readonly reason: 'failedToCommit' | 'notMaster'; readonly version: number | null }
  /**
   * The leader is idle: propose one state on top of (term, version), with these members, this configuration (null:
   * unchanged) and the queued tasks; or propose nothing. `elected`: the first proposal of a term. Apply `leaves` before
   * `joins`: a restarted node is in both.
   */
  | {
      readonly type: 'proposeRequested';
      readonly term: number;
      readonly version: number;
      readonly elected: boolean;
      readonly joins: readonly string[];
      readonly leaves: readonly NodeFailure[];
      readonly config: readonly string[] | null;
    }
  /** The leader removes these nodes; it requests a proposal without them now, or after the running publication. */
  | { readonly type: 'nodesFailed'; readonly nodes: readonly NodeFailure[] }
  /** On the leader: a node applied a state. */
  | { readonly type: 'nodeApplied'; readonly nodeId: string; readonly term: number; readonly version: number }
  /**
   * Dial the seed hosts (if `seeds`), the addresses learned from peers, and nodes of the last state; those with a link
   * are skipped.
   */
  | {
      readonly type: 'dial';
      readonly seeds: boolean;
      readonly addresses: readonly string[];
      readonly nodeIds: readonly string[];
    }
  /** Close the link to a removed node. */
  | { readonly type: 'close'; readonly nodeId: string }
  /** A leader refused the join request of this node. */
  | { readonly type: 'joinRefused'; readonly leaderId: string; readonly reason: string }
  /** The node must not run with this configuration: end the process. */
  | { readonly type: 'fatal'; readonly reason: string };
