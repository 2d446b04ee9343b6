import type { Channel, Clock, Log } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import type { Shard } from '@shoal/shard';
import type { KeptFiles, ShardStore, StoreAtRest, WantedIdentity } from '@shoal/store';
import type { ShardFailed } from '../primary.js';

/** What a copy works with: the node's doors, its place on disk, and those who hear of it. */
export interface CopyOptions {
  readonly clock: Clock;
  readonly events: Log;
  readonly nodeId: string;
  /** Opens the engine on what the copy has on disk. `failed` is called when it ends because of an error. */
  readonly open: (identity: WantedIdentity, isAlone: boolean, failed: (error: unknown) => void) => Promise<Shard>;
  /** The engine was opened just now, by what the state said before. */
  readonly opened: (shard: Shard) => void;
  /** What the copy on disk says of itself; null if the store has to be opened to know. */
  readonly atRest: () => Promise<StoreAtRest | null>;
  /** Opens the store without an engine; made anew of what it keeps, where that is told. */
  readonly openStore: (identity: WantedIdentity, keeps: KeptFiles | null) => Promise<ShardStore>;
  /** Removes what the copy has on disk. */
  readonly destroy: () => Promise<void>;
  readonly channel: (nodeId: string, kind: 'data' | 'recovery') => Channel;
  readonly shardFailed: (report: ShardFailed) => Promise<void>;
  readonly mustSync: () => boolean;
  readonly leasePeriodMs: () => number;
  /** Version of the index's mapping that operations are parsed with here. */
  readonly mappingVersion: () => number;
  /** Waits until so many bytes more may be copied. */
  readonly limit: (bytes: number) => Promise<void>;
  /** Fills a new primary from elsewhere before it is reported: a resized or restored index. */
  readonly prepare: (shard: Shard) => Promise<void>;
  /** The engine is there, or gone (null). */
  readonly onShard: (shard: Shard | null) => void;
  /** The copy is there, and opens its store when it is woken. */
  readonly rests: () => void;
  /** The copy is what the state wants it to be, in this term. */
  readonly started: (term: number) => void;
  /** The copy can go on no more. */
  readonly failed: (error: ApiError) => void;
}
