import type { ShardStoreInfo } from '../context.js';
import { createIndexMappings } from '../../metadata/index-mappings.js';
import { TASKS } from '../../tasks/catalogue.js';
import { isResult, runBatch } from '../../tasks/run-batch.js';
import type { TaskContext } from '../../tasks/task.js';
import { type ClusterState, type NodeInfo, type ShardRouting, emptyState, nameIndex } from '@shoal/state';
import { primaryOf } from '../copies.js';

/** Makes a node for tests. */
export function testNode(id: string, changes: Partial<NodeInfo> = {}): NodeInfo {
  return {
    id,
    ephemeralId: `e-${id}`,
    name: id,
    host: `host-${id}`,
    ip: '127.0.0.1',
    transportAddress: `127.0.0.1:${9300 + Number(id.replace(/\D/g, '') || 0)}`,
    httpAddress: null,
    roles: ['data', 'master'],
    attributes: {},
    version: '8.12.0',
    dataAddress: null,
    ...changes,
  };
}

/** A cluster for tests that runs tasks at once. Its data nodes do nothing: tests report started and failed copies. */
export class TestCluster {
  state: ClusterState;
  nowMs = 1_700_000_000_000;
  /** Members that are added to every context. */
  extra: Partial<TaskContext> = {};
  readonly #mappings = createIndexMappings();
  #ids = 0;
  /** Whether `#disks` is kept. */
  #keepsStores = false;
  /** Allocation ids by shard, then by node, of copies that started there. */
  readonly #disks = new Map<string, Map<string, string>>();

  constructor(nodes: readonly NodeInfo[] = []) {
    this.state = {
      ...emptyState(),
      clusterName: 'test',
      masterNodeId: nodes[0]?.id ?? null,
      nodes: new Map(nodes.map((node) => [node.id, node])),
    };
  }

  get context(): TaskContext {
    return {
      nowMs: this.nowMs,
      newUuid: () => `id${String(this.#ids++).padStart(4, '0')}`,
      nodeSettings: {},
      mappings: this.#mappings,
      ...this.extra,
    };
  }

  /** Gives allocation a list of stores: each copy that ever started on a node. */
  withStores(): this {
    this.#keepsStores = true;
    this.#recordStores();
    this.extra = { ...this.extra, stores: (uuid, shard) => this.stores(uuid, shard) };
    return this;
  }

  /** Returns the stores of a shard on the nodes of the cluster. */
  stores(uuid: string, shard: number): ShardStoreInfo[] {
    const found = [...(this.#disks.get(`${uuid}/${shard}`) ?? [])].filter(([nodeId]) => this.state.nodes.has(nodeId));
    return found.map(([nodeId, allocationId]) => ({
      nodeId,
      allocationId,
      prevAllocationId: null,
      damaged: false,
      term: 1,
      maxSeqNo: 0,
      globalCheckpoint: 0,
      segmentHashes: 0,
    }));
  }

  #recordStores(): void {
    if (!this.#keepsStores) return;
    for (const copy of this.copies()) {
      if (copy.state !== 'STARTED') continue;
      const key = `${copy.indexUuid}/${copy.shard}`;
      this.#disks.set(key, (this.#disks.get(key) ?? new Map<string, string>()).set(copy.nodeId!, copy.allocationId!));
    }
  }

  /** Runs a batch of tasks of one kind. Throws the error of the first task. */
  run(name: string, ...bodies: readonly unknown[]): unknown {
    const task = TASKS.get(name)!;
    const { state, outcomes } = runBatch(
      this.state,
      bodies.map((body) => ({ task, body })),
      this.context,
    );
    this.state = state;
    this.#recordStores();
    for (const outcome of outcomes) if (!isResult(outcome)) throw outcome;
    const last = outcomes.at(-1);
    return last && isResult(last) ? last.answer : undefined;
  }

  create(name: string, shards: number, replicas: number, settings: Readonly<Record<string, unknown>> = {}): string {
    this.run('create-index', {
      name,
      body: { settings: { number_of_shards: shards, number_of_replicas: replicas, ...settings } },
    });
    return this.uuid(name);
  }

  uuid(name: string): string {
    return nameIndex(this.state).get(name)!.uuid;
  }

  copies(): ShardRouting[] {
    return [...this.state.routing.values()].flat(2);
  }

  /** Starts all initializing copies once; false if there were none. */
  startAll(): boolean {
    const bodies = this.copies()
      .filter((copy) => copy.state === 'INITIALIZING')
      .map(({ indexUuid, shard, allocationId }) => ({ indexUuid, shard, allocationId }));
    if (bodies.length > 0) this.run('shard-started', ...bodies);
    return bodies.length > 0;
  }

  /** Starts copies and reroutes until nothing changes. Returns the number of rounds. */
  settle(roundsMax = 500): number {
    for (let round = 0; round < roundsMax; round++) {
      const before = this.state;
      this.run('reroute', {});
      if (!this.startAll() && this.state === before) return round;
    }
    throw new Error('the cluster does not come to rest');
  }

  leave(...ids: readonly string[]): void {
    this.run('node-left', {
      nodes: ids.map((id) => ({ id, ephemeralId: this.state.nodes.get(id)!.ephemeralId })),
      reason: 'disconnected',
    });
  }

  /**
   * Prints one line for each shard: its copies as `P:n1 R:n2`, in lower case if not active, relocations with an arrow.
   */
  picture(name: string): string[] {
    const table = this.state.routing.get(this.uuid(name))!;
    return table.map((copies) => copies.map(describe).join(' '));
  }
}

function describe(copy: ShardRouting): string {
  const role = copy.primary ? 'P' : 'R';
  const shown = copy.state === 'STARTED' || copy.state === 'RELOCATING' ? role : role.toLowerCase();
  const moving =
    copy.relocatingNodeId === null
      ? ''
      : copy.state === 'RELOCATING'
        ? `>${copy.relocatingNodeId}`
        : `<${copy.relocatingNodeId}`;
  return `${shown}:${copy.nodeId ?? '-'}${moving}`;
}

/** A cluster of data nodes with these ids. */
export const cluster = (...ids: string[]): TestCluster => new TestCluster(ids.map((id) => testNode(id)));

/** How many copies each node has. */
export function counts(c: TestCluster): Record<string, number> {
  const result: Record<string, number> = Object.fromEntries([...c.state.nodes.keys()].map((id) => [id, 0]));
  for (const copy of c.copies()) if (copy.nodeId !== null) result[copy.nodeId]!++;
  return result;
}

/** The primary of a shard; there has to be one. */
export function primary(c: TestCluster, name: string, shard = 0): ShardRouting {
  return primaryOf(c.state.routing.get(c.uuid(name))![shard]!)!;
}

/** Allocation ids of a shard that are in sync. */
export const inSync = (c: TestCluster, name: string, shard = 0): readonly string[] =>
  c.state.indices.get(c.uuid(name))!.inSync[shard]!;
/** Primary term of a shard. */
export const term = (c: TestCluster, name: string, shard = 0): number =>
  c.state.indices.get(c.uuid(name))!.primaryTerms[shard]!;

/** One shard with an in-sync copy on n1 and n2, then all nodes restarted. */
export function restarted(): { c: TestCluster; ids: readonly string[] } {
  const c = cluster('n1', 'n2', 'n3');
  c.create('books', 1, 1, { 'routing.allocation.include._name': 'n1,n2' });
  c.settle();
  const ids = inSync(c, 'books');
  c.extra = { stores: () => 'unknown' };
  c.run('elected', {
    nodes: ['n1', 'n2', 'n3'].map((id) => testNode(id, { ephemeralId: `again-${id}` })),
    masterNodeId: 'n2',
  });
  return { c, ids };
}
