import type { Accepted } from './config.js';
import type { ConsensusMessage, Publish } from './message.js';

/** What the state log has to append. */
export type PersistRecord =
  /** The vote; synced. */
  | { readonly type: 'term'; readonly term: number }
  /** An accepted state; synced. The shell appends the published bytes it holds under `accepted.stateUuid`. */
  | { readonly type: 'accept'; readonly accepted: Accepted }
  /** The accepted state is committed. `sync` only where the configuration or the cluster uuid became final by it. */
  | { readonly type: 'commit'; readonly term: number; readonly version: number; readonly sync: boolean };

/** Part a node plays. */
export type Mode = 'candidate' | 'leader' | 'follower';

/** Why a node is removed from the cluster. */
export type FailureReason =
  | 'disconnected'
  | 'followers check retry count exceeded'
  | 'health check failed'
  | 'restarted'
  | 'lagging';

/** A node that failed and why. */
export interface NodeFailure {
  readonly nodeId: string;
  readonly reason: FailureReason;
}

/** What the shell has to do, in this order. */
export type ConsensusEffect =
  | { readonly type: 'persist'; readonly seq: number; readonly record: PersistRecord }
  /**
   * `afterPersist`: leaves only after that persist is on disk; null: at once. Messages to the node itself take the same
   * way and come back as message events. A publish message: the shell adds the body, and sends the whole state where it
   * has no diff to the base.
   */
  | {
      readonly type: 'send';
      readonly to: string;
      readonly message: ConsensusMessage;
      readonly afterPersist: number | null;
    }
  /** Fires once after `baseMs` + a random part of `jitterMs`; replaces a running timer of that id. */
  | { readonly type: 'setTimer'; readonly id: string; readonly baseMs: number; readonly jitterMs: number }
  | { readonly type: 'cancelTimer'; readonly id: string }
  /** Decode the body, compare the digest, answer with a validated event. */
  | { readonly type: 'validate'; readonly from: string; readonly publication: Publish }
  /**
   * The state accepted in `term` with `version` is committed: apply it, then report `applied`. Newer ones may overtake.
   */
  | { readonly type: 'commit'; readonly term: number; readonly version: number }
  | { readonly type: 'mode'; readonly mode: Mode; readonly leaderId: string | null; readonly term: number }
  /**
   * failedToCommit: the proposal of `version` has an unknown outcome. notMaster: queued tasks (version null), or a
   * proposal that was refused and never left the node.
   */
  | { readonly type: 'failTasks'; readonly reason: 'failedToCommit' | 'notMaster'; readonly version: number | null }
  /**
   * The leader is idle: propose the next state on (term, version), with these members and configuration (null: keep)
   * and whatever tasks are queued, or propose nothing. `elected`: the first batch of a term. Leaves come before joins:
   * a restarted node is in both.
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
  /** The leader gave these nodes up; a proposal without them is asked for at once or after the running publication. */
  | { readonly type: 'nodesFailed'; readonly nodes: readonly NodeFailure[] }
  /** On the leader: a node applied the state. */
  | { readonly type: 'nodeApplied'; readonly nodeId: string; readonly term: number; readonly version: number }
  /** Dial seeds (`seeds`), addresses learned from peers, and nodes of the last state, unless a link stands. */
  | {
      readonly type: 'dial';
      readonly seeds: boolean;
      readonly addresses: readonly string[];
      readonly nodeIds: readonly string[];
    }
  /** The link to a removed node is of no further use. */
  | { readonly type: 'close'; readonly nodeId: string }
  /** A leader refused to take this node in. */
  | { readonly type: 'joinRefused'; readonly leaderId: string; readonly reason: string }
  /** The node may not start like this. */
  | { readonly type: 'fatal'; readonly reason: string };
