import type { Channel, Clock, Log } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import type { Shard } from '@shoal/shard';
import type { KeptFiles, ShardStore, StoreAtRest, WantedIdentity } from '@shoal/store';
import type { ShardFailed } from '../primary.js';

/** Effects and callbacks of a copy: clock, store on disk, channels, and listeners. */
export interface CopyOptions {
  readonly clock: Clock;
  readonly events: Log;
  readonly nodeId: string;
  /** Opens the engine on the copy's store. `failed` is called when the engine ends because of an error. */
  readonly open: (identity: WantedIdentity, isAlone: boolean, failed: (error: unknown) => void) => Promise<Shard>;
  /** Called after the engine was opened with the metadata of an earlier state. */
  readonly opened: (shard: Shard) => void;
  /** Reads the description of the cleanly closed store; null if the store must be opened and verified. */
  readonly atRest: () => Promise<StoreAtRest | null>;
  /** Opens the store without an engine. With `keeps` the store is made anew, with only these files. */
  readonly openStore: (identity: WantedIdentity, keeps: KeptFiles | null) => Promise<ShardStore>;
  /** Deletes the store of the copy. */
  readonly destroy: () => Promise<void>;
  readonly channel: (nodeId: string, kind: 'data' | 'recovery') => Channel;
  readonly shardFailed: (report: ShardFailed) => Promise<void>;
  readonly mustSync: () => boolean;
  readonly leasePeriodMs: () => number;
  /** Version of the mapping with which this node parses operations. */
  readonly mappingVersion: () => number;
  /** Waits until the rate limit of recoveries lets this many bytes pass. */
  readonly limit: (bytes: number) => Promise<void>;
  /** Fills a new primary of a resized or restored index, before it is reported as started. */
  readonly prepare: (shard: Shard) => Promise<void>;
  /** Called when the engine is open, or gone (null). */
  readonly onShard: (shard: Shard | null) => void;
  /** Resolves once nothing reads the engine of the closed copy any more; the engine closes then. */
  readonly readersGone: () => Promise<void>;
  /** Called when the opening is deferred: the store was closed cleanly; it is opened on first use. */
  readonly deferred: () => void;
  /** Called when the copy has started in this term. */
  readonly started: (term: number) => void;
  /** Called when the copy has failed. */
  readonly failed: (error: ApiError) => void;
}
