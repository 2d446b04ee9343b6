import assert from 'node:assert/strict';
import type { ClusterService } from '@shoal/cluster';
import { TestCluster, testNode } from '@shoal/cluster/testing';
import type { Coordinator } from '@shoal/coordinator';
import { fakeClock, silentLog } from '@shoal/doors';
import { EVERYBODY } from '@shoal/security';
import { IndexLifecycleRunner } from './index-lifecycle-runner.js';
import { parsePolicy } from './parse-policy.js';

/**
 * CPU time of a poll of the master over 1,000 indices under one policy, none of which has anything to do: all wait for
 * their rollover, or for their age after it. Run: `node packages/automation/dist/lifecycle/poll.bench.js`.
 */
const INDICES = 1_000;
const ROUNDS = 9;
const BUDGET_MS = 50;
const DAY_MS = 86_400_000;

const POLICY = parsePolicy({
  policy: {
    phases: {
      hot: { actions: { set_priority: { priority: 100 }, rollover: { max_age: '30d', max_docs: 1_000 } } },
      warm: { min_age: '7d', actions: { forcemerge: { max_num_segments: 1 } } },
      delete: { min_age: '90d', actions: { delete: {} } },
    },
  },
});

const cluster = new TestCluster(['n1', 'n2', 'n3'].map((id) => testNode(id)));
cluster.run('put-lifecycle-policy', { name: 'p', policy: POLICY, authentication: null });
const bodies = Array.from({ length: INDICES }, (_, i) => ({
  name: `logs${i}-000001`,
  body: {
    settings: { number_of_replicas: 0, 'lifecycle.name': 'p', 'lifecycle.rollover_alias': `logs${i}` },
    aliases: { [`logs${i}`]: { is_write_index: true } },
  },
}));
cluster.run('create-index', ...bodies);
cluster.settle();

let monotonicMs = 0;
let tasks = 0;
const statistics = { docs: { count: 1, deleted: 0 }, store: { size_in_bytes: 100 } };
const runner = new IndexLifecycleRunner({
  cluster: {
    state: () => cluster.state,
    submit: async (task: string, body: unknown) => (tasks++, cluster.run(task, body)),
    waitFor: () => new Promise(() => undefined),
  } as unknown as ClusterService,
  coordinator: {
    broadcast: async (metas: readonly { readonly uuid: string }[]) => ({
      failures: [],
      shards: metas.map(({ uuid }) => ({ indexUuid: uuid, shard: 0, primary: true, body: statistics })),
    }),
  } as unknown as Coordinator,
  downsample: () => Promise.resolve(),
  snapshots: {} as never,
  placeOf: (repository) => ({ repository, folder: '/r' }),
  nodeId: 'n1',
  clock: { ...fakeClock(), now: () => cluster.nowMs, monotonic: () => (monotonicMs += DAY_MS) },
  log: silentLog,
  authorOf: () => EVERYBODY,
});

async function poll(): Promise<number> {
  const start = process.cpuUsage();
  await runner.look();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

process.stdout.write(`the first look, which begins all: ${(await poll()).toFixed(1)} ms\n`);
// Until all indices wait.
for (let before = -1; before !== tasks; ) {
  before = tasks;
  await poll();
}
const managed = [...cluster.state.indices.values()].filter(
  ({ lifecycle }) => lifecycle?.step === 'check-rollover-ready',
);
assert.equal(managed.length, INDICES);
const times: number[] = [];
for (let i = 0; i < ROUNDS; i++) times.push(await poll());
times.sort((a, b) => a - b);
const [first, middle, last] = [times[0]!, times[ROUNDS >> 1]!, times.at(-1)!];
process.stdout.write(
  `a poll: ${middle.toFixed(1)} ms (${first.toFixed(1)} to ${last.toFixed(1)}), budget ${BUDGET_MS} ms\n`,
);
