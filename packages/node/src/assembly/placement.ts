import type { AppliedCluster, StateApplier } from '@shoal/cluster';
import type { Channel, ChannelHandler, Clock, Files, Log } from '@shoal/doors';
import type { ModelRoom } from '@shoal/ml';
import type { TransportStats } from '@shoal/transport';
import type { LinkSecurity, RulingListener } from '../links/link-security.js';
import type { ControlThreadData } from '../threads/control-thread-data.js';
import type { SearchThreadStats } from '../threads/search-worker.js';
import type { ShardThreadStats } from '../threads/shard-worker.js';
import type { ShardThreadData } from '../threads/shard-thread-data.js';
import type { Membership, MembershipOptions } from './membership-api.js';

/** Decides on which threads the shards of a node and its elections run. */
export interface Placement {
  /** Threads among which the node's shards are divided; 0 if the calling thread holds them all. */
  readonly shardThreads: number;
  startShards(options: ShardPartOptions): ShardPart;
  /** Opens the room of machine learning models; its thread starts with the first model. */
  openModels(): ModelRoom & { close(): Promise<void> };
  /**
   * Joins the cluster as `joinCluster` does. For links to other nodes, starts the control part where this placement
   * puts it.
   */
  join(options: MembershipOptions): Promise<Membership>;
}

/** Options of the shards of a node. */
export interface ShardPartOptions {
  /** Options of each shard thread; budgets are for one thread, not for all. */
  readonly data: Omit<ShardThreadData, 'thread' | 'threads' | 'life' | 'requestMeters'>;
  /** Answers messages of shards: tasks for the master, messages to copies on other threads and nodes. */
  readonly handler: ChannelHandler;
  readonly log: Log;
}

/** The shards of a node, on whichever threads they run. */
export interface ShardPart {
  /** Channel to each shard thread; a single one if the shards run on the calling thread. */
  readonly threads: readonly Channel[];
  /** Figures of the breaker `request`, summed over all threads: bytes in use, and number of refusals. */
  requestMemory(): { readonly used: number; readonly tripped: number };
  /** Figures of the threads that hold shards; none if the calling thread holds them. */
  threadStats(): readonly ShardThreadStats[];
  /** Samples these threads: the stacks in which they were most, by the names of the threads. */
  sample(intervalMs: number): Promise<ReadonlyMap<string, string>>;
  /** Calls `listener` with the number of each thread that was started again: it has no shards until it gets a state. */
  onRestart(listener: (thread: number) => void): void;
  /** Figures of the threads that search beside those of the shards. */
  searchStats(): readonly SearchThreadStats[];
  /** Flushes and closes the shards, then ends the threads. */
  close(): Promise<void>;
}

/** Options of the control part of a node. */
export interface ControlPartOptions {
  readonly data: Omit<ControlThreadData, 'pulse'>;
  readonly clock: Clock;
  readonly files: Files;
  readonly log: Log;
  /** Applies states in the other parts of the node, after the control part. */
  readonly next: StateApplier;
  /** Resolves `discovery.seed_hosts` to addresses. Names are looked up on the thread that starts the control part. */
  readonly seeds: () => Promise<readonly string[]>;
  /** Called for each control link that an address filter allowed or denied. */
  readonly linkRuled: RulingListener;
  /** Answers requests of the elected master that are not about coordination. */
  readonly handler: ChannelHandler;
  readonly onFatal: (error: Error) => void;
}

/** Elections, publications and control links of a node, wherever they run. */
export interface ControlPart {
  /** The applied cluster state; closing it also ends the control part. */
  readonly cluster: AppliedCluster;
  /** `host:port` that is published to other nodes. */
  readonly transportAddress: string;
  /** Figures of the control links. */
  transportStats(): Promise<TransportStats>;
  /** Sets new certificates or address rules for the control links. */
  protect(security: LinkSecurity): void;
}

/** Starts the control part; resolves once it has bound its port. */
export type StartControl = (options: ControlPartOptions) => Promise<ControlPart>;
