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
/** A kind of fault. */
export type Fault = (typeof FAULTS)[number];

/** Group of faults and sizes from which a plan is drawn. */
export type Profile = 'net' | 'store' | 'mix' | 'scale' | 'lossy';

/** What clients do with jobs. */
export type JobAct = 'post' | 'flush' | 'cycle' | 'feed';

/** What clients do with indices that age, and with snapshots. */
export type AgeingAct = 'write' | 'delete' | 'clone' | 'restore' | 'clean' | 'execute' | 'retain';

/** A fault or client request of a plan. */
export type Decision =
  | { readonly at: number; readonly kind: 'kill' | 'power'; readonly node: number; readonly downMs: number }
  | { readonly at: number; readonly kind: 'killAll'; readonly power: boolean; readonly downMs: number }
  | { readonly at: number; readonly kind: 'terminate'; readonly node: number; readonly downMs: number }
  | { readonly at: number; readonly kind: 'endThread'; readonly node: number; readonly which: number }
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
  | { readonly at: number; readonly kind: 'job'; readonly client: number; readonly act: JobAct }
  | {
      readonly at: number;
      readonly kind: 'ageing';
      readonly client: number;
      readonly act: AgeingAct;
      /** Chooses among what there is: 0 to 1. */
      readonly which: number;
    }
  | {
      readonly at: number;
      readonly kind: 'master';
      readonly fault: 'kill' | 'power' | 'pause';
      readonly forMs: number;
    }
  | {
      readonly at: number;
      readonly kind: 'repository';
      readonly fault: 'slow' | 'stalled' | 'fails';
      readonly forMs: number;
    }
  | { readonly at: number; readonly kind: 'createKey'; readonly client: number }
  | { readonly at: number; readonly kind: 'invalidateKey'; readonly client: number; readonly which: number };

/** One write of a client; several make a bulk. */
export interface PlannedWrite {
  readonly op: 'index' | 'create' | 'update' | 'delete';
  readonly index: number;
  readonly doc: number;
  /** Whether the write is conditional on the sequence number and term that the client saw last. */
  readonly conditional: boolean;
}

/** Optional parts of a run's nodes. */
export interface NodeParts {
  /** Threads among which the shards of each node are divided; 0 for a single thread. */
  readonly shardThreads: number;
  /** Whether work pools and indexing pressure are so small that they refuse requests. */
  readonly isTight: boolean;
  /** Whether clients must authenticate. */
  readonly isSecured: boolean;
}

/** Decides a run, together with the random draws that follow from `seed`. A saved plan replays the run. */
export interface Plan {
  readonly seed: number;
  readonly profile: Profile;
  readonly nodes: number;
  /** Number of master-eligible nodes. */
  readonly masters: number;
  readonly indices: number;
  readonly docs: number;
  readonly replicasMax: number;
  /**
   * Share of the returning copies that recover by files until `activeMs`, however far the primary's log reaches back. 0
   * if absent.
   */
  readonly filesShare?: number;
  /** Optional parts of the nodes. If absent: one thread, high limits, no security and no snapshots. */
  readonly nodeParts?: NodeParts;
  /** Whether nodes run anomaly detection jobs. */
  readonly hasJobs?: boolean;
  /** Whether clients use lifecycle policies, and delete, clone and restore snapshots. */
  readonly hasAgeing?: boolean;
  /** End of faults and client requests in milliseconds; afterwards everything heals. */
  readonly activeMs: number;
  readonly decisions: readonly Decision[];
}
