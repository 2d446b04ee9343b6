import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { DEFAULT_CONSENSUS_SETTINGS, type ConsensusSettings } from '@shoal/consensus';
import { parseTimeValue } from '@shoal/values';
import { ConfigurationError, type NodeSettings } from './load-settings.js';

/** Settings by which a node finds or forms its cluster. */
export interface ClusterFormation {
  readonly seedHosts: readonly string[];
  readonly initialMasterNodes: readonly string[];
  readonly consensusSettings: ConsensusSettings;
  /** Port of seed hosts without one. */
  readonly defaultPort: number;
}

/**
 * Reads the settings of cluster formation; null for a single-node cluster. Throws ConfigurationError for
 * contradictions.
 */
export function clusterFormation(settings: NodeSettings): ClusterFormation | null {
  const seedHosts = settings.list('discovery.seed_hosts');
  const initialMasterNodes = settings.list('cluster.initial_master_nodes');
  if (settings.text('discovery.type') === 'single-node') {
    if (initialMasterNodes.length > 0)
      throw new ConfigurationError(
        'setting [cluster.initial_master_nodes] is not allowed when [discovery.type] is set to [single-node]',
      );
    return null;
  }
  if (seedHosts.length === 0 && initialMasterNodes.length === 0) return null;
  return {
    seedHosts,
    initialMasterNodes,
    consensusSettings: consensusSettings(settings),
    defaultPort: settings.ports('transport.port')[0],
  };
}

function consensusSettings(settings: NodeSettings): ConsensusSettings {
  const time = (name: string): number => parseTimeValue(settings.text(name)!, name);
  const count = (name: string): number => settings.integer(name)!;
  return {
    ...DEFAULT_CONSENSUS_SETTINGS,
    electionInitialTimeoutMs: time('cluster.election.initial_timeout'),
    electionBackOffTimeMs: time('cluster.election.back_off_time'),
    electionMaxTimeoutMs: time('cluster.election.max_timeout'),
    electionDurationMs: time('cluster.election.duration'),
    followerCheckIntervalMs: time('cluster.fault_detection.follower_check.interval'),
    followerCheckTimeoutMs: time('cluster.fault_detection.follower_check.timeout'),
    followerCheckRetryCount: count('cluster.fault_detection.follower_check.retry_count'),
    leaderCheckIntervalMs: time('cluster.fault_detection.leader_check.interval'),
    leaderCheckTimeoutMs: time('cluster.fault_detection.leader_check.timeout'),
    leaderCheckRetryCount: count('cluster.fault_detection.leader_check.retry_count'),
    publishTimeoutMs: time('cluster.publish.timeout'),
    followerLagTimeoutMs: time('cluster.follower_lag.timeout'),
    findPeersIntervalMs: time('discovery.find_peers_interval'),
    autoShrinkVotingConfiguration: settings.boolean('cluster.auto_shrink_voting_configuration'),
  };
}

/** Splits `host`, `host:port`, `[::1]:port` or a bare IPv6 address. */
function splitSeed(seed: string, defaultPort: number): { readonly host: string; readonly port: number } {
  if (isIP(seed) === 6) return { host: seed, port: defaultPort };
  const match = /^\[?(.+?)\]?(?::(\d+))?$/.exec(seed)!;
  return { host: match[1]!, port: match[2] === undefined ? defaultPort : Number(match[2]) };
}

async function addressesOf(seed: string, defaultPort: number): Promise<string[]> {
  const { host, port } = splitSeed(seed, defaultPort);
  if (isIP(host) === 4) return [`${host}:${port}`];
  if (isIP(host) === 6) return [`[${host}]:${port}`];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address, family }) => (family === 6 ? `[${address}]:${port}` : `${address}:${port}`));
}

/** Looks the seed hosts up. Names that the name service does not know are left out. */
export async function seedAddresses({ seedHosts, defaultPort }: ClusterFormation): Promise<string[]> {
  return (await Promise.all(seedHosts.map((seed) => addressesOf(seed, defaultPort)))).flat();
}
