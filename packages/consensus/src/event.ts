import type { ConsensusMessage, PeerNode } from './message.js';

/**
 * How a lost link turned out when it was dialled again: all but `same` prove that the process is gone or out of reach.
 */
export type PeerLoss = 'refused' | 'silent' | 'restarted' | 'same';

/** The next cluster state a leader wants to publish; the shell keeps its body under `stateUuid`. */
export interface Proposal {
  readonly version: number;
  readonly stateUuid: string;
  readonly digest: string;
  readonly nodes: readonly string[];
  /** The voting configuration: the accepted one, or the one a `proposeRequested` effect asked for. */
  readonly config: readonly string[];
  readonly exclusions: readonly string[];
  readonly clusterUuid: string;
}

/** Everything that can happen to a consensus state machine. */
export type ConsensusEvent =
  /** Once, first. */
  | { readonly type: 'start' }
  | { readonly type: 'message'; readonly from: string; readonly message: ConsensusMessage }
  | { readonly type: 'timer'; readonly id: string }
  /** All persist effects up to and including `seq` are on disk. */
  | { readonly type: 'persisted'; readonly seq: number }
  /** Answer to a validate effect. */
  | {
      readonly type: 'validated';
      readonly term: number;
      readonly version: number;
      readonly result: 'ok' | 'needFull' | 'refused';
    }
  /** A link stands, in both directions, and the handshake was compatible. */
  | { readonly type: 'peerUp'; readonly peer: PeerNode }
  | { readonly type: 'peerDown'; readonly nodeId: string; readonly how: PeerLoss }
  | { readonly type: 'propose'; readonly proposal: Proposal }
  /** All threads of this node applied the committed state. */
  | { readonly type: 'applied'; readonly term: number; readonly version: number }
  | {
      readonly type: 'health';
      readonly diskOk: boolean;
      readonly persistStallMs: number;
      readonly dataStallMs: number;
    }
  /** The control thread did not run for `ms`. To be delivered before the timers that came due meanwhile. */
  | { readonly type: 'paused'; readonly ms: number }
  /** The node is about to stop: a leader abdicates, a candidate stays one. */
  | { readonly type: 'shutdown' };
