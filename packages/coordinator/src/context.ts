import type { IndexMappings } from '@shoal/cluster';
import type { ApiError } from '@shoal/errors';
import type { InferenceModels, Ingest } from '@shoal/ingest';
import type { Channel, Clock, Log, Random } from '@shoal/doors';
import type { RemoteHttp } from './by-query/remote-http.js';
import type { AutoIds } from './bulk/auto-id.js';
import type { OperationIds } from './bulk/operation-ids.js';
import type { ClusterAccess } from './cluster-access.js';
import type { InFlightBytes } from './in-flight-bytes.js';
import type { CopyRanks } from './search/targets/copy-ranks.js';
import type { RecentSources } from './search/targets/recent-sources.js';
import type { QuarantineCounters } from './quarantine/counters.js';
import type { TaskRegistry } from './tasks/task-registry.js';

/** Limits of a node. */
export interface CoordinatorLimits {
  /** Limit for bytes of request bodies and collected answers in memory (`network.breaker.inflight_requests.limit`). */
  readonly inFlightBytesMax: number;
  /** Default of `search.max_buckets`. */
  readonly bucketsMax: number;
  /** Limit for open scrolls of this node. */
  readonly scrollsMax: number;
}

/** Memory limits of the process. The checks throw errors with status 429. */
export interface CoordinatorMemory {
  /** Returns the present value of `inFlightBytesMax`. */
  readonly inFlightBytesMax: () => number;
  /** Throws circuit_breaking_exception if the process has no memory for `bytes` more. */
  readonly checkParent: (bytes: number, label: string) => void;
  /** Throws if `bytes` of writes would be refused now. Called before a body is parsed. */
  readonly checkWrite: (bytes: number) => void;
  /** Charges bytes of writes until the returned function is called: the coordinating stage of indexing pressure. */
  readonly takeWrite: (bytes: number, bodyBytes?: number) => () => void;
}

/** Services and limits that all parts of the coordinator share. */
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
  /** Budget for items of large bulks until they are answered: half of the limit for bodies, in addition to it. */
  readonly bulkAnswers: InFlightBytes;
  /** Runs pipelines on the thread of the coordinator. */
  readonly ingest: Ingest;
  /** Trained models; null for a node without machine learning. */
  readonly models: InferenceModels | null;
  readonly checkWrite: CoordinatorMemory['checkWrite'];
  readonly takeWrite: CoordinatorMemory['takeWrite'];
  /** Response times of nodes, for adaptive replica selection. */
  readonly ranks: CopyRanks;
  readonly autoIds: AutoIds;
  readonly operationIds: OperationIds;
  /** Parsed mappings and analyzers by index metadata. */
  readonly mappings: IndexMappings;
  /** Cache of parsed bodies of searches and counts. */
  readonly sources: RecentSources;
  readonly quarantine: QuarantineCounters;
  /** Reads from other clusters; null on a node that does not. */
  readonly remoteHttp: RemoteHttp | null;
  readonly apiError: (thrown: unknown) => ApiError;
}
