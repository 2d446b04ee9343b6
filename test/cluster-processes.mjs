// Starts clusters of real nodes for tests and drills: a process each, on free ports, ended by pid.
import path from 'node:path';
import { freePort, startNode, temporaryFolder } from './node-process.mjs';

/** Distinct free ports: all are taken before the first is given back. */
async function freePorts(count) {
  const ports = new Set();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/**
 * Starts `count` nodes n1 … that form one cluster, and waits until all are in it. `settings` are -E settings of every
 * node, `settingsOf(i)` those of one (0 is the first), other options are those of startNode. Returns { nodes, folder,
 * restart(i), stop() }; `nodes` are results of startNode.
 */
export async function startCluster({ count = 3, settings = {}, settingsOf = () => ({}), ...options } = {}) {
  const folder = temporaryFolder('cluster');
  const ports = await freePorts(count * 3);
  const names = Array.from({ length: count }, (_, i) => `n${i + 1}`);
  const transport = (i) => ports[count + i];
  const started = [];
  const start = async (i) => {
    const node = await startNode({
      data: path.join(folder, names[i]),
      ...options,
      settings: {
        'cluster.name': 'shoal-test',
        'node.name': names[i],
        'http.port': ports[i],
        'transport.port': transport(i),
        'transport.data_port': ports[2 * count + i],
        'discovery.seed_hosts': names.map((_, other) => `127.0.0.1:${transport(other)}`).join(','),
        'cluster.initial_master_nodes': names.join(','),
        ...settings,
        ...settingsOf(i),
      },
    });
    started.push(node);
    return node;
  };
  const nodes = await Promise.all(names.map((_, i) => start(i)));
  const answer = await fetch(`${nodes[0].url}/_cluster/health?wait_for_nodes=${count}&timeout=30s`, {
    headers: nodes[0].headers,
  });
  if (!answer.ok) throw new Error(`the nodes did not find each other: ${await answer.text()}\n${nodes[0].log()}`);
  return {
    nodes,
    folder,
    async restart(i) {
      nodes[i] = await start(i);
      return nodes[i];
    },
    // Also those that a failed test has lost sight of: the process of the test would wait for them for ever.
    stop: (signal) => Promise.all(started.map((node) => node.stop(signal))),
  };
}
