import type { ConsensusMessage, PeerNode } from './message.js';

/**
 * Result of dialling a peer again after its link was lost. All but `same` mean that the process is gone or unreachable;
 * `same` means that only messages may be lost.
 */
export type PeerLoss = 'refused' | 'silent' | 'restarted' | 'same';

/** The next cluster state that a leader wants to publish; the shell keeps its body under `stateUuid`. */
export interface Proposal {
  readonly version: number;
  readonly stateUuid: string;
  readonly digest: string;
  readonly nodes: readonly string[];
  /** The voting configuration: the accepted one, or the one that a `proposeRequested` effect contained. */
  readonly config: readonly string[];
  readonly exclusions: readonly string[];
  readonly clusterUuid: string;
}

/** Input of the consensus state machine. */
export type ConsensusEvent =
  /** Sent once, before all others. */
  | { readonly type: 'start' }
  | { readonly type: 'message'; readonly from: string; readonly message: ConsensusMessage }
  | { readonly type: 'timer'; readonly id: string }
  /** All persist effects up to and including `seq` are on disk. */
  | { readonly type: 'persisted'; readonly seq: number }
  /** Result of a validate effect. */
  | {
      readonly type: 'validated';
      readonly term: number;
      readonly version: number;
      readonly result: 'ok' | 'needFull' | 'refused';
    }
  /** A link works in both directions, and the handshake was compatible. */
  | { readonly type: 'peerUp'; readonly peer: PeerNode }
  | { readonly type: 'peerDown'; readonly nodeId: string; readonly how: PeerLoss }
  | { readonly type: 'propose'; readonly proposal: Proposal }
  /** All threads of this node have applied the committed state. */
  | { readonly type: 'applied'; readonly term: number; readonly version: number }
  | {
      readonly type: 'health';
      readonly diskOk: boolean;
      readonly persistStallMs: number;
      readonly dataStallMs: number;
    }
  /** The control thread was suspended for `ms`. Delivered before the timers that fell due meanwhile. */
  | { readonly type: 'paused'; readonly ms: number }
  /** The node will stop: a leader abdicates, a candidate does not try to be elected. */
  | { readonly type: 'shutdown' };
