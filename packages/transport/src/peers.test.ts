import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grpcWorld } from './test/grpc-world.js';
import { simulatedWorld } from './test/simulated-world.js';
import type { World } from './test/world.js';
import { createPeers, type Peers, type PeersOptions } from './peers.js';
import type { PeerNode, Transport, TransportHandler } from './types.js';

const NEVER: TransportHandler = () => new Promise(() => undefined);

interface Told {
  readonly peers: Peers;
  readonly events: string[];
}

function peersOf(world: World, transport: Transport, options: Partial<PeersOptions> = {}): Told {
  const events: string[] = [];
  const peers = createPeers(transport, {
    clock: world.clock,
    log: world.log,
    onUp: (id, identity) => events.push(`up ${id} ${identity.ephemeralId}`),
    onDown: (id, how) => events.push(`down ${id} ${how}`),
    ...options,
  });
  return { peers, events };
}

const nodeOf = (world: World, id: string, transport: Transport, start = 1): PeerNode => ({
  id,
  ephemeralId: `${id}-${start}`,
  name: `name-${id}`,
  address: world.addressOf(transport),
});

const worlds: readonly [string, () => World][] = [
  ['grpc', grpcWorld],
  ['simulated', simulatedWorld],
];

for (const [name, createWorld] of worlds) {
  const inWorld = (sentence: string, body: (world: World) => Promise<void>): void => {
    test(`${name} peers: ${sentence}`, { timeout: 20_000 }, async () => {
      const world = createWorld();
      try {
        await body(world);
      } finally {
        await world.close();
      }
    });
  };

  inWorld(
    'a request to a node that was just added waits for the dial, one to an unknown node fails at once',
    async (world) => {
      const b = await world.open({ id: 'b' });
      const { peers, events } = peersOf(world, await world.open({ id: 'a' }));
      const channel = peers.channel('b', 'data');
      await assert.rejects(channel.request('x', new Uint8Array()), {
        type: 'node_not_connected_exception',
        reason: '[b] Node not connected',
      });
      peers.update([nodeOf(world, 'b', b)]);
      assert.deepEqual([...(await world.pass(channel.request('x', new Uint8Array([4]), { timeoutMs: 5_000 })))], [4]);
      assert.deepEqual([...(await world.pass(peers.channel('b', 'recovery').request('x', new Uint8Array([5]))))], [5]);
      assert.deepEqual(events, ['up b b-1']);
      peers.close();
    },
  );

  inWorld('a node that leaves fails its requests at once and is not told as down', async (world) => {
    const b = await world.open({ id: 'b', handler: NEVER });
    const { peers, events } = peersOf(world, await world.open({ id: 'a' }));
    peers.update([nodeOf(world, 'b', b)]);
    await world.until(() => peers.isUp('b'));
    const answer = peers.channel('b', 'control').request('x', new Uint8Array());
    peers.update([]);
    await assert.rejects(world.pass(answer), { type: 'node_disconnected_exception' });
    await assert.rejects(peers.channel('b', 'control').request('x', new Uint8Array()), {
      type: 'node_not_connected_exception',
    });
    assert.deepEqual(events, ['up b b-1']);
  });

  inWorld(
    'broken connections to a living node evict nobody: its requests fail and the next ones go through',
    async (world) => {
      const b = await world.open({
        id: 'b',
        handler: async (_from, action, payload) =>
          action === 'never'
            ? NEVER(_from, action, payload, new AbortController().signal, {
                deadlineMs: null,
                parentTask: null,
                traceId: null,
                linkClass: 'data',
              })
            : payload,
      });
      const { peers, events } = peersOf(world, await world.open({ id: 'a' }), { probeTimeoutMs: 2_000 });
      peers.update([nodeOf(world, 'b', b)]);
      await world.until(() => peers.isUp('b'));
      const channel = peers.channel('b', 'data');
      assert.equal((await world.pass(channel.request('x', new Uint8Array(1)))).length, 1);
      const answer = channel.request('never', new Uint8Array());
      world.sever();
      await assert.rejects(world.pass(answer), { type: 'node_disconnected_exception' });
      assert.equal((await world.pass(channel.request('x', new Uint8Array(2)))).length, 2);
      assert.deepEqual(events, ['up b b-1']);
      peers.close();
    },
  );

  inWorld(
    'a node that closed is proved down once, refuses requests at once, and is up again when it is back',
    async (world) => {
      const b = await world.open({ id: 'b' });
      const { peers, events } = peersOf(world, await world.open({ id: 'a' }));
      const address = b.boundAddress;
      peers.update([{ ...nodeOf(world, 'b', b), address }]);
      await world.until(() => peers.isUp('b'));
      await world.pass(b.close());
      await world.until(() => events.length === 2);
      await assert.rejects(peers.channel('b', 'data').request('x', new Uint8Array()), {
        type: 'node_not_connected_exception',
        reason: `[name-b][${address}] Node not connected`,
      });
      assert.deepEqual(events, ['up b b-1', 'down b refused']);
      peers.close();
    },
  );

  inWorld('another process at the address of a node is not taken for it', async (world) => {
    const b = await world.open({ id: 'b', facts: { ephemeralId: 'b-2' } });
    const { peers, events } = peersOf(world, await world.open({ id: 'a' }), { probeTimeoutMs: 2_000 });
    peers.update([nodeOf(world, 'b', b)]);
    await assert.rejects(world.pass(peers.channel('b', 'data').request('x', new Uint8Array())), {
      type: 'node_not_connected_exception',
    });
    await world.until(() => events.length === 1);
    assert.deepEqual(events, ['down b replaced']);
    peers.update([nodeOf(world, 'b', b, 2)]);
    await world.until(() => events.length === 2);
    assert.deepEqual(events[1], 'up b b-2');
    peers.close();
  });

  inWorld('silence counts as down after the proof', async (world) => {
    const b = await world.open({ id: 'b' });
    const { peers, events } = peersOf(world, await world.open({ id: 'a' }), { connectTimeoutMs: 200 });
    world.silence();
    peers.update([nodeOf(world, 'b', b)]);
    await world.until(() => events.length === 1);
    assert.deepEqual(events, ['down b silent']);
    peers.close();
  });
}

test('a request that waits for a dial ends with its deadline and with its caller', async () => {
  const world = simulatedWorld();
  const b = await world.open({ id: 'b' });
  const { peers } = peersOf(world, await world.open({ id: 'a' }));
  world.silence();
  peers.update([nodeOf(world, 'b', b)]);
  const controller = new AbortController();
  const cancelled = peers.channel('b', 'data').request('x', new Uint8Array(), { signal: controller.signal });
  const expired = peers.channel('b', 'data').request('x', new Uint8Array(), { timeoutMs: 20 });
  controller.abort();
  await assert.rejects(cancelled, { type: 'task_cancelled_exception' });
  await assert.rejects(world.pass(expired), { type: 'receive_timeout_transport_exception' });
  peers.close();
  await world.close();
});

test('a crashed node is proved dead within 10 virtual milliseconds', async () => {
  const world = simulatedWorld();
  const b = await world.open({ id: 'b' });
  const { peers, events } = peersOf(world, await world.open({ id: 'a' }));
  peers.update([nodeOf(world, 'b', b)]);
  await world.until(() => peers.isUp('b'));
  const startMs = world.clock.monotonic();
  world.network.crash('b');
  await world.until(() => events.length === 2);
  assert.deepEqual(events, ['up b b-1', 'down b refused']);
  assert.ok(world.clock.monotonic() - startMs < 10);
  const again = await world.open({ id: 'b', facts: { ephemeralId: 'b-2' } });
  peers.update([nodeOf(world, 'b', again, 2)]);
  await world.until(() => events.length === 3);
  assert.deepEqual(events[2], 'up b b-2');
  peers.close();
});
