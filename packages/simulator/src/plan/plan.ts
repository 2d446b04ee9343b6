/** Kinds of trouble that a run may have; a swarm draws a subset. */
export const FAULTS = [
  'kill',
  'power',
  'killAll',
  'terminate',
  'pause',
  'partition',
  'oneWay',
  'isolate',
  'reset',
  'delay',
  'loss',
  'duplicates',
  'slowDisk',
  'stalledDisk',
  'fullDisk',
  'diskError',
  'bitFlip',
  'lostWrite',
  'wallJump',
  'drift',
  'exclusion',
  'move',
] as const;
export type Fault = (typeof FAULTS)[number];

export type Profile = 'net' | 'store' | 'mix' | 'scale' | 'lossy';

/** One thing that the world does to the cluster. Times in virtual milliseconds. */
export type Decision =
  | { readonly at: number; readonly kind: 'kill' | 'power'; readonly node: number; readonly downMs: number }
  | { readonly at: number; readonly kind: 'killAll'; readonly power: boolean; readonly downMs: number }
  | { readonly at: number; readonly kind: 'terminate'; readonly node: number; readonly downMs: number }
  | { readonly at: number; readonly kind: 'pause'; readonly node: number; readonly forMs: number }
  | {
      readonly at: number;
      readonly kind: 'partition';
      readonly group: readonly number[];
      readonly oneWay: boolean;
      readonly forMs: number;
    }
  | { readonly at: number; readonly kind: 'reset'; readonly a: number; readonly b: number }
  | {
      readonly at: number;
      readonly kind: 'delay';
      readonly maxMs: number;
      readonly tailShare: number;
      readonly lossShare: number;
      readonly forMs: number;
    }
  | {
      readonly at: number;
      readonly kind: 'slowDisk';
      readonly node: number;
      readonly factor: number;
      readonly forMs: number;
    }
  | { readonly at: number; readonly kind: 'stalledDisk'; readonly node: number; readonly forMs: number }
  | { readonly at: number; readonly kind: 'fullDisk'; readonly node: number; readonly forMs: number }
  | { readonly at: number; readonly kind: 'diskError'; readonly node: number }
  | {
      readonly at: number;
      readonly kind: 'bitFlip';
      readonly node: number;
      readonly which: number;
      readonly where: number;
      readonly bit: number;
    }
  | { readonly at: number; readonly kind: 'lostWrite'; readonly node: number; readonly which: number }
  | { readonly at: number; readonly kind: 'wallJump'; readonly node: number; readonly byMs: number }
  | { readonly at: number; readonly kind: 'drift'; readonly node: number; readonly rate: number }
  | { readonly at: number; readonly kind: 'duplicates'; readonly share: number; readonly forMs: number }
  | { readonly at: number; readonly kind: 'exclusion'; readonly node: number; readonly forMs: number }
  | { readonly at: number; readonly kind: 'move'; readonly index: number; readonly shard: number; readonly to: number }
  | { readonly at: number; readonly kind: 'write'; readonly client: number; readonly writes: readonly PlannedWrite[] }
  | { readonly at: number; readonly kind: 'get'; readonly client: number; readonly index: number; readonly doc: number }
  | { readonly at: number; readonly kind: 'search'; readonly client: number; readonly index: number }
  | { readonly at: number; readonly kind: 'refresh' | 'flush'; readonly client: number; readonly index: number }
  | {
      readonly at: number;
      readonly kind: 'createIndex';
      readonly client: number;
      readonly index: number;
      readonly shards: number;
      readonly replicas: number;
      readonly flushBytes: number;
    }
  | { readonly at: number; readonly kind: 'deleteIndex'; readonly client: number; readonly index: number }
  | {
      readonly at: number;
      readonly kind: 'closeIndex';
      readonly client: number;
      readonly index: number;
      readonly forMs: number;
    }
  | {
      readonly at: number;
      readonly kind: 'replicas';
      readonly client: number;
      readonly index: number;
      readonly replicas: number;
    }
  | { readonly at: number; readonly kind: 'settings'; readonly client: number; readonly value: number }
  | { readonly at: number; readonly kind: 'snapshot'; readonly client: number; readonly index: number }
  | { readonly at: number; readonly kind: 'createKey'; readonly client: number }
  | { readonly at: number; readonly kind: 'invalidateKey'; readonly client: number; readonly which: number };

/** One write of a client; several make a bulk. */
export interface PlannedWrite {
  readonly op: 'index' | 'create' | 'update' | 'delete';
  readonly index: number;
  readonly doc: number;
  /** With the number and term that the client saw last. */
  readonly conditional: boolean;
}

/** What the nodes of a run have besides what all have. */
export interface NodeParts {
  /** Threads among which the shards of each node are divided; 0: one thread has all. */
  readonly shardThreads: number;
  /** Work pools and indexing pressure are so small that they refuse. */
  readonly isTight: boolean;
  /** Clients have to say who they are. */
  readonly isSecured: boolean;
}

/** Everything that decides a run, but for the draws that follow from `seed`. Replays alone. */
export interface Plan {
  readonly seed: number;
  readonly profile: Profile;
  readonly nodes: number;
  /** So many of them may be elected. */
  readonly masters: number;
  readonly indices: number;
  readonly docs: number;
  readonly replicasMax: number;
  /**
   * So many of the copies that come back get files until then, whatever the primary's log reaches back to. None when
   * absent.
   */
  readonly filesShare?: number;
  /** How the nodes are made; one thread, roomy limits, no security and no snapshots when absent. */
  readonly nodeParts?: NodeParts;
  /** Until then there are faults and clients; afterwards everything heals. */
  readonly activeMs: number;
  readonly decisions: readonly Decision[];
}
