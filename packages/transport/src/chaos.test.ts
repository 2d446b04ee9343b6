import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { seededRandom } from '@shoal/doors';
import { runs } from '@shoal/testing';
import { grpcWorld } from './test/grpc-world.js';
import { simulatedWorld } from './test/simulated-world.js';
import { createPeers } from './peers.js';
import type { TransportHandler } from './types.js';

const EXPECTED = new Set([
  'node_disconnected_exception',
  'node_not_connected_exception',
  'receive_timeout_transport_exception',
  'task_cancelled_exception',
  'es_rejected_execution_exception',
]);

const IDS = ['a', 'b', 'c'];

/** Three linked nodes, a generator of whole numbers below a bound, and how many handlers run. */
interface Scene {
  readonly world: ReturnType<typeof simulatedWorld>;
  readonly draw: (below: number) => number;
  readonly chance: (share: number) => boolean;
  readonly peers: readonly ReturnType<typeof createPeers>[];
  readonly running: () => number;
}

async function openScene(seed: number): Promise<Scene> {
  const world = simulatedWorld(seed);
  const random = seededRandom(seed + 1000);
  const draw = (below: number): number => Math.floor(random.next() * below);
  let running = 0;
  const handler: TransportHandler = async (_from, _action, payload, signal) => {
    running++;
    await new Promise<void>((resolve) => {
      world.clock.after(draw(20), resolve);
      signal.addEventListener('abort', () => resolve());
    });
    running--;
    return payload;
  };
  const transports = await Promise.all(IDS.map((id) => world.open({ id, handler })));
  const nodes = IDS.map((id, i) => ({ id, ephemeralId: `${id}-1`, name: id, address: transports[i]!.boundAddress }));
  const peers = transports.map((transport, i) => {
    const opened = createPeers(transport, { clock: world.clock, log: world.log, localNodeId: IDS[i]! });
    opened.update(nodes);
    return opened;
  });
  return { world, draw, chance: (share) => random.next() < share, peers, running: () => running };
}

/** Sends a random request, which may be cancelled; resolves with how it ended. */
function ask({ world, draw, chance, peers }: Scene): Promise<string> {
  const [from, to] = [draw(3), draw(3)];
  const controller = new AbortController();
  const payload = new Uint8Array(chance(0.05) ? 900_000 : draw(5_000)).fill(from);
  const answer = peers[from]!.channel(IDS[to]!, chance(0.5) ? 'control' : 'data').request('x', payload, {
    timeoutMs: 10 + draw(500),
    signal: controller.signal,
  });
  const outcome = answer.then(
    (bytes) => (Buffer.from(bytes).equals(payload) ? 'answer' : 'wrong'),
    (error: { type: string }) => error.type,
  );
  if (chance(0.1)) world.clock.after(draw(30), () => controller.abort());
  return outcome;
}

function fault({ world, draw }: Scene): void {
  const [x, y] = [IDS[draw(3)]!, IDS[draw(3)]!];
  [
    () => world.network.partition([x], [y], { oneWay: true }),
    () => world.network.partition([x], [y]),
    () => world.network.heal(),
    () => world.network.reset(x, y),
    () => world.network.pause(x),
    () => IDS.forEach((id) => world.network.resume(id)),
    () => world.network.setDelay({ minMs: 0.1, maxMs: draw(20), lossShare: 0.01 }),
  ][draw(7)]!();
}

/** Runs random requests and faults; returns how the requests ended. */
async function chaos(seed: number): Promise<Map<string, number>> {
  const scene = await openScene(seed);
  const { world, draw, chance, peers } = scene;
  const outcomes = new Map<string, number>();
  const settled: Promise<void>[] = [];
  const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  for (let step = 0; step < 150; step++) {
    for (let i = draw(6); i > 0; i--) settled.push(ask(scene).then(count));
    if (chance(0.15)) fault(scene);
    const nextMs = world.clock.monotonic() + draw(15);
    await world.until(() => world.clock.monotonic() >= nextMs);
  }
  world.network.heal();
  IDS.forEach((id) => world.network.resume(id));
  await world.pass(Promise.all(settled));
  await world.until(() => scene.running() === 0);
  assert.equal(
    [...outcomes.values()].reduce((sum, ended) => sum + ended, 0),
    settled.length,
  );
  await everyLinkAnswers(scene);
  for (const one of peers) one.close();
  await world.close();
  return outcomes;
}

async function everyLinkAnswers({ world, peers }: Scene): Promise<void> {
  await world.until(() => peers.every((one, i) => IDS.every((id) => id === IDS[i] || one.isUp(id))));
  await world.pass(
    Promise.all(
      peers.flatMap((one, i) =>
        IDS.filter((id) => id !== IDS[i]).map((id) => one.channel(id, 'data').request('x', new Uint8Array(7))),
      ),
    ),
  );
}

test('whatever happens to the network, each request ends once, as itself or as an error of links, and all is well ' +
  'after healing', {
  timeout: 60_000,
}, async () => {
  const total = new Map<string, number>();
  for (let seed = 1; seed <= runs(4); seed++) {
    for (const [outcome, count] of await chaos(seed)) {
      assert.ok(outcome === 'answer' || EXPECTED.has(outcome), `seed ${seed}: ${outcome}`);
      total.set(outcome, (total.get(outcome) ?? 0) + count);
    }
  }
  for (const outcome of [
    'answer',
    'node_disconnected_exception',
    'node_not_connected_exception',
    'receive_timeout_transport_exception',
    'task_cancelled_exception',
  ]) {
    assert.ok(total.has(outcome), `${outcome} never happened: ${JSON.stringify([...total])}`);
  }
});

/** Sends bytes to a port; resolves when the connection is closed, or after a tenth of a second. */
function send(address: string, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(address.slice(address.lastIndexOf(':') + 1)), '127.0.0.1', () =>
      socket.write(bytes),
    );
    const timer = setTimeout(() => socket.destroy(), 100);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

test('bytes that are not gRPC harm neither the listener nor a dialer', { timeout: 20_000 }, async () => {
  const world = grpcWorld();
  const random = seededRandom(5);
  const b = await world.open({ id: 'b' });
  const a = await world.open({ id: 'a' });
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  const garbage = Array.from({ length: 40 }, (_, i) =>
    Buffer.concat([i % 2 === 0 ? preface : Buffer.alloc(0), random.bytes(20 + i * 30)]),
  );
  await Promise.all([...garbage, Buffer.from('GET / HTTP/1.1\r\n\r\n')].map((bytes) => send(b.boundAddress, bytes)));
  const babbler = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(random.bytes(500));
  });
  await new Promise<void>((resolve) => babbler.listen(0, '127.0.0.1', resolve));
  const { port } = babbler.address() as net.AddressInfo;
  await assert.rejects(a.connect(`127.0.0.1:${port}`, { class: 'data', timeoutMs: 1_000 }), {
    type: 'connect_transport_exception',
  });
  babbler.close();
  const link = await a.connect(b.boundAddress, { class: 'data', timeoutMs: 5_000 });
  assert.deepEqual([...(await link.request('x', new Uint8Array([1])))], [1]);
  await world.close();
});

test('connections that break in the middle of large messages leave nothing behind', { timeout: 20_000 }, async () => {
  const world = grpcWorld();
  const b = await world.open({ id: 'b' });
  const a = await world.open({ id: 'a' });
  // The pause before a redial doubles up to seconds; in this test time runs 20 times as fast.
  const hasty = { ...world.clock, after: (ms: number, run: () => void) => world.clock.after(ms / 20, run) };
  const { peers, ends } = {
    peers: createPeers(a, { clock: hasty, log: world.log, probeTimeoutMs: 2_000 }),
    ends: new Map<string, number>(),
  };
  peers.update([{ id: 'b', ephemeralId: 'b-1', name: 'b', address: world.addressOf(b) }]);
  // The moment of the break differs by machine: repeats until one break came in the middle of a message.
  for (let round = 0; round < 8 || !ends.has('node_disconnected_exception'); round++) {
    await world.until(() => peers.isUp('b'));
    const all = Array.from({ length: 6 }, () =>
      peers
        .channel('b', 'data')
        .request('x', new Uint8Array(3_000_000), { timeoutMs: 5_000 })
        .then(
          () => 'answer',
          (error: { type: string }) => error.type,
        )
        .then((outcome) => ends.set(outcome, (ends.get(outcome) ?? 0) + 1)),
    );
    await new Promise((resolve) => setTimeout(resolve, 5 + (round % 8) * 4));
    world.sever();
    await Promise.all(all);
  }
  await world.until(() => peers.isUp('b'));
  for (const outcome of ends.keys()) assert.ok(outcome === 'answer' || EXPECTED.has(outcome), outcome);
  peers.close();
  await world.until(() => b.stats().serverOpen === 0);
  await world.close();
});
