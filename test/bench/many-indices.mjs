// node test/bench/many-indices.mjs [--counts 100,1000,5000,10000] [--clients 4] [--restart] [--profile DIR]
// One node with ever more empty indices of one shard: processor time of a creation at each count (the last 50), what
// calls over all of them take, how long `GET /` is held meanwhile, resident memory, open descriptors. --restart stops
// the node at the end and tells how long a start takes. --profile writes a CPU profile of each thread.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { call, sleep, startNode, temporaryFolder } from '../node-process.mjs';
import { residentMegabytes } from '../resident-memory.mjs';
import { cpuSeconds } from './processes.mjs';

const { values } = parseArgs({
  options: {
    counts: { type: 'string', default: '100,1000,5000,10000' },
    clients: { type: 'string', default: '4' },
    restart: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const counts = values.counts.split(',').map(Number);
const clients = Number(values.clients);
const LAST = 50;
const CALLS = [
  '/_cluster/health',
  '/_cat/indices',
  '/_cat/shards',
  '/_cluster/state',
  '/_all/_settings',
  '/_all/_mapping',
  '/_stats',
  '/_nodes/stats',
  '/_cat/health',
  '/_resolve/index/*',
  '/index-*/_search',
  '/index-*/_count',
];
const say = (text) => process.stdout.write(`${text}\n`);
const rounded = (number) => number.toFixed(1);
const descriptors = (pid) => fs.readdirSync(`/proc/${pid}/fd`).length;

const data = temporaryFolder('many-indices');
const options = {
  data,
  settings: { 'cluster.max_shards_per_node': 100_000 },
  startMsMax: 600_000,
  execArgv: values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : [],
};
let node = await startNode(options);

async function create(from, to) {
  let next = from;
  const one = async () => {
    while (next < to) {
      const answer = await call(node, 'PUT', `/index-${next++}`, { settings: { number_of_replicas: 0 } });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    }
  };
  const before = cpuSeconds(node.pid);
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, one));
  const created = to - from;
  return {
    cpuMs: ((cpuSeconds(node.pid) - before) / created) * 1000,
    wallMs: (performance.now() - began) / created,
  };
}

/** Asks for `GET /` over and over until `work` is done; returns the longest wait. */
async function longestWait(work) {
  let working = true;
  let longest = 0;
  const asking = (async () => {
    while (working) {
      const began = performance.now();
      await call(node, 'GET', '/');
      longest = Math.max(longest, performance.now() - began);
      await sleep(2);
    }
  })();
  await work();
  working = false;
  await asking;
  return longest;
}

async function timeCall(target) {
  const began = performance.now();
  const before = cpuSeconds(node.pid);
  let status = 0;
  let bytes = 0;
  const held = await longestWait(async () => {
    const answer = await fetch(`${node.url}${target}`);
    status = answer.status;
    bytes = (await answer.arrayBuffer()).byteLength;
    longestTook = performance.now() - began;
  });
  const cpu = (cpuSeconds(node.pid) - before) * 1000;
  say(
    `  ${target.padEnd(20)} ${String(status).padEnd(4)} ${rounded(longestTook).padStart(9)} ms, CPU ` +
      `${cpu.toFixed(0).padStart(6)} ms, GET / held ${rounded(held).padStart(8)} ms, ${bytes} bytes`,
  );
}
let longestTook = 0;

try {
  const idle = { rss: residentMegabytes(node.pid), files: descriptors(node.pid) };
  say(`no indices: ${Math.round(idle.rss)} MB, ${idle.files} descriptors`);
  let made = 0;
  for (const count of counts) {
    const all = await create(made, count - LAST);
    const last = await create(count - LAST, count);
    made = count;
    await sleep(1000);
    const rss = residentMegabytes(node.pid);
    const files = descriptors(node.pid);
    say(
      `${count} indices: creation CPU ${rounded(all.cpuMs)} ms each, the last ${LAST} ${rounded(last.cpuMs)} ms ` +
        `(by the clock ${rounded(last.wallMs)}); ${Math.round(rss)} MB ` +
        `(${rounded(((rss - idle.rss) * 1024) / count)} KB an index), ${files} descriptors`,
    );
    for (const target of CALLS) await timeCall(target);
  }
  if (values.restart) {
    await node.stop('SIGTERM');
    const began = performance.now();
    node = await startNode({ ...options, settings: { ...options.settings, 'http.port': node.port } });
    say(
      `started again: ${rounded((performance.now() - began) / 1000)} s, CPU ${rounded(cpuSeconds(node.pid))} s, ` +
        `${Math.round(residentMegabytes(node.pid))} MB, ${descriptors(node.pid)} descriptors`,
    );
  }
} finally {
  await node.stop(values.profile ? 'SIGTERM' : 'SIGKILL');
}
