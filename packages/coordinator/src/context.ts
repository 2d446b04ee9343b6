import type { IndexMappings } from '@shoal/cluster';
import type { ApiError } from '@shoal/errors';
import type { Channel, Clock, Log, Random } from '@shoal/doors';
import type { AutoIds } from './bulk/auto-id.js';
import type { OperationIds } from './bulk/operation-ids.js';
import type { ClusterAccess } from './cluster-access.js';
import type { InFlightBytes } from './in-flight-bytes.js';
import type { CopyRanks } from './search/targets/copy-ranks.js';
import type { RecentSources } from './search/targets/recent-sources.js';
import type { TaskRegistry } from './tasks/task-registry.js';

/** Limits of a node, in the units of their names. */
export interface CoordinatorLimits {
  /** Bytes of request bodies and gathered answers held at once (`network.breaker.inflight_requests.limit`). */
  readonly inFlightBytesMax: number;
  /** `search.max_buckets`, unless the cluster's settings say otherwise. */
  readonly bucketsMax: number;
  /** Scroll cursors open on this node at once. */
  readonly scrollsMax: number;
}

/** How the process's memory bounds what is coordinated. Both refuse by throwing a 429. */
export interface CoordinatorMemory {
  /** `inFlightBytesMax` as it is now. */
  readonly inFlightBytesMax: () => number;
  /** Whether the process has room for `bytes` more. */
  readonly checkParent: (bytes: number, label: string) => void;
  /** Throws when bytes of writes would not be taken now: before work is put into them. */
  readonly checkWrite: (bytes: number) => void;
  /** Takes bytes of writes until the returned function is called: the coordinating stage of indexing pressure. */
  readonly takeWrite: (bytes: number, bodyBytes?: number) => () => void;
}

/** Everything that the coordinator's parts share. */
export interface CoordinatorContext {
  readonly cluster: ClusterAccess;
  readonly channel: (nodeId: string) => Channel;
  readonly localNodeId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly limits: CoordinatorLimits;
  readonly tasks: TaskRegistry;
  readonly inFlight: InFlightBytes;
  /** Items of large bulks until they are answered: as much again as half of what bodies may take. */
  readonly bulkAnswers: InFlightBytes;
  readonly checkWrite: CoordinatorMemory['checkWrite'];
  readonly takeWrite: CoordinatorMemory['takeWrite'];
  /** Adaptive replica selection. */
  readonly ranks: CopyRanks;
  readonly autoIds: AutoIds;
  readonly operationIds: OperationIds;
  /** Parsed mappings and analysers by index metadata. */
  readonly mappings: IndexMappings;
  /** Sources of searches and counts, parsed. */
  readonly sources: RecentSources;
  readonly apiError: (thrown: unknown) => ApiError;
}
