import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeClock, fakeClock, seededRandom, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { DEFAULT_CONSENSUS_SETTINGS } from '@shoal/consensus';
import { type ClusterState, type NodeInfo, nameIndex } from '@shoal/state';
import type { StateLog, StateLogRecord } from './state-log.js';
import { AppliedCluster } from './applied-cluster.js';
import type { ControlPeer, ControlPeers, ControlPeersListener } from './control-peers.js';
import { CoordinationNode } from './coordination-node.js';
import { LeaderDuties } from './leader-duties.js';

const NAMES = ['n1', 'n2', 'n3'];

interface TestNode {
  readonly info: NodeInfo;
  readonly cluster: AppliedCluster;
  readonly node: CoordinationNode;
  readonly endpoint: Endpoint;
}

/** Control links of one node over a network in memory. */
class Endpoint implements ControlPeers {
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

function memoryLog(records: StateLogRecord[] = []): StateLog & { readonly records: StateLogRecord[] } {
  return {
    records,
    append: async (more) => void records.push(...more),
    compact: async (all) => void records.splice(0, records.length, ...all),
    sizeInBytes: () => records.reduce((sum, record) => sum + record.payload.length, 0),
    close: async () => undefined,
  };
}

function startNode(
  context: { clock: FakeClock; network: Map<string, Endpoint> },
  name: string,
  life: number,
  log: StateLog,
): TestNode {
  const { clock, network } = context;
  const port = 9300 + NAMES.indexOf(name);
  const info: NodeInfo = {
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
  const peer: ControlPeer = {
    node: {
      nodeId: info.id,
      ephemeralId: info.ephemeralId,
      nodeName: name,
      address: info.transportAddress,
      isVoter: true,
      votingOnly: false,
    },
    info,
  };
  const endpoint = new Endpoint(network, peer);
  const cluster = new AppliedCluster({
    clock,
    clusterName: 'test',
    nodeSettings: {},
    localNode: info,
    next: { apply: async (state) => startShards(state) },
    coordination: {
      submit: (...task) => node.submit(...task),
      pendingTasks: () => node.pendingTasks(),
      statistics: () => node.statistics(),
      close: () => node.close(),
    },
  });
  const startShards = (state: ClusterState): void => {
    for (const copy of [...state.routing.values()].flat(2)) {
      if (copy.state !== 'INITIALIZING' || copy.nodeId !== info.id) continue;
      const primaryTerm = state.indices.get(copy.indexUuid)!.primaryTerms[copy.shard]!;
      queueMicrotask(
        () =>
          void node
            .submit('shard-started', {
              indexUuid: copy.indexUuid,
              shard: copy.shard,
              allocationId: copy.allocationId,
              primaryTerm,
            })
            .catch(() => undefined),
      );
    }
  };
  const node: CoordinationNode = new CoordinationNode({
    clock,
    random: seededRandom(port + life),
    log: silentLog,
    localNode: info,
    clusterName: 'test',
    nodeSettings: {},
    stateLog: log,
    peers: endpoint,
    seeds: async () => NAMES.map((_name, i) => `127.0.0.1:${9300 + i}`),
    follower: cluster,
    duties: (master) =>
      new LeaderDuties({ clock, log: silentLog, master, ask: null, nodeSettings: {}, asksForStores: false }),
    onFatal: (error) => assert.fail(error.message),
    consensus: {
      nodeId: info.id,
      ephemeralId: info.ephemeralId,
      nodeName: name,
      address: info.transportAddress,
      isVoter: true,
      votingOnly: false,
      isSingleNode: false,
      initialMasterNodes: NAMES,
      autoBootstrapAfterMs: null,
      settings: DEFAULT_CONSENSUS_SETTINGS,
    },
  });
  endpoint.handle = (from, action, payload) => node.handle(from, action, payload);
  node.start();
  return { info, cluster, node, endpoint };
}

/** Lets time pass in small steps, and everything that hangs on promises happen in between. */
async function pass(clock: FakeClock, ms: number, until: () => boolean = () => false): Promise<number> {
  for (let passed = 0; passed < ms; passed += 5) {
    if (until()) return passed;
    clock.advance(5);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return ms;
}

async function startCluster() {
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

const alive = (nodes: Map<string, TestNode>): TestNode[] =>
  [...nodes.values()].filter(({ endpoint }) => !endpoint.isDead);

test('three nodes elect one master and all apply its state', async () => {
  const { clock, nodes, agreed } = await startCluster();
  assert.ok((await pass(clock, 10_000, () => agreed(3))) < 3_000);
  const masters = new Set([...nodes.values()].map(({ cluster }) => cluster.state().masterNodeId));
  assert.equal(masters.size, 1);
  const uuids = new Set([...nodes.values()].map(({ cluster }) => cluster.state().clusterUuid));
  assert.equal(uuids.size, 1);
});

test('a task given to any node runs on the master and is applied everywhere before its answer', async () => {
  const { clock, nodes, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  const other = [...nodes.values()].find((node) => node !== master())!;
  let answer: unknown = null;
  void other.cluster
    .submit('create-index', { name: 'a', body: { settings: { number_of_shards: 3, number_of_replicas: 1 } } })
    .then((value) => (answer = value));
  await pass(clock, 10_000, () => answer !== null);
  assert.equal((answer as { acknowledged: boolean }).acknowledged, true);
  for (const { cluster } of nodes.values()) assert.ok(nameIndex(cluster.state()).has('a'));
  await pass(clock, 5_000, () =>
    [...other.cluster.state().routing.values()].flat(2).every(({ state }) => state === 'STARTED'),
  );
  const copies = [...other.cluster.state().routing.values()].flat(2);
  assert.equal(copies.length, 6);
  assert.ok(copies.every(({ state }) => state === 'STARTED'));
  assert.equal(new Set(copies.map(({ nodeId }) => nodeId)).size, 3);
});

test('when the master dies another takes over and its copies are replaced by in-sync ones', async () => {
  const { clock, nodes, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  let created = false;
  void master()!
    .cluster.submit('create-index', { name: 'a', body: { settings: { number_of_shards: 3, number_of_replicas: 1 } } })
    .then(() => (created = true));
  await pass(
    clock,
    10_000,
    () => created && [...master()!.cluster.state().routing.values()].flat(2).every(({ state }) => state === 'STARTED'),
  );
  const dead = master()!;
  dead.endpoint.die();
  const tookMs = await pass(clock, 10_000, () => agreed(2));
  assert.ok(tookMs < 1_000, `${tookMs} ms`);
  const state = alive(nodes)[0]!.cluster.state();
  assert.notEqual(state.masterNodeId, dead.info.id);
  const primaries = [...state.routing.values()].flat().map((shard) => shard.find(({ primary }) => primary)!);
  assert.ok(primaries.every(({ nodeId, state: copy }) => nodeId !== dead.info.id && copy === 'STARTED'));
});

test('a node that comes back with its log joins again; a task survives the change of masters', async () => {
  const context = await startCluster();
  const { clock, nodes, logs, agreed, master } = context;
  await pass(clock, 10_000, () => agreed(3));
  const dead = master()!;
  dead.endpoint.die();
  const survivor = alive(nodes)[0]!;
  let created: unknown = null;
  void survivor.cluster.submit('create-index', { name: 'b', body: {} }).then((value) => (created = value));
  await pass(clock, 10_000, () => created !== null);
  assert.ok(created);
  nodes.set(dead.info.name, startNode(context, dead.info.name, 2, logs.get(dead.info.name)!));
  await pass(clock, 10_000, () => agreed(3));
  assert.ok(agreed(3));
  assert.ok(nameIndex(nodes.get(dead.info.name)!.cluster.state()).has('b'));
});

test('a node without space for its state log waits, and goes on when there is some', async () => {
  const { clock, nodes, logs, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  const full = [...nodes.values()].find((node) => node !== master())!;
  const log = logs.get(full.info.name)!;
  const append = log.append.bind(log);
  let isFull = true;
  log.append = (records) =>
    isFull ? Promise.reject(new Error('ENOSPC: no space left on device, write')) : append(records);
  void master()!.cluster.submit('create-index', { name: 'a', body: {} });
  await pass(clock, 3_000, () => nameIndex(master()!.cluster.state()).has('a'));
  assert.ok(nameIndex(master()!.cluster.state()).has('a'), 'the others are a quorum');
  assert.ok(!nameIndex(full.cluster.state()).has('a'));
  isFull = false;
  await pass(clock, 3_000, () => nameIndex(full.cluster.state()).has('a'));
  assert.ok(nameIndex(full.cluster.state()).has('a'));
});

test('a node that is excluded from voting has left the voting configuration when the task is answered', async () => {
  const { clock, nodes, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  const excluded = [...nodes.values()].find((node) => node !== master())!;
  assert.equal(master()!.cluster.state().votingConfiguration.length, 3);
  let answer: unknown = null;
  void excluded.cluster
    .submit('add-voting-exclusions', { nodeIds: [], nodeNames: [excluded.info.name] })
    .then((value) => (answer = value));
  await pass(clock, 10_000, () => answer !== null);
  assert.deepEqual(answer, { timedOut: false });
  assert.ok(!master()!.cluster.state().votingConfiguration.includes(excluded.info.id));
  let cleared = false;
  void excluded.cluster.submit('clear-voting-exclusions', {}).then(() => (cleared = true));
  await pass(clock, 10_000, () => cleared && master()!.cluster.state().votingConfiguration.length === 3);
  assert.ok(master()!.cluster.state().votingConfiguration.includes(excluded.info.id));
});

test('whoever waits for events of a priority waits for what was queued with it, and learns the version', async () => {
  const { clock, nodes, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  const other = [...nodes.values()].find((node) => node !== master())!;
  let version = 0;
  void master()!.cluster.submit('create-index', { name: 'a', body: {} });
  void other.cluster
    .submit('health-events-languid', {})
    .then((answer) => ({ version } = answer as { version: number }));
  await pass(clock, 10_000, () => version > 0);
  await pass(clock, 10_000, () => other.cluster.state().version >= version);
  assert.ok(nameIndex(other.cluster.state()).has('a'));
  assert.ok((await other.cluster.statistics()).received.diffs > 0);
});

test('what is refused without a master can be set', async () => {
  for (const [block, levels] of [
    [null, ['write', 'metadata_write']],
    ['metadata_write', ['metadata_write']],
    ['all', ['read', 'write', 'metadata_read', 'metadata_write']],
  ] as const) {
    const { clock, nodes, agreed, master } = await startCluster();
    await pass(clock, 10_000, () => agreed(3));
    let done = block === null;
    if (!done)
      void master()!
        .cluster.submit('cluster-settings', { persistent: { 'cluster.no_master_block': block }, transient: {} })
        .then(() => (done = true));
    await pass(clock, 10_000, () => done);
    const last = [...nodes.values()].find((node) => node !== master())!;
    for (const node of nodes.values()) if (node !== last) node.endpoint.die();
    await pass(clock, 20_000, () => last.cluster.state().masterNodeId === null);
    assert.deepEqual(
      last.cluster.state().blocks.map((one) => [one.id, one.levels]),
      [[2, levels]],
    );
  }
});

test('without a quorum there is no master: tasks wait, then say so', async () => {
  const { clock, nodes, agreed, master } = await startCluster();
  await pass(clock, 10_000, () => agreed(3));
  const left = [...nodes.values()].find((node) => node !== master())!;
  for (const node of nodes.values()) if (node !== left) node.endpoint.die();
  await pass(clock, 15_000, () => left.cluster.state().masterNodeId === null);
  assert.equal(left.cluster.state().masterNodeId, null);
  assert.ok(left.cluster.state().blocks.some(({ description }) => description === 'no master'));
  let failure: unknown = null;
  left.cluster
    .submit('create-index', { name: 'c', body: {} }, { masterTimeoutMs: 2_000 })
    .catch((error: unknown) => (failure = error));
  await pass(clock, 3_000, () => failure !== null);
  assert.equal((failure as { type: string }).type, 'master_not_discovered_exception');
});

test(
  'a task that makes an index and is given twice, as after an ' + 'unknown outcome, makes one and says so both times',
  async () => {
    const { clock, nodes, agreed } = await startCluster();
    await pass(clock, 10_000, () => agreed(3));
    const { node } = [...nodes.values()].find(({ info, cluster }) => cluster.state().masterNodeId === info.id)!;
    const answers: unknown[] = [];
    const payload = Buffer.from(
      JSON.stringify({
        task: 'create-index',
        body: { name: 'twice', body: {}, newIndexUuid: 'chosen-by-the-submitter' },
        options: {},
      }),
    );
    for (let i = 0; i < 2; i++) {
      void node.handle('id-n1', 'master/task', payload).then(
        (answer) => answers.push(JSON.parse(Buffer.from(answer).toString())),
        (error: unknown) => answers.push(error),
      );
      await pass(clock, 10_000, () => answers.length > i);
    }
    assert.deepEqual(
      answers,
      [0, 1].map(() => ({ acknowledged: true, shards_acknowledged: true, index: 'twice' })),
    );
  },
);

test(
  'a task that made an index does not make it again after it was deleted: the files of the deleted one have its ' +
    'uuid',
  async () => {
    const { clock, nodes, agreed } = await startCluster();
    await pass(clock, 10_000, () => agreed(3));
    const { node, cluster } = [...nodes.values()].find((one) => one.cluster.state().masterNodeId === one.info.id)!;
    const answers: unknown[] = [];
    const run = async (task: string, body: object): Promise<void> => {
      const before = answers.length;
      void node.handle('id-n1', 'master/task', Buffer.from(JSON.stringify({ task, body, options: {} }))).then(
        (answer) => answers.push(JSON.parse(Buffer.from(answer).toString())),
        (error: unknown) => answers.push(error),
      );
      await pass(clock, 10_000, () => answers.length > before);
    };
    const create = { name: 'once', body: {}, newIndexUuid: 'chosen-by-the-submitter' };
    await run('create-index', create);
    await run('delete-index', { uuids: ['chosen-by-the-submitter'] });
    await run('create-index', create);
    assert.equal((answers[2] as { type: string }).type, 'index_not_found_exception');
    assert.equal(cluster.state().indices.size, 0);
  },
);
