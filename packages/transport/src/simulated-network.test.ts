import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulatedWorld } from './test/simulated-world.js';
import type { PeerLink } from './types.js';

type SimulatedWorld = ReturnType<typeof simulatedWorld>;

async function connected(seed = 7): Promise<{ world: SimulatedWorld; link: PeerLink }> {
  const world = simulatedWorld(seed);
  const b = await world.open({ id: 'b' });
  const a = await world.open({ id: 'a' });
  return { world, link: await world.pass(a.connect(b.boundAddress, { class: 'data', timeoutMs: 1_000 })) };
}

const ask = (link: PeerLink, timeoutMs: number): Promise<Uint8Array> =>
  link.request('x', new Uint8Array([1]), { timeoutMs });

test('a partition holds what is sent until it heals, the link lives on', async () => {
  const { world, link } = await connected();
  world.network.partition(['a'], ['b']);
  await assert.rejects(world.pass(ask(link, 100)), { type: 'receive_timeout_transport_exception' });
  const held = ask(link, 10_000);
  world.network.heal();
  assert.deepEqual([...(await world.pass(held))], [1]);
});

test('a one-way partition loses answers only', async () => {
  const world = simulatedWorld();
  const seen: string[] = [];
  const b = await world.open({ id: 'b', handler: async (_from, action, payload) => (seen.push(action), payload) });
  const a = await world.open({ id: 'a' });
  const link = await world.pass(a.connect(b.boundAddress, { class: 'control', timeoutMs: 1_000 }));
  world.network.partition(['b'], ['a'], { oneWay: true });
  await assert.rejects(world.pass(ask(link, 50)), { type: 'receive_timeout_transport_exception' });
  assert.deepEqual(seen, ['x']);
});

test('a paused node answers nothing and goes on afterwards', async () => {
  const { world, link } = await connected();
  world.network.pause('b');
  await assert.rejects(world.pass(ask(link, 50)), { type: 'receive_timeout_transport_exception' });
  world.network.resume('b');
  assert.equal((await world.pass(ask(link, 50))).length, 1);
});

test(
  'a machine that is gone is silent, a process that is gone ' + 'refuses; its restart resets old connections',
  async () => {
    const world = simulatedWorld();
    const b = await world.open({ id: 'b' });
    const a = await world.open({ id: 'a' });
    const link = await world.pass(a.connect(b.boundAddress, { class: 'control', timeoutMs: 1_000 }));
    world.network.crash('b', { silent: true });
    assert.equal(await world.pass(a.probe(b.boundAddress)), 'silent');
    assert.equal(link.isClosed, false);
    const again = await world.open({ id: 'b', facts: { ephemeralId: 'b-2' } });
    assert.equal(again.boundAddress, b.boundAddress);
    await assert.rejects(world.pass(ask(link, 1_000)), { type: 'node_disconnected_exception' });
    world.network.crash('b');
    assert.equal(await world.pass(a.probe(b.boundAddress)), 'refused');
  },
);

test('a slow link takes its time', async () => {
  const { world, link } = await connected();
  world.network.setDelay({ minMs: 1, maxMs: 1, bytesPerSecond: 1_000_000 }, 'a', 'b');
  const startMs = world.clock.monotonic();
  await world.pass(link.request('x', new Uint8Array(2_000_000)));
  const tookMs = world.clock.monotonic() - startMs;
  assert.ok(tookMs > 2_000 && tookMs < 2_200, `${tookMs} ms`);
});

test('loss and a heavy tail delay, but neither lose nor reorder what a link carries', async () => {
  const world = simulatedWorld(11);
  const seen: number[] = [];
  const b = await world.open({
    id: 'b',
    handler: async (_from, _action, payload) => (seen.push(payload[0]!), payload),
  });
  const a = await world.open({ id: 'a' });
  const link = await world.pass(a.connect(b.boundAddress, { class: 'data', timeoutMs: 1_000 }));
  world.network.setDelay({ minMs: 1, maxMs: 5, tailShare: 0.05, tailMs: 20, lossShare: 0.02 });
  const all: Promise<Uint8Array>[] = [];
  for (let i = 0; i < 200; i++) {
    all.push(link.request('x', new Uint8Array([i])));
    await Promise.resolve();
    await Promise.resolve();
  }
  await world.pass(Promise.all(all));
  assert.deepEqual(
    seen,
    Array.from({ length: 200 }, (_, i) => i),
  );
});

test('the same seed gives the same history', async () => {
  const history = async (seed: number): Promise<string> => {
    const { world, link } = await connected(seed);
    world.network.setDelay({ minMs: 0.5, maxMs: 30, lossShare: 0.05 });
    const times: number[] = [];
    await world.pass(
      Promise.all(Array.from({ length: 20 }, () => ask(link, 60_000).then(() => times.push(world.clock.monotonic())))),
    );
    return times.join();
  };
  assert.equal(await history(3), await history(3));
  assert.notEqual(await history(3), await history(4));
});

test('a request that waited in the queue takes only the time along that is left', async () => {
  const world = simulatedWorld();
  const seen: [string, number | null][] = [];
  const b = await world.open({
    id: 'b',
    handler: async (_from, action, payload, _signal, { deadlineMs }) => (seen.push([action, deadlineMs]), payload),
  });
  const a = await world.open({ id: 'a' });
  const link = await world.pass(a.connect(b.boundAddress, { class: 'control', timeoutMs: 1_000 }));
  world.network.setDelay({ minMs: 0, maxMs: 0, bytesPerSecond: 10_000_000 }, 'a', 'b');
  const all = ['first', 'second'].map((action) => link.request(action, new Uint8Array(200_000), { timeoutMs: 10_000 }));
  const large = link.request('large', new Uint8Array(2_000_000));
  await world.until(() => seen.length === 2);
  const late = link.request('late', new Uint8Array(1), { timeoutMs: 10_000 });
  await world.pass(Promise.all([...all, large, late]));
  assert.deepEqual(seen.slice(0, 2), [
    ['first', 10_000],
    ['second', 10_000],
  ]);
  const deadlineMs = seen.find(([action]) => action === 'late')![1]!;
  assert.ok(deadlineMs < 10_000 && deadlineMs > 9_000, `${deadlineMs} ms`);
});

test('links that an earlier start of a node dialed end when the next start dials', async () => {
  const world = simulatedWorld();
  const events: string[] = [];
  const b = await world.open({
    id: 'b',
    onPeer: ({ type, peer, how }) => events.push(`${type} ${peer.ephemeralId} ${how?.reason}`),
  });
  const a = await world.open({ id: 'a' });
  await world.pass(a.connect(b.boundAddress, { class: 'control', timeoutMs: 1_000 }));
  world.network.crash('a', { silent: true });
  const again = await world.open({ id: 'a', facts: { ephemeralId: 'a-2' } });
  await world.pass(again.connect(b.boundAddress, { class: 'control', timeoutMs: 1_000 }));
  assert.deepEqual(events, ['opened a-1 undefined', 'closed a-1 node [a] was started again', 'opened a-2 undefined']);
});
