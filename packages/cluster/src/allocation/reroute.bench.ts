import { applyDiff, diffState, stateDigest, type ClusterState } from '@shoal/state';
import { TestCluster, testNode } from './testing/clusters.js';

/**
 * CPU time of reroutes with 10 nodes and 1,000 indices of 5 shards with 1 replica: 10,000 copies. Run: `node
 * packages/cluster/dist/allocation/reroute.bench.js`.
 */
const NODES = 10;
const INDICES = 1_000;
const ROUNDS = 7;

function median(times: number[]): string {
  const sorted = times.sort((a, b) => a - b);
  return `${sorted[sorted.length >> 1]!.toFixed(1)} ms (${sorted[0]!.toFixed(1)} to ${sorted.at(-1)!.toFixed(1)})`;
}

function report(name: string, budgetMs: number, run: () => void): void {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  process.stdout.write(`${name}: ${median(times)}, budget ${budgetMs} ms\n`);
}

function largeCluster(nodes = NODES): TestCluster {
  const c = new TestCluster(Array.from({ length: nodes }, (_, i) => testNode(`n${i}`)));
  c.run('cluster-settings', { persistent: { 'cluster.max_shards_per_node': '5000' }, transient: {} });
  const bodies = Array.from({ length: INDICES }, (_, i) => ({
    name: `i${i}`,
    body: { settings: { number_of_shards: 5, number_of_replicas: 1 } },
  }));
  c.run('create-index', ...bodies);
  c.settle();
  return c;
}

const c = largeCluster();
const whole = c.state;
/** Each round starts with the whole cluster. */
const from =
  (state: ClusterState, change: () => void): (() => void) =>
  () => {
    c.state = state;
    change();
  };

report(
  'reroute of a cluster at rest',
  5,
  from(whole, () => void c.run('reroute', {})),
);
report(
  'create index',
  5,
  from(whole, () => void c.create('another', 1, 1)),
);
report(
  'node-left, 3,000 copies on 3 nodes',
  60,
  from(whole, () => c.leave('n0', 'n1', 'n2')),
);
const left = c.state;
report('its difference', 60, () => void diffState(whole, left));
const diff = JSON.stringify(diffState(whole, left));
process.stdout.write(`size of its difference: ${(diff.length / 1024).toFixed(0)} KiB, budget 400 KiB\n`);
report('difference applied', 20, () => void applyDiff(whole, JSON.parse(diff)));
report(
  'digest after it',
  20,
  () => void stateDigest({ ...left, indices: new Map(left.indices), routing: new Map(left.routing) }),
);
c.nowMs += 60_000;
c.state = left;
report(
  'reroute after the delay',
  60,
  from(left, () => void c.run('reroute', {})),
);
const waiting = c.copies().filter((copy) => copy.state === 'INITIALIZING').length;
process.stdout.write(`copies that initialize then: ${waiting}\n`);

/** A cluster of 32 nodes that was restarted: as many copies can initialize at a time as the budget assumes. */
function restarted(): TestCluster {
  const many = largeCluster(32);
  many.run('elected', {
    nodes: [...many.state.nodes.values()].map((node) => ({ ...node, ephemeralId: `again-${node.id}` })),
  });
  return many;
}

const many = restarted();
const recovering = many.state;
const started = many
  .copies()
  .filter((copy) => copy.state === 'INITIALIZING')
  .slice(0, 1_000)
  .map(({ indexUuid, shard, allocationId }) => ({ indexUuid, shard, allocationId }));
report(`${started.length} shard-started in a batch`, 20, () => {
  many.state = recovering;
  many.run('shard-started', ...started);
});
report(
  'reroute that begins to balance after a node joined',
  20,
  from(whole, () => void c.run('node-join', { nodes: [testNode('n99')] })),
);
