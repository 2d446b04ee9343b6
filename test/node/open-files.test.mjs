// A node whose open files others would like to use up: it goes on, and has files left for its stores.
import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { call, sleep, startNode } from '../node-process.mjs';

/** Opens connections that never send a byte, some at a time; resolves once all are open or refused. */
async function silentConnections(port, count) {
  const sockets = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, () => net.connect(port, '127.0.0.1'));
    sockets.push(...some);
    await Promise.all(
      some.map(
        (socket) =>
          new Promise((resolve) => {
            socket.on('error', resolve);
            socket.once('connect', resolve);
            socket.once('close', resolve);
          }),
      ),
    );
  }
  return sockets;
}

for (const openFiles of [256, 1_024])
  test(`connections that never send a byte leave a node of ${openFiles} open files room to work`, async () => {
    const node = await startNode({
      openFiles,
      settings: { 'discovery.seed_hosts': '127.0.0.1:1', 'cluster.initial_master_nodes': 'n', 'node.name': 'n' },
    });
    const { transport_address: address } = Object.values((await call(node, 'GET', '/_nodes/transport')).body.nodes)[0];
    const sockets = [];
    try {
      sockets.push(...(await silentConnections(node.port, openFiles + 300)));
      sockets.push(...(await silentConnections(Number(address.split(':').at(-1)), openFiles + 300)));
      for (let i = 0; i < 3; i++) {
        const { status } = await call(node, 'PUT', `/i${i}/_doc/1?refresh=true`, { a: 1 });
        assert.equal(status, 201);
      }
      // Memory is looked at five times a second.
      await sleep(1_000);
      const { body } = await call(node, 'GET', '/_nodes/stats/process,http');
      const { process } = Object.values(body.nodes)[0];
      assert.ok(process.open_file_descriptors < openFiles * 0.9, `${process.open_file_descriptors} files`);
      assert.equal((await call(node, 'GET', '/i*/_search')).body.hits.total.value, 3);
    } finally {
      for (const socket of sockets) socket.destroy();
      await node.stop();
    }
  });
