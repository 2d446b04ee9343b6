// Starts a cluster of real nodes for tests, a process each, on free ports and in folders of their own.
import { freePort, sleep, startNode, temporaryFolder } from './node-process.mjs';

const FORM_MS_MAX = 30_000;

/** Starts nodes side by side and waits until all are in one cluster. Returns { nodes, stop() }; each node is as of `startNode` with `id` and `name`. */
export async function startCluster({ names = ['n1', 'n2', 'n3'], settings = {} } = {}) {
  const folder = temporaryFolder('cluster');
  const transport = await Promise.all(names.map(freePort));
  const data = await Promise.all(names.map(freePort));
  const seeds = transport.map((port) => `127.0.0.1:${port}`).join(',');
  const common = { 'cluster.name': 'test', 'discovery.seed_hosts': seeds, 'cluster.initial_master_nodes': names.join(','), ...settings };
  const started = await Promise.allSettled(
    names.map((name, i) => startNode({ data: `${folder}/${name}`, settings: { ...common, 'node.name': name, 'transport.port': transport[i], 'transport.data_port': data[i] } })),
  );
  const nodes = started.flatMap(({ status, value }) => (status === 'fulfilled' ? [value] : []));
  const stop = () => Promise.all(nodes.map((node) => node.stop('SIGKILL')));
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  await formed(nodes, names.length);
  const { nodes: infos } = await (await fetch(`${nodes[0].url}/_nodes/_all/http`)).json();
  for (const [i, node] of nodes.entries()) {
    node.name = names[i];
    node.id = Object.entries(infos).find(([, info]) => info.name === names[i])[0];
  }
  return { nodes, stop };
}

async function formed(nodes, count) {
  const end = Date.now() + FORM_MS_MAX;
  for (;;) {
    const counts = await Promise.all(nodes.map(async ({ url }) => (await (await fetch(`${url}/_cluster/health`)).json()).number_of_nodes));
    if (counts.every((seen) => seen === count)) return;
    if (Date.now() > end) throw new Error(`the cluster was not formed after ${FORM_MS_MAX / 1000} s: the nodes see ${counts.join(', ')} nodes`);
    await sleep(20);
  }
}
