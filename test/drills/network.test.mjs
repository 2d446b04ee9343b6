// The cluster that the drills of a network cut: it needs Linux, root and `ip`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { startCluster } from './cluster-nodes.mjs';

const canIsolate = process.getuid?.() === 0 && spawnSync('ip', ['netns', 'list']).status === 0;

test('a node that is cut off from the others leaves the cluster and comes back', {
  skip: canIsolate ? false : 'needs network namespaces',
}, async (t) => {
  const cluster = await startCluster({ isolated: true });
  t.after(async () => {
    await cluster.close();
    fs.rmSync(cluster.folder, { recursive: true, force: true });
  });
  const [eye, , victim] = cluster.nodes;
  for (const other of cluster.nodes.slice(0, 2)) {
    cluster.network.cut(victim.i, other.i);
    cluster.network.cut(other.i, victim.i);
  }
  const ms = await cluster.until('two nodes', async () => (await cluster.health(eye))?.number_of_nodes === 2);
  assert.ok(ms < 13_000, `${ms} ms`);
  cluster.network.heal();
  await cluster.green();
});
