import { awareness } from './awareness.js';
import { clusterRebalance } from './cluster-rebalance.js';
import { concurrentRebalance } from './concurrent-rebalance.js';
import { dataTier } from './data-tier.js';
import type { Decider } from './decider.js';
import { diskThreshold } from './disk-threshold.js';
import { enable } from './enable.js';
import { filter } from './filter.js';
import { maxRetry } from './max-retry.js';
import { nodeReplacement } from './node-replacement.js';
import { nodeShutdown } from './node-shutdown.js';
import { nodeVersion } from './node-version.js';
import { rebalanceOnlyWhenActive } from './rebalance-only-when-active.js';
import { replicaAfterPrimary } from './replica-after-primary.js';
import { resize } from './resize.js';
import { restoreInProgress } from './restore-in-progress.js';
import { sameShard } from './same-shard.js';
import { shardsLimit } from './shards-limit.js';
import { snapshotInProgress } from './snapshot-in-progress.js';
import { throttling } from './throttling.js';

/** All deciders, in the order in which explanations list them. */
export const DECIDERS: readonly Decider[] = [
  maxRetry,
  replicaAfterPrimary,
  rebalanceOnlyWhenActive,
  clusterRebalance,
  concurrentRebalance,
  enable,
  nodeVersion,
  snapshotInProgress,
  restoreInProgress,
  nodeShutdown,
  nodeReplacement,
  filter,
  sameShard,
  diskThreshold,
  throttling,
  shardsLimit,
  awareness,
  resize,
  dataTier,
];
