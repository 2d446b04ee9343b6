// node test/bench/many-shards.mjs [--indices 1000] [--shards 3] [--replicas 0] [--nodes 3] [--clients 8] [--threads]
// [--profile DIR] A cluster of processes on this machine with many indices: how fast they are created, what that costs
// each process, how long a published state takes when the cluster is idle, and how long all nodes take to be green
// again after all were stopped (and after all were killed). --threads adds CPU by thread, --profile writes a CPU
// profile of each thread of each process that ends by itself.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { startCluster } from '../cluster-processes.mjs';
import { call, sleep } from '../node-process.mjs';
import { residentMegabytes } from '../resident-memory.mjs';
import { cpuSeconds, threadSeconds } from './processes.mjs';

const { values } = parseArgs({
  options: {
    indices: { type: 'string', default: '1000' },
    shards: { type: 'string', default: '3' },
    replicas: { type: 'string', default: '0' },
    nodes: { type: 'string', default: '3' },
    clients: { type: 'string', default: '8' },
    threads: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const [indices, shards, replicas, count, clients] = ['indices', 'shards', 'replicas', 'nodes', 'clients'].map((name) =>
  Number(values[name]),
);
const copies = indices * shards * (1 + replicas);
const seconds = (from) => (performance.now() - from) / 1000;
const say = (text) => process.stdout.write(`${text}\n`);

function costs(nodes, before) {
  return nodes
    .map(
      (node, i) =>
        `${(cpuSeconds(node.pid) - (before?.[i] ?? 0)).toFixed(1)} s, ${Math.round(residentMegabytes(node.pid))} MB`,
    )
    .join(' | ');
}

function sayThreads(nodes) {
  if (!values.threads) return;
  for (const node of nodes)
    say(
      `    ${threadSeconds(node.pid)
        .slice(0, 6)
        .map(({ name, seconds: spent }) => `${name} ${spent.toFixed(1)}`)
        .join(', ')}`,
    );
}

const settings = { 'cluster.max_shards_per_node': 100_000, 'cluster.routing.allocation.disk.threshold_enabled': false };
const cluster = await startCluster({
  count,
  settings,
  startMsMax: 300_000,
  execArgv: values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : [],
});
const { nodes } = cluster;

async function untilGreen(wanted) {
  for (;;) {
    const health = await call(nodes[0], 'GET', '/_cluster/health').catch(() => null);
    if (health?.body.status === 'green' && health.body.active_shards >= wanted && health.body.number_of_nodes === count)
      return;
    await sleep(50);
  }
}

async function createAll() {
  let next = 0;
  const slow = [];
  const one = async () => {
    while (next < indices) {
      const i = next++;
      const from = performance.now();
      const answer = await call(nodes[i % count], 'PUT', `/index-${i}`, {
        settings: { number_of_shards: shards, number_of_replicas: replicas },
      });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      slow.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
  slow.sort((a, b) => a - b);
  return slow;
}

async function publications() {
  const times = [];
  for (let i = 0; i < 20; i++) {
    const from = performance.now();
    await call(nodes[0], 'PUT', `/index-0/_alias/a${i}`);
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  return times;
}

async function restartAll(signal) {
  await Promise.all(nodes.map((node) => node.stop(signal)));
  const from = performance.now();
  await Promise.all(nodes.map((_, i) => cluster.restart(i)));
  const notRed = seconds(from);
  await untilGreen(copies);
  say(
    `all ${signal === 'SIGKILL' ? 'killed' : 'stopped'}, started again: answering ${notRed.toFixed(1)} s, green ` +
      `${seconds(from).toFixed(1)} s; CPU, RSS: ${costs(nodes)}`,
  );
  sayThreads(nodes);
}

try {
  let before = nodes.map((node) => cpuSeconds(node.pid));
  let from = performance.now();
  const slow = await createAll();
  const created = seconds(from);
  say(
    `${indices} indices with ${copies} copies created by ${clients} clients in ${created.toFixed(1)} s: ` +
      `${(indices / created).toFixed(1)}/s, p50 ${slow[slow.length >> 1].toFixed(0)} ms, max ` +
      `${slow.at(-1).toFixed(0)} ms; CPU, RSS: ${costs(nodes, before)}`,
  );
  await untilGreen(copies);
  say(
    `green after ${seconds(from).toFixed(1)} s (${(copies / seconds(from)).toFixed(0)} copies/s); CPU, RSS: ` +
      `${costs(nodes, before)}`,
  );
  sayThreads(nodes);
  await sleep(3_000);
  before = nodes.map((node) => cpuSeconds(node.pid));
  const times = await publications();
  say(`an alias put into a quiet cluster: p50 ${times[10].toFixed(1)} ms, max ${times.at(-1).toFixed(1)} ms`);
  from = performance.now();
  before = nodes.map((node) => cpuSeconds(node.pid));
  await sleep(5_000);
  say(`idle for 5 s: CPU, RSS: ${costs(nodes, before)}`);
  await restartAll('SIGTERM');
  await restartAll('SIGKILL');
} finally {
  await cluster.stop(values.profile ? 'SIGTERM' : 'SIGKILL');
  fs.rmSync(cluster.folder, { recursive: true, force: true, maxRetries: 5 });
}
