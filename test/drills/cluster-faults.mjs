// Faults of a cluster under constant writes: what is done to it, how long it is disturbed, and that no acknowledged
// write is lost. Usage: npm run drill -- NAME [--runs 1] [--seed N]; names in the table at the end. Those with
// `network` and `disk` need Linux and root.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { sleep } from '../node-process.mjs';
import { request, startCluster } from './cluster-nodes.mjs';
import { startWriters } from './cluster-writers.mjs';
import { numbers } from './history.mjs';

const SETTLE_MS = 2_000;

const others = (cluster, node) => cluster.nodes.filter((other) => other !== node);

/** The node that leads most primaries beside the master. */
async function busiestDataNode(cluster) {
  const master = await cluster.master();
  const primaries = [...(await cluster.primaries('drill')).values()];
  const held = ({ name }) => primaries.filter((of) => of === name).length;
  return others(cluster, master).sort((a, b) => held(b) - held(a))[0];
}

/**
 * Time from `start` until the cluster knows of the loss of a node and all primaries are there again, as `eye` sees it.
 */
async function untilNotRed(cluster, eye, start, nodesLeft, limitMs = 60_000) {
  await cluster.until(
    'not red',
    async () => {
      const health = await cluster.health(eye);
      return health !== null && health.status !== 'red' && health.number_of_nodes === nodesLeft;
    },
    limitMs,
  );
  return Math.round(performance.now() - start);
}

async function untilWrites(cluster, writers, start) {
  await cluster.until('writes of all shards', () => writers.wroteSince(start + 5));
  return Math.round(performance.now() - start);
}

const victimOf = (cluster, kind) => (kind === 'master' ? cluster.master() : busiestDataNode(cluster));

/** SIGKILL of one node, then its return. */
async function kill(cluster, writers, kind) {
  const victim = await victimOf(cluster, kind);
  const eye = others(cluster, victim)[0];
  const start = performance.now();
  await cluster.signal(victim, 'SIGKILL');
  const [notRedMs] = await Promise.all([
    untilNotRed(cluster, eye, start, cluster.nodes.length - 1),
    untilWrites(cluster, writers, start),
  ]);
  await sleep(SETTLE_MS);
  const gapMs = Math.max(...writers.gaps(start));
  const restart = performance.now();
  cluster.start(victim);
  await cluster.green(eye);
  return { notRedMs, gapMs, greenMs: Math.round(performance.now() - restart) };
}

async function killAll(cluster, writers) {
  await Promise.all(cluster.nodes.map((node) => cluster.signal(node, 'SIGKILL')));
  const start = performance.now();
  for (const node of cluster.nodes) cluster.start(node);
  const writesMs = await untilWrites(cluster, writers, start);
  await cluster.green();
  return { writesMs, greenMs: Math.round(performance.now() - start) };
}

/** SIGSTOP for a while: nobody else may be thought dead for it when it goes on. */
async function pause(cluster, writers, kind, ms) {
  const victim = await victimOf(cluster, kind);
  const eye = others(cluster, victim)[0];
  let fewest = cluster.nodes.length;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const health = await cluster.health(eye);
      if (health) fewest = Math.min(fewest, health.number_of_nodes);
      await sleep(50);
    }
  })();
  const start = performance.now();
  await cluster.signal(victim, 'SIGSTOP');
  await sleep(ms);
  await cluster.signal(victim, 'SIGCONT');
  const resumed = performance.now();
  await untilWrites(cluster, writers, start);
  await cluster.green(eye);
  const greenMs = Math.round(performance.now() - resumed);
  await sleep(SETTLE_MS);
  isOver = true;
  await watching;
  const gapMs = Math.max(...writers.gaps(start));
  if (fewest < cluster.nodes.length - 1) throw new Error(`a pause of one node left ${fewest} nodes in the cluster`);
  if (gapMs > 13_000) throw new Error(`no writes for ${gapMs} ms`);
  return { gapMs, greenMs, fewestNodes: fewest };
}

/** One node is cut off without a word, one way or both, and comes back. */
async function partition(cluster, writers, kind, { ways, ms }) {
  const victim = await victimOf(cluster, kind);
  const eye = others(cluster, victim)[0];
  const start = performance.now();
  for (const other of others(cluster, victim)) {
    if (ways !== 'in') cluster.network.cut(victim.i, other.i);
    if (ways !== 'out') cluster.network.cut(other.i, victim.i);
  }
  const notRedMs = await untilNotRed(cluster, eye, start, cluster.nodes.length - 1, ms);
  await untilWrites(cluster, writers, start);
  await sleep(Math.max(0, ms - (performance.now() - start)));
  const gapMs = Math.max(...writers.gaps(start));
  cluster.network.heal();
  const healed = performance.now();
  await cluster.green(eye);
  return { notRedMs, gapMs, greenMs: Math.round(performance.now() - healed) };
}

/** Two nodes do not see each other; the third sees both. */
async function bridge(cluster, writers, ms) {
  const master = await cluster.master();
  const [a, b] = [master, others(cluster, master)[0]];
  const start = performance.now();
  cluster.network.cut(a.i, b.i);
  cluster.network.cut(b.i, a.i);
  await untilWrites(cluster, writers, start + 10);
  await sleep(ms);
  const gapMs = Math.max(...writers.gaps(start));
  cluster.network.heal();
  const healed = performance.now();
  await cluster.green();
  return { gapMs, greenMs: Math.round(performance.now() - healed) };
}

/** SIGTERM, wait, start, green: one node after another, the master last. */
async function rolling(cluster, writers) {
  const master = await cluster.master();
  const stops = [];
  const before = writers.counts.failed;
  const start = performance.now();
  for (const node of [...others(cluster, master), master]) {
    const at = performance.now();
    const { code } = await cluster.signal(node, 'SIGTERM');
    if (code !== 0) throw new Error(`${node.name} ended with ${code}`);
    stops.push(Math.round(performance.now() - at));
    cluster.start(node);
    await cluster.green(others(cluster, node)[0]);
  }
  const failed = writers.counts.failed - before;
  if (failed > 0)
    throw new Error(`${failed} writes failed for a client that tries again: ${JSON.stringify([...writers.errors])}`);
  return {
    stopMs: Math.max(...stops),
    allMs: Math.round(performance.now() - start),
    gapMs: Math.max(...writers.gaps(start)),
    failed,
  };
}

function filesOf(folder, pattern) {
  return fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

/** Bits of one node's stores are turned while it is stopped: its copies are damaged or the bits mean nothing. */
async function corruption(cluster, writers, random) {
  const victim = await busiestDataNode(cluster);
  const eye = others(cluster, victim)[0];
  await request(eye, 'POST', '/drill/_flush', undefined, 30_000);
  await sleep(500);
  await cluster.signal(victim, 'SIGKILL');
  const files = filesOf(path.join(victim.data, 'indices'), /\.(ldb|log)$/).filter(
    (file) => fs.statSync(file).size > 200,
  );
  for (let i = 0; i < 3; i++) {
    for (const file of files) {
      const bytes = fs.readFileSync(file);
      bytes[Math.floor(random() * bytes.length)] ^= 1 << Math.floor(random() * 8);
      fs.writeFileSync(file, bytes);
    }
  }
  const start = performance.now();
  cluster.start(victim);
  await cluster.green(eye);
  const told = (fs.readFileSync(victim.log, 'utf8').match(/corrupt|damaged|checksum/gi) ?? []).length;
  return { files: files.length, greenMs: Math.round(performance.now() - start), linesAboutDamage: told };
}

function fill(name) {
  const file = fs.openSync(name, 'a');
  try {
    for (;;) fs.writeSync(file, Buffer.alloc(64 << 10));
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  } finally {
    fs.closeSync(file);
  }
}

/** The disk of one node fills up and is freed. */
async function fullDisk(cluster, writers, ms) {
  const victim = await busiestDataNode(cluster);
  const filler = path.join(victim.data, 'filler');
  const start = performance.now();
  // What the node frees for itself is taken as well.
  do {
    fill(filler);
    await sleep(50);
  } while (performance.now() - start < ms);
  const gapWhileFullMs = Math.max(...writers.gaps(start));
  fs.rmSync(filler);
  const freed = performance.now();
  await untilWrites(cluster, writers, freed);
  const writesMs = Math.round(performance.now() - freed);
  await cluster.green(others(cluster, victim)[0]);
  if (writesMs > 10_000) throw new Error(`no writes for ${writesMs} ms after there was space`);
  return { gapWhileFullMs, writesMs, greenMs: Math.round(performance.now() - freed) };
}

const smallDisks = {
  // No delayed nodes: a full disk drops out of the watermarks' rules, which look at percentages of small disks.
  settings: { 'cluster.routing.allocation.disk.threshold_enabled': 'false' },
  prepareFolder: ({ data }) => execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', data]),
  after: (cluster) => cluster.nodes.forEach(({ data }) => execFileSync('umount', ['-l', data])),
};

/** By name: what is done, with which cluster. */
export const FAULTS = {
  'kill-data': { fault: (cluster, writers) => kill(cluster, writers, 'data') },
  'kill-master': { fault: (cluster, writers) => kill(cluster, writers, 'master') },
  'kill-all': { fault: killAll },
  'pause-data-5': { fault: (cluster, writers) => pause(cluster, writers, 'data', 5_000) },
  'pause-data-15': { fault: (cluster, writers) => pause(cluster, writers, 'data', 15_000) },
  'pause-master-5': { fault: (cluster, writers) => pause(cluster, writers, 'master', 5_000) },
  'pause-master-15': { fault: (cluster, writers) => pause(cluster, writers, 'master', 15_000) },
  'network-data': {
    cluster: { isolated: true },
    fault: (cluster, writers) => partition(cluster, writers, 'data', { ways: 'both', ms: 20_000 }),
  },
  'network-master': {
    cluster: { isolated: true },
    fault: (cluster, writers) => partition(cluster, writers, 'master', { ways: 'both', ms: 20_000 }),
  },
  'network-data-in': {
    cluster: { isolated: true },
    fault: (cluster, writers) => partition(cluster, writers, 'data', { ways: 'in', ms: 25_000 }),
  },
  'network-master-out': {
    cluster: { isolated: true },
    fault: (cluster, writers) => partition(cluster, writers, 'master', { ways: 'out', ms: 25_000 }),
  },
  'network-bridge': { cluster: { isolated: true }, fault: (cluster, writers) => bridge(cluster, writers, 15_000) },
  rolling: { fault: rolling },
  corruption: { fault: (cluster, writers, random) => corruption(cluster, writers, random) },
  'disk-full': {
    cluster: smallDisks,
    writers: { padding: 4_000 },
    fault: (cluster, writers) => fullDisk(cluster, writers, 10_000),
  },
};

/**
 * Runs one fault `runs` times on one cluster; returns what was measured in each, and the sums of the writers. Throws
 * for a loss.
 */
export async function runFault(name, { runs = 1, seed, onRun = () => undefined, settleMs = SETTLE_MS, ...more } = {}) {
  const { cluster: clusterOptions = {}, writers: writersOptions = {}, fault } = FAULTS[name];
  const cluster = await startCluster(clusterOptions);
  let isWell = false;
  try {
    const writers = await startWriters(cluster, { seed, ...writersOptions, ...more });
    const random = numbers(seed + 1);
    const results = [];
    for (let run = 1; run <= runs; run++) {
      await sleep(settleMs);
      const result = await fault(cluster, writers, random);
      results.push(result);
      onRun(`${name} ${run}: ${JSON.stringify(result)} ${JSON.stringify(writers.counts)}`);
    }
    await sleep(Math.min(settleMs, 500));
    await writers.stop();
    await cluster.green();
    const checked = await writers.verify();
    isWell = true;
    return { results, counts: writers.counts, errors: [...writers.errors], ...checked };
  } finally {
    await cluster.close();
    clusterOptions.after?.(cluster);
    if (isWell) fs.rmSync(cluster.folder, { recursive: true, force: true });
  }
}
