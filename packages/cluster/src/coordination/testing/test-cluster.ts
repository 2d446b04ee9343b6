import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FakeClock, fakeClock, seededRandom, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { DEFAULT_CONSENSUS_SETTINGS, type ConsensusConfig } from '@shoal/consensus';
import type { ClusterState, NodeInfo } from '@shoal/state';
import { AppliedCluster } from '../applied-cluster.js';
import type { ControlPeer, ControlPeers, ControlPeersListener } from '../control-peers.js';
import { CoordinationNode } from '../coordination-node.js';
import { LeaderDuties } from '../leader-duties.js';
import type { StateLog, StateLogRecord } from '../state-log.js';

const NAMES = ['n1', 'n2', 'n3'];
const PORT = 9300;

/** A cluster in memory: its clock, its links. */
interface TestNetwork {
  readonly clock: FakeClock;
  readonly network: Map<string, Endpoint>;
}

/** A master-eligible data node whose copies start at once. */
export interface TestNode {
  readonly info: NodeInfo;
  readonly cluster: AppliedCluster;
  readonly node: CoordinationNode;
  readonly endpoint: Endpoint;
}

/** Control links of one node over a network in memory. */
export class Endpoint implements ControlPeers {
  readonly network: Map<string, Endpoint>;
  readonly peer: ControlPeer;
  listener: ControlPeersListener | null = null;
  handle: ((from: string, action: string, payload: Uint8Array) => Promise<Uint8Array>) | null = null;
  readonly linked = new Set<string>();
  isDead = false;

  constructor(network: Map<string, Endpoint>, peer: ControlPeer) {
    this.network = network;
    this.peer = peer;
    network.set(peer.node.nodeId, this);
  }

  listen(listener: ControlPeersListener): void {
    this.listener = listener;
  }

  dial(addresses: readonly string[]): void {
    for (const other of this.network.values()) {
      if (other === this || other.isDead || !addresses.includes(other.peer.node.address)) continue;
      queueMicrotask(() => this.#link(other));
    }
  }

  forget(nodeId: string): void {
    this.linked.delete(nodeId);
  }

  async request(nodeId: string, action: string, payload: Uint8Array): Promise<Uint8Array> {
    const other = this.network.get(nodeId);
    if (!other || other.isDead || this.isDead || !this.linked.has(nodeId))
      throw errors.nodeNotConnected(`[${nodeId}] Node not connected`);
    return other.handle!(this.peer.node.nodeId, action, payload);
  }

  close(): void {
    this.isDead = true;
  }

  /** As kill -9: the others learn that the process is gone. */
  die(): void {
    this.isDead = true;
    for (const other of this.network.values()) {
      if (!other.linked.delete(this.peer.node.nodeId) || other.isDead) continue;
      other.listener!.down(this.peer.node.nodeId, 'refused');
    }
  }

  #link(other: Endpoint): void {
    for (const [from, to] of [
      [this, other],
      [other, this],
    ] as const) {
      if (from.linked.has(to.peer.node.nodeId)) continue;
      from.linked.add(to.peer.node.nodeId);
      from.listener?.up(to.peer);
    }
  }
}

/** A state log that survives the node in memory. */
export function memoryLog(records: StateLogRecord[] = []): StateLog & { readonly records: StateLogRecord[] } {
  return {
    records,
    append: async (more) => void records.push(...more),
    compact: async (all) => void records.splice(0, records.length, ...all),
    sizeInBytes: () => records.reduce((sum, record) => sum + record.payload.length, 0),
    close: async () => undefined,
  };
}

function nodeInfo(name: string, life: number): NodeInfo {
  const port = PORT + NAMES.indexOf(name);
  return {
    id: `id-${name}`,
    ephemeralId: `${name}-${life}`,
    name,
    host: '127.0.0.1',
    ip: '127.0.0.1',
    transportAddress: `127.0.0.1:${port}`,
    httpAddress: null,
    roles: ['data', 'master'],
    attributes: {},
    version: '8.12.0',
    dataAddress: `127.0.0.1:${port + 100}`,
  };
}

function consensusConfig({ id, ephemeralId, name, transportAddress }: NodeInfo): ConsensusConfig {
  return {
    nodeId: id,
    ephemeralId,
    nodeName: name,
    address: transportAddress,
    isVoter: true,
    votingOnly: false,
    isSingleNode: false,
    initialMasterNodes: NAMES,
    autoBootstrapAfterMs: null,
    settings: DEFAULT_CONSENSUS_SETTINGS,
  };
}

function controlPeer(info: NodeInfo): ControlPeer {
  const { nodeId, ephemeralId, nodeName, address, isVoter, votingOnly } = consensusConfig(info);
  return { node: { nodeId, ephemeralId, nodeName, address, isVoter, votingOnly }, info };
}

/** Reports each copy of the node that the state has as initializing as started. */
function startShards(state: ClusterState, node: CoordinationNode, nodeId: string): void {
  for (const copy of [...state.routing.values()].flat(2)) {
    if (copy.state !== 'INITIALIZING' || copy.nodeId !== nodeId) continue;
    const { indexUuid, shard, allocationId } = copy;
    const primaryTerm = state.indices.get(indexUuid)!.primaryTerms[shard]!;
    const body = { indexUuid, shard, allocationId, primaryTerm };
    queueMicrotask(() => void node.submit('shard-started', body).catch(() => undefined));
  }
}

/** Starts the process number `life` of a node on its state log. */
export function startNode({ clock, network }: TestNetwork, name: string, life: number, log: StateLog): TestNode {
  const info = nodeInfo(name, life);
  const endpoint = new Endpoint(network, controlPeer(info));
  const cluster = new AppliedCluster({
    clock,
    clusterName: 'test',
    nodeSettings: {},
    localNode: info,
    next: { apply: async (state) => startShards(state, node, info.id) },
    coordination: {
      submit: (...task) => node.submit(...task),
      pendingTasks: () => node.pendingTasks(),
      statistics: () => node.statistics(),
      close: () => node.close(),
    },
  });
  const node: CoordinationNode = new CoordinationNode({
    clock,
    random: seededRandom(PORT + NAMES.indexOf(name) + life),
    log: silentLog,
    localNode: info,
    clusterName: 'test',
    nodeSettings: {},
    stateLog: log,
    peers: endpoint,
    seeds: async () => NAMES.map((_name, i) => `127.0.0.1:${PORT + i}`),
    follower: cluster,
    duties: (master) =>
      new LeaderDuties({ clock, log: silentLog, master, channel: null, nodeSettings: {}, asksForStores: false }),
    onFatal: (error) => assert.fail(error.message),
    consensus: consensusConfig(info),
  });
  endpoint.handle = (from, action, payload) => node.handle(from, action, payload);
  node.start();
  return { info, cluster, node, endpoint };
}

/** Lets time pass in small steps, and everything that hangs on promises happen in between. */
export async function pass(clock: FakeClock, ms: number, until: () => boolean = () => false): Promise<number> {
  for (let passed = 0; passed < ms; passed += 5) {
    if (until()) return passed;
    clock.advance(5);
    await nextTurn();
  }
  return ms;
}

/** Starts three nodes that may all become master. `agreed(n)`: all living nodes have a master and n nodes. */
export async function startCluster() {
  const context = { clock: fakeClock(), network: new Map<string, Endpoint>() };
  const logs = new Map(NAMES.map((name) => [name, memoryLog()]));
  const nodes = new Map(NAMES.map((name) => [name, startNode(context, name, 1, logs.get(name)!)]));
  const master = (): TestNode | undefined =>
    [...nodes.values()].find(
      ({ info, cluster }) => !info.ephemeralId.startsWith('dead') && cluster.state().masterNodeId === info.id,
    );
  const agreed = (count: number): boolean =>
    [...nodes.values()]
      .filter(({ endpoint }) => !endpoint.isDead)
      .every(({ cluster }) => cluster.state().masterNodeId !== null && cluster.state().nodes.size === count);
  return { ...context, nodes, logs, master, agreed };
}

/** The nodes that did not die. */
export const alive = (nodes: Map<string, TestNode>): TestNode[] =>
  [...nodes.values()].filter(({ endpoint }) => !endpoint.isDead);
