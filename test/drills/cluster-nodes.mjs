// A cluster of real processes for drills: kills, stops, starts and, with `isolated`, cuts nodes off from each other:
// each node then runs in a network namespace of its own with one interface for clients and one for the other nodes
// (Linux, root).
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { freePort, root, sleep, temporaryFolder } from '../node-process.mjs';

const bin = path.join(root, 'packages', 'node', 'bin', 'shoal.mjs');
const GREEN_MS_MAX = 90_000;
const NOWHERE = '02:00:00:00:00:01';

const ip = (...args) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();

/** One HTTP request; rejects where no answer came in time. Bodies that are strings are sent as NDJSON. */
export function request(node, method, target, body, timeoutMs = 10_000) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const headers =
    text === undefined
      ? {}
      : {
          'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
          'content-length': Buffer.byteLength(text),
        };
  return new Promise((resolve, reject) => {
    const sent = http.request(
      { host: node.host, port: node.port, method, path: target, headers, agent: node.agent },
      (answer) => {
        let raw = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => (raw += chunk));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode, body: parsed(raw) }));
      },
    );
    const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), timeoutMs);
    sent.on('close', () => clearTimeout(timer));
    sent.on('error', reject);
    sent.end(text);
  });
}

function parsed(raw) {
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

/** Starts `count` nodes and waits for green. `settings` are of all nodes; `folderOf(name)` makes a data folder. */
export async function startCluster({
  count = 3,
  settings = {},
  isolated = false,
  folder = temporaryFolder('cluster'),
  prepareFolder = () => undefined,
} = {}) {
  const network = isolated ? createNetwork(count) : null;
  const nodes = [];
  for (let i = 0; i < count; i++) nodes.push(await describeNode(i, network, folder));
  const seeds = nodes.map(({ transport }) => transport).join(',');
  const names = nodes.map(({ name }) => name).join(',');
  for (const node of nodes) {
    fs.mkdirSync(node.data, { recursive: true });
    prepareFolder(node);
    Object.assign(node.settings, {
      'cluster.name': 'drill',
      'discovery.seed_hosts': seeds,
      'cluster.initial_master_nodes': names,
      ...settings,
    });
  }
  const cluster = createCluster(nodes, network, folder);
  for (const node of nodes) cluster.start(node);
  try {
    await cluster.formed();
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster;
}

async function describeNode(i, network, folder) {
  const name = `n${i + 1}`;
  const [client, peers] = network ? network.addresses[i] : ['127.0.0.1', '127.0.0.1'];
  const port = network ? 9200 : await freePort();
  const transport = network ? 9300 : await freePort();
  const data = path.join(folder, name);
  // A node that is reached over a network does not start with security and without TLS.
  const security = network ? { 'xpack.security.enabled': false } : {};
  const settings = {
    ...security,
    'node.name': name,
    'http.host': client,
    'http.port': port,
    'transport.host': peers,
    'transport.port': transport,
    'transport.data_port': network ? 9400 : await freePort(),
    'path.data': data,
  };
  return {
    i,
    name,
    host: client,
    port,
    transport: `${peers}:${transport}`,
    data,
    settings,
    agent: new http.Agent({ keepAlive: true }),
    child: null,
    log: path.join(folder, `${name}.log`),
    namespace: network?.namespaces[i] ?? null,
  };
}

/** Voters of a cluster of `count` master-eligible nodes: an even number has one vote less. */
const odd = (count) => (count % 2 === 0 ? count - 1 : count);

/**
 * How many nodes vote, by the committed configuration; none while it has placeholders. The first one may have one for
 * a node that joins a moment later: whoever cuts the master off before the next configuration is committed leaves
 * nodes that rightly elect nobody.
 */
async function votersOf(eye) {
  const { body } = await request(eye, 'GET', '/_cluster/state/metadata?filter_path=metadata.cluster_coordination');
  const config = body.metadata?.cluster_coordination?.last_committed_config ?? [];
  return config.some((id) => id.startsWith('{bootstrap-placeholder}')) ? 0 : config.length;
}

const isGreen = (health, count) => health?.status === 'green' && health.number_of_nodes === count;

function createCluster(nodes, network, folder) {
  const isUp = (node) => node.child !== null && node.child.exitCode === null && node.child.signalCode === null;
  const cluster = {
    nodes,
    network,
    folder,
    start(node) {
      const args = [bin, ...Object.entries(node.settings).flatMap(([key, value]) => ['-E', `${key}=${value}`])];
      const out = fs.openSync(node.log, 'a');
      const [command, ...rest] = [
        ...(node.namespace ? ['ip', 'netns', 'exec', node.namespace] : []),
        process.execPath,
        ...args,
      ];
      node.child = spawn(command, rest, { stdio: ['ignore', out, out] });
      fs.closeSync(out);
      node.exited = new Promise((resolve) => node.child.once('exit', (code, signal) => resolve({ code, signal })));
    },
    /** SIGKILL, SIGSTOP, SIGCONT or SIGTERM; resolves at once but for signals that end a process. */
    async signal(node, name) {
      if (isUp(node)) node.child.kill(name);
      return name === 'SIGKILL' || name === 'SIGTERM' ? node.exited : undefined;
    },
    isUp,
    /** What a node says about its cluster; null where it says nothing. */
    health: (node, timeoutMs = 2_000) =>
      request(node, 'GET', '/_cluster/health', undefined, timeoutMs).then(
        ({ status, body }) => (status === 200 ? body : null),
        () => null,
      ),
    async until(what, condition, limitMs = GREEN_MS_MAX) {
      const start = performance.now();
      for (;;) {
        if (await condition()) return performance.now() - start;
        if (performance.now() - start > limitMs)
          throw new Error(`${what}: not within ${limitMs / 1000} s; logs in ${folder}`);
        await sleep(20);
      }
    },
    green: (eye = nodes[0], count = nodes.length) =>
      cluster.until('green', async () => isGreen(await cluster.health(eye), count)),
    /** Green for the first time, with the votes of all; throws at once where a node does not even start. */
    formed: () =>
      cluster.until('green, and all voters known', async () => {
        const ended = nodes.find((node) => !isUp(node));
        if (ended)
          throw new Error(`${ended.name} ended at its start:\n${fs.readFileSync(ended.log, 'utf8').slice(-2_000)}`);
        return isGreen(await cluster.health(nodes[0]), nodes.length) && (await votersOf(nodes[0])) >= odd(nodes.length);
      }),
    async master(eye = nodes.find(isUp)) {
      const { body } = await request(eye, 'GET', '/_cat/master?format=json');
      return nodes.find(({ name }) => name === body[0]?.node);
    },
    /** By shard: the node of its primary. */
    async primaries(index, eye = nodes.find(isUp)) {
      const { body } = await request(eye, 'GET', `/_cat/shards/${index}?format=json&h=shard,prirep,state,node`);
      return new Map(body.filter(({ prirep }) => prirep === 'p').map(({ shard, node }) => [Number(shard), node]));
    },
    async close() {
      for (const node of nodes)
        if (node.child) await cluster.signal(node, 'SIGCONT').then(() => cluster.signal(node, 'SIGKILL'));
      for (const node of nodes) node.agent.destroy();
      network?.remove();
    },
  };
  return cluster;
}

/**
 * A namespace for each node: `c` reaches the clients' bridge, `p` that of the nodes. Packets from one node to another
 * are dropped without a word when its table of neighbours has an address for the other that nobody has.
 */
function createNetwork(count) {
  const tag = `sd${process.pid % 10_000}`;
  const subnet = 1 + (process.pid % 200);
  const bridges = [`${tag}c`, `${tag}p`];
  const namespaces = Array.from({ length: count }, (_, i) => `${tag}n${i}`);
  const addresses = namespaces.map((_, i) => [`10.88.${subnet}.${i + 10}`, `10.89.${subnet}.${i + 10}`]);
  for (const bridge of bridges) ip('link', 'add', bridge, 'type', 'bridge');
  ip('addr', 'add', `10.88.${subnet}.1/24`, 'dev', bridges[0]);
  for (const bridge of bridges) ip('link', 'set', bridge, 'up');
  namespaces.forEach((name, i) => joinNetwork(name, `${tag}${i}`, bridges, addresses[i]));
  const macs = namespaces.map((name) => JSON.parse(ip('-n', name, '-j', 'link', 'show', 'p'))[0].address);
  const see = (from, to, mac) =>
    ip('-n', namespaces[from], 'neigh', 'replace', addresses[to][1], 'lladdr', mac, 'dev', 'p', 'nud', 'permanent');
  return {
    namespaces,
    addresses,
    /** Packets from `from` to `to` vanish; the other way is open. */
    cut: (from, to) => see(from, to, NOWHERE),
    heal: () => namespaces.forEach((_, i) => namespaces.forEach((__, j) => i !== j && see(i, j, macs[j]))),
    remove() {
      // Those of a namespace would go with it, but some time later: the next network has the same names.
      namespaces.forEach((_, i) => ENDS.forEach((end) => ip('link', 'del', outsideOf(`${tag}${i}`, end))));
      for (const name of namespaces) ip('netns', 'del', name);
      for (const bridge of bridges) ip('link', 'del', bridge);
    },
  };
}

/** A node's interfaces, for clients and for the other nodes. */
const ENDS = ['c', 'p'];
const outsideOf = (tag, end) => `${tag}${end}x`;

function joinNetwork(name, tag, bridges, addresses) {
  ip('netns', 'add', name);
  ip('-n', name, 'link', 'set', 'lo', 'up');
  ENDS.forEach((end, k) => {
    const outside = outsideOf(tag, end);
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', end, 'netns', name);
    ip('link', 'set', outside, 'master', bridges[k], 'up');
    ip('-n', name, 'addr', 'add', `${addresses[k]}/24`, 'dev', end);
    ip('-n', name, 'link', 'set', end, 'up');
  });
}
