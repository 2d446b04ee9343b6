import type { AppliedCluster, StateApplier } from '@shoal/cluster';
import type { Channel, ChannelHandler, Clock, Files, Log } from '@shoal/doors';
import type { TransportStats } from '@shoal/transport';
import type { LinkSecurity, TellRuling } from '../links/link-security.js';
import type { ControlThreadData } from '../threads/control-thread-data.js';
import type { ShardThreadData } from '../threads/shard-thread-data.js';
import type { Membership, MembershipOptions } from './membership-api.js';

/** Where the parts of a node run that may have threads of their own: its shards, and its part in elections. */
export interface Placement {
  /** Threads among which the node's shards are divided; 0: the caller's holds them all. */
  readonly shardThreads: number;
  startShards(options: ShardPartOptions): ShardPart;
  /** As `joinCluster` does; with links to other nodes by a control part that the placement starts. */
  join(options: MembershipOptions): Promise<Membership>;
}

export interface ShardPartOptions {
  /** Budgets are those of each thread. */
  readonly data: Omit<ShardThreadData, 'thread' | 'threads' | 'requestMeters'>;
  /** Answers what shards ask: tasks for the master, messages to copies on other threads and nodes. */
  readonly handler: ChannelHandler;
  readonly log: Log;
  /** A thread ended by itself: the node cannot go on without its shards. */
  readonly onLost: (error: Error) => void;
}

/** The shards of a node, wherever they run. */
export interface ShardPart {
  /** The way to each thread; the only one when the shards are on the caller's. */
  readonly threads: readonly Channel[];
  /** Of the breaker for searches, all threads together. */
  requestMemory(): { readonly used: number; readonly tripped: number };
  /** Flushes and closes the shards, then ends the threads. */
  close(): Promise<void>;
}

export interface ControlPartOptions {
  readonly data: Omit<ControlThreadData, 'pulse'>;
  readonly clock: Clock;
  readonly files: Files;
  readonly log: Log;
  /** Takes the states on to the other parts of the node. */
  readonly next: StateApplier;
  /** `discovery.seed_hosts` as addresses; names are looked up on the thread that asks for the part. */
  readonly seeds: () => Promise<readonly string[]>;
  /** Hears of control links that a filter looked at. */
  readonly linkRuled: TellRuling;
  /** Answers what the elected master asks of this node beside coordination. */
  readonly handler: ChannelHandler;
  readonly onFatal: (error: Error) => void;
}

/** Elections, publications and control links of a node, wherever they run. */
export interface ControlPart {
  /** Its `close` ends the part. */
  readonly cluster: AppliedCluster;
  /** `host:port` that the other nodes are told. */
  readonly transportAddress: string;
  /** Of the control links. */
  transportStats(): Promise<TransportStats>;
  /** New certificates or address rules for the control links. */
  protect(security: LinkSecurity): void;
}

/** Starts the control part; resolves once it has bound its port. */
export type StartControl = (options: ControlPartOptions) => Promise<ControlPart>;
