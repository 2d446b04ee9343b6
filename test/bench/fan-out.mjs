// node test/bench/fan-out.mjs [--documents 60000] [--requests 2000] [--warm-up 10000] [--only NAME] [--shards 3]
// [--replicas 1] [--clients 4] [--profile DIR] What a request costs on three nodes compared with one: the same log
// lines in an index of several shards, the same requests from clients that take the nodes in turn; prints CPU per
// request, summed over the processes, and the ratio. On one node there are no replicas. Between the two: three nodes
// that know nothing of each other, each with all of the lines. Three processes compile the code three times and share
// the caches of the machine: that is no price of messages, what the cluster costs beyond it is. The three take turns,
// and the figure of each is the middle one of its turns: a machine that others use changes its speed by more than is
// measured here. Each node answers `--warm-up` requests of a kind first, a tenth as many bulks: with fewer than the
// default it is code that is not compiled yet which is measured, up to twice as much, and three processes compile three
// times as long as one.
import fs from 'node:fs';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { startCluster } from '../cluster-processes.mjs';
import { call, sleep } from '../node-process.mjs';
import { cpuSeconds } from './processes.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '60000' },
    requests: { type: 'string', default: '2000' },
    'warm-up': { type: 'string', default: '10000' },
    only: { type: 'string' },
    shards: { type: 'string', default: '3' },
    replicas: { type: 'string', default: '1' },
    clients: { type: 'string', default: '4' },
    profile: { type: 'string' },
  },
});
const [documents, requests, warmUp, shards, replicas, clients] = [
  'documents',
  'requests',
  'warm-up',
  'shards',
  'replicas',
  'clients',
].map((name) => Number(values[name]));
const BULK = 500;
/** A bulk takes as long as so many searches. */
const SEARCHES_PER_BULK = 10;
const TURNS = 5;
const say = (text) => process.stdout.write(`${text}\n`);

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function numbers(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS = (
  'connection timeout while reading response from upstream server started request finished cache miss user session ' +
  'token refused disk write retry queue worker thread memory limit closed socket packet lost route table update ' +
  'failed backup copied index shard replica'
).split(' ');
const pick = (next, list) => list[Math.floor(next() ** 2 * list.length)];

function line(next, i) {
  const message = Array.from({ length: 8 + Math.floor(next() * 12) }, () => pick(next, WORDS)).join(' ');
  return {
    '@timestamp': new Date(1_700_000_000_000 + i * 1_000).toISOString(),
    level: pick(next, ['INFO', 'DEBUG', 'WARN', 'ERROR']),
    host: `host-${Math.floor(next() * 50)}`,
    status: 200 + Math.floor(next() * 4) * 100,
    bytes: Math.floor(next() * 100_000),
    message,
  };
}

function bulkBody(next, from, count) {
  return Array.from({ length: count }, (_, i) => `{"index":{}}\n${JSON.stringify(line(next, from + i))}\n`).join('');
}

const MAPPING = {
  properties: {
    '@timestamp': { type: 'date' },
    level: { type: 'keyword' },
    host: { type: 'keyword' },
    status: { type: 'integer' },
    bytes: { type: 'long' },
    message: { type: 'text' },
  },
};

/** By name: body of a request; searches where not said otherwise. */
const REQUESTS = {
  'match, 10 hits': (next) => ({ query: { match: { message: `${pick(next, WORDS)} ${pick(next, WORDS)}` } } }),
  'term sorted by time, 10 hits': (next) => ({
    size: 10,
    query: { term: { host: `host-${Math.floor(next() * 50)}` } },
    sort: [{ '@timestamp': 'desc' }],
  }),
  'match, 50 hits': (next) => ({ size: 50, query: { match: { message: pick(next, WORDS) } } }),
  'bool, terms of a keyword': (next) => ({
    size: 0,
    query: {
      bool: {
        filter: [
          { term: { level: pick(next, ['INFO', 'WARN', 'ERROR']) } },
          { range: { bytes: { gte: Math.floor(next() * 50_000) } } },
        ],
      },
    },
    aggs: { hosts: { terms: { field: 'host' } } },
  }),
  'histogram of a term': (next) => ({
    size: 0,
    query: { term: { host: `host-${Math.floor(next() * 50)}` } },
    aggs: {
      per: {
        date_histogram: { field: '@timestamp', fixed_interval: '1h' },
        aggs: { bytes: { avg: { field: 'bytes' } } },
      },
    },
  }),
};

const agent = new http.Agent({ keepAlive: true });

function send(node, method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': path.includes('_bulk') ? 'application/x-ndjson' : 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const request = http.request({ host: '127.0.0.1', port: node.port, method, path, agent, headers }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () =>
        answer.statusCode < 300 ? resolve(Buffer.concat(parts)) : reject(new Error(Buffer.concat(parts).toString())),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends so many requests over all clients; returns how long each took, in rising order. */
async function sendMany(nodes, make, count) {
  const took = [];
  let turn = 0;
  const client = async () => {
    while (turn < count) {
      const node = nodes[turn % nodes.length];
      const request = make(turn++);
      const from = performance.now();
      await send(node, ...request);
      took.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return took.sort((a, b) => a - b);
}

/** CPU seconds that all nodes spend while `work` runs, and how many seconds that takes. */
async function spent(nodes, work) {
  const before = nodes.map((node) => cpuSeconds(node.pid));
  const from = performance.now();
  const result = await work();
  return {
    result,
    cpu: nodes.reduce((sum, node, i) => sum + cpuSeconds(node.pid) - before[i], 0),
    passed: (performance.now() - from) / 1_000,
  };
}

/** CPU seconds per second of nodes that nobody asks anything. */
async function idleShare(nodes) {
  await sleep(2_000);
  const { cpu, passed } = await spent(nodes, () => sleep(5_000));
  return cpu / passed;
}

const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * Of each of `sides` { nodes, idle }: milliseconds of CPU per request beside what its nodes spend anyway, and how long
 * the one in the middle took, once every node has done it so often that its code is compiled.
 */
async function measure(sides, make, searchesPerRequest = 1) {
  const count = requests / searchesPerRequest;
  for (const { nodes } of sides) await sendMany(nodes, make, (warmUp / searchesPerRequest) * nodes.length);
  const turns = sides.map(() => []);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, { nodes, idle }] of sides.entries()) {
      const { result: took, cpu, passed } = await spent(nodes, () => sendMany(nodes, make, Math.ceil(count / TURNS)));
      turns[i].push({ cpuMs: ((cpu - idle * passed) * 1_000) / took.length, medianMs: middle(took) });
    }
  }
  return turns.map((of) => ({
    cpuMs: middle(of.map(({ cpuMs }) => cpuMs)),
    medianMs: middle(of.map(({ medianMs }) => medianMs)),
  }));
}

const search = (name) => {
  const next = numbers(7);
  return () => ['POST', '/logs/_search?request_cache=false', JSON.stringify(REQUESTS[name](next))];
};

async function load(node, numberOfReplicas) {
  await call(node, 'PUT', '/logs', {
    settings: { number_of_shards: shards, number_of_replicas: numberOfReplicas, refresh_interval: '-1' },
    mappings: MAPPING,
  });
  await call(node, 'GET', '/_cluster/health?wait_for_status=green&timeout=60s');
  const next = numbers(1);
  for (let i = 0; i < documents; i += BULK) await send(node, 'POST', '/logs/_bulk', bulkBody(next, i, BULK));
  await call(node, 'POST', '/logs/_forcemerge?max_num_segments=1');
  await call(node, 'POST', '/logs/_refresh');
}

/**
 * Starts so many clusters of so many nodes each, with the log lines; what is started is in `side` at once, to be
 * stopped if the rest fails.
 */
async function open(side, clusterCount, count) {
  const execArgv = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}/${side.name}`] : [];
  const settings = { 'cluster.routing.allocation.disk.threshold_enabled': false };
  for (let i = 0; i < clusterCount; i++) {
    const cluster = await startCluster({ count, settings, execArgv });
    side.clusters.push(cluster);
    side.firsts.push(cluster.nodes[0]);
    side.nodes.push(...cluster.nodes);
    await load(cluster.nodes[0], side.replicas);
  }
}

async function close({ clusters }) {
  for (const cluster of clusters) {
    await cluster.stop(values.profile ? 'SIGTERM' : 'SIGKILL');
    fs.rmSync(cluster.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const row = (...texts) =>
  say([texts[0].padEnd(30), ...texts.slice(1).map((text) => text.padEnd(21))].join(' ').trimEnd());

function report(name, [one, apart, together]) {
  const cells = [one, apart, together].map(
    ({ cpuMs, medianMs }) => `${cpuMs.toFixed(2)} ms, ${medianMs.toFixed(1)} ms`,
  );
  row(name, ...cells, (together.cpuMs / one.cpuMs).toFixed(2), (together.cpuMs / apart.cpuMs).toFixed(2));
}

const sides = [];
try {
  for (const [name, clusterCount, count] of [
    ['one', 1, 1],
    ['apart', 3, 1],
    ['together', 1, 3],
  ]) {
    const side = { name, clusters: [], firsts: [], nodes: [], replicas: count > 1 ? replicas : 0, idle: 0 };
    sides.push(side);
    await open(side, clusterCount, count);
  }
  for (const side of sides) side.idle = await idleShare(side.nodes);
  say(`idle: ${sides.map(({ name, idle }) => `${name} ${(idle * 100).toFixed(1)} %`).join(', ')} of a core`);
  row('request: CPU, median', 'one node', 'three apart', 'three together', 'together/one', 'together/apart');
  for (const name of Object.keys(REQUESTS)) {
    if (values.only === undefined || name.startsWith(values.only)) report(name, await measure(sides, search(name)));
  }
  if (values.only === undefined || values.only === 'bulk') {
    for (const side of sides) {
      for (const node of side.firsts)
        await call(node, 'PUT', '/more', {
          settings: { number_of_shards: shards, number_of_replicas: side.replicas },
          mappings: MAPPING,
        });
    }
    const one = numbers(3);
    report(
      'bulk of 500',
      await measure(sides, (i) => ['POST', '/more/_bulk', bulkBody(one, i * BULK, BULK)], SEARCHES_PER_BULK),
    );
  }
} finally {
  for (const side of sides) await close(side);
  agent.destroy();
}
