import { emit, type Consensus, persist, setTimer } from './consensus-state.js';
import { scheduleElection } from './mode.js';
import { isQuorum } from './quorum.js';
import { TIMER } from './timer-id.js';

const PLACEHOLDER = '{bootstrap-placeholder}-';

/**
 * Stand-in, in the first voting configuration, for an initial master whose node id is not known yet. It never votes.
 */
export function placeholderOf(nodeName: string): string {
  return PLACEHOLDER + nodeName;
}

/**
 * Runs at start. A single-node cluster takes itself as configuration, or refuses to start if its configuration needs
 * other nodes. Auto-bootstrap starts its timer.
 */
export function startBootstrap(k: Consensus): void {
  const { nodeId, isSingleNode, autoBootstrapAfterMs } = k.config;
  const { acceptedConfig, committedConfig } = k.core.accepted;
  if (isSingleNode && acceptedConfig.length > 0) {
    const alone = [nodeId];
    if (isQuorum(alone, acceptedConfig) && isQuorum(alone, committedConfig)) return;
    const reason =
      `cannot start with [discovery.type] set to [single-node] when local node ${k.config.nodeName} does not have ` +
      `quorum in voting configuration [${acceptedConfig.join(',')}]`;
    emit(k, { type: 'fatal', reason });
  } else if (isSingleNode && k.config.isVoter) setInitialConfig(k, [nodeId]);
  else if (autoBootstrapAfterMs !== null && acceptedConfig.length === 0)
    setTimer(k, TIMER.bootstrap, autoBootstrapAfterMs, 0);
}

function mayBootstrap(k: Consensus): boolean {
  const { acceptedConfig, clusterUuidCommitted } = k.core.accepted;
  return k.mode === 'candidate' && k.config.isVoter && acceptedConfig.length === 0 && !clusterUuidCommitted;
}

/**
 * Bootstraps once this node and more than half of `cluster.initial_master_nodes` are found. Names not found yet are
 * filled with placeholders. Example: of a, b, c, node a sees only b and node b sees only c; with three members each,
 * both configurations need two votes and share b, so that no two clusters can form.
 */
export function tryBootstrap(k: Consensus): void {
  const { initialMasterNodes, nodeId, nodeName } = k.config;
  if (initialMasterNodes.length === 0 || !mayBootstrap(k)) return;
  if (!initialMasterNodes.includes(nodeName) && !initialMasterNodes.includes(nodeId)) return;
  const names = [...new Set(initialMasterNodes)];
  const ids = names.map((name) => idOf(k, name));
  const found = new Set(ids.filter((id) => id !== null));
  if (found.size * 2 <= names.length) return;
  setInitialConfig(k, [...new Set(names.map((name, i) => ids[i] ?? placeholderOf(name)))].sort());
}

function idOf(k: Consensus, name: string): string | null {
  if (name === k.config.nodeName || name === k.config.nodeId) return k.config.nodeId;
  for (const peer of k.peers.values()) {
    if (peer.isVoter && (peer.nodeName === name || peer.nodeId === name)) return peer.nodeId;
  }
  return null;
}

/**
 * Bootstraps without discovery settings: the voter with the smallest id takes all voters found on loopback as
 * configuration; the others wait to join it.
 */
export function onBootstrapTimer(k: Consensus): void {
  if (!mayBootstrap(k)) return;
  const voters = [k.config.nodeId];
  for (const peer of k.peers.values()) if (peer.isVoter) voters.push(peer.nodeId);
  voters.sort();
  if (voters[0] === k.config.nodeId) setInitialConfig(k, voters);
  else setTimer(k, TIMER.bootstrap, k.config.autoBootstrapAfterMs ?? 0, 0);
}

function setInitialConfig(k: Consensus, config: readonly string[]): void {
  k.core.accepted = { ...k.core.accepted, acceptedConfig: config, committedConfig: config };
  persist(k, { type: 'accept', accepted: k.core.accepted });
  k.attempt = 0;
  scheduleElection(k, 0);
}
