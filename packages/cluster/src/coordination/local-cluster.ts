import type { Channel, Clock, Log, Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { DEFAULT_CONSENSUS_SETTINGS, type ConsensusConfig } from '@shoal/consensus';
import type { ClusterService, StateApplier } from '../service.js';
import type { FlatSettings, NodeInfo } from '@shoal/state';
import type { StateLog } from './state-log.js';
import { AppliedCluster } from './applied-cluster.js';
import type { ControlPeers } from './control-peers.js';
import { CoordinationNode } from './coordination-node.js';
import { LeaderDuties } from './leader-duties.js';

/** Node, doors and settings of a single-node cluster. */
export interface LocalClusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly localNode: NodeInfo;
  readonly clusterName: string;
  readonly stateLog: StateLog;
  readonly applier: StateApplier;
  /** Of the configuration file, flat. */
  readonly nodeSettings: FlatSettings;
  /** What this node answers about its disk; unknown when absent. */
  readonly local?: Channel;
  readonly onFatal: (error: Error) => void;
}

/** Nobody else: what a node has that is a cluster by itself. */
const NO_PEERS: ControlPeers = {
  dial: () => undefined,
  forget: () => undefined,
  request: () => Promise.reject(errors.nodeNotConnected('this node is a cluster by itself')),
  listen: () => undefined,
  close: () => undefined,
};

function loneConsensus({ id, ephemeralId, name, transportAddress }: NodeInfo): ConsensusConfig {
  return {
    nodeId: id,
    ephemeralId,
    nodeName: name,
    address: transportAddress,
    isVoter: true,
    votingOnly: false,
    isSingleNode: true,
    initialMasterNodes: [],
    autoBootstrapAfterMs: null,
    settings: DEFAULT_CONSENSUS_SETTINGS,
  };
}

/**
 * A cluster of this node alone (`discovery.type: single-node`), coordinated on the calling thread. Resolves once it is
 * led and its state applied.
 */
export async function createLocalCluster(options: LocalClusterOptions): Promise<ClusterService> {
  let fail: (error: Error) => void = options.onFatal;
  const failed = new Promise<never>((_resolve, reject) => (fail = reject));
  const applied = new AppliedCluster({
    ...options,
    next: options.applier,
    coordination: {
      submit: (...task) => node.submit(...task),
      pendingTasks: () => node.pendingTasks(),
      statistics: () => node.statistics(),
      close: () => node.close(),
    },
  });
  const { clock, log, local, nodeSettings } = options;
  const channel = local ? () => local : null;
  const node: CoordinationNode = new CoordinationNode({
    ...options,
    consensus: loneConsensus(options.localNode),
    peers: NO_PEERS,
    seeds: async () => [],
    follower: applied,
    duties: (master) => new LeaderDuties({ clock, log, master, channel, nodeSettings, asksForStores: false }),
    onFatal: (error) => fail(error),
  });
  node.start();
  await Promise.race([applied.waitFor((state) => state.masterNodeId !== null, -1), failed]);
  fail = options.onFatal;
  return applied;
}
