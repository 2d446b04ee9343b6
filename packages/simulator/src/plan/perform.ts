import type { World } from '../cluster/world.js';
import { indexName, type Requests } from '../workload/requests.js';
import { setRate } from '../time/node-clock.js';
import type { SimulatedNode } from '../cluster/simulated-node.js';
import type { Decision } from './plan.js';

type Of<K extends Decision['kind']> = Extract<Decision, { kind: K }>;

/** How much slower a slow repository is. */
const REPOSITORY_SLOW = 100;
const NETWORK_AT_REST = { minMs: 0.1, maxMs: 0.5 };

/** Returns the node that a client talks to: the wanted one, or the next that runs. */
function coordinatorOf(world: World, client: number): SimulatedNode | null {
  for (let i = 0; i < world.nodes.length; i++) {
    const node = world.nodes[(client + i) % world.nodes.length]!;
    if (node.process?.assembled && !node.process.gate.isPaused && !node.process.isEnding) return node;
  }
  return null;
}

function restart(world: World, node: SimulatedNode, downMs: number): void {
  world.after(downMs, () => node.start());
}

function crash(world: World, node: SimulatedNode, power: boolean, downMs: number): void {
  if (!node.process) return;
  node.crash(power);
  restart(world, node, downMs);
}

function partition(world: World, { group, oneWay, forMs }: Of<'partition'>): void {
  const { network, nodes } = world;
  const inside = nodes.filter(({ index }) => group.includes(index)).map(({ id }) => id);
  const outside = nodes.filter(({ index }) => !group.includes(index)).map(({ id }) => id);
  world.tail.note(
    `partition of ${group.map((index) => `n${index}`).join()}${oneWay ? ' in one direction' : ''} for ${forMs} ms`,
  );
  network.partition(inside, outside, { oneWay });
  world.after(forMs, () => network.heal());
}

function delay(world: World, { maxMs, tailShare, lossShare, forMs }: Of<'delay'>): void {
  world.tail.note(`packets take up to ${maxMs} ms, ${lossShare} are lost, for ${forMs} ms`);
  world.network.setDelay({ minMs: 0.1, maxMs, tailShare, tailMs: 500, lossShare });
  world.after(forMs, () => world.network.setDelay(NETWORK_AT_REST));
}

function disk(world: World, decision: Of<'slowDisk' | 'stalledDisk' | 'fullDisk' | 'diskError'>): void {
  const { device, name } = world.nodes[decision.node]!;
  const { loop } = world;
  world.tail.note(`${name}: ${decision.kind}${'forMs' in decision ? ` for ${decision.forMs} ms` : ''}`);
  if (decision.kind === 'stalledDisk') device.faults.stalledUntil = loop.now + decision.forMs;
  else if (decision.kind === 'fullDisk') device.faults.fullUntil = loop.now + decision.forMs;
  else if (decision.kind === 'diskError') device.faults.failures++;
  else if (decision.kind === 'slowDisk') {
    device.faults.slowFactor = decision.factor;
    world.after(decision.forMs, () => void (device.faults.slowFactor = 1));
  }
}

/** Kills or stops the elected master. */
function onMaster(world: World, { fault, forMs }: Of<'master'>): void {
  const master = world.nodes.find(({ id, running }) => running?.cluster.state().masterNodeId === id);
  if (!master) return;
  if (fault === 'pause') pause(world, master, forMs);
  else crash(world, master, fault === 'power', forMs);
}

function pause(world: World, node: SimulatedNode, forMs: number): void {
  const { process } = node;
  node.pause();
  world.after(forMs, () => {
    if (node.process === process) node.resume();
  });
}

function onRepository({ repositoryDevice, loop, tail, after }: World, { fault, forMs }: Of<'repository'>): void {
  tail.note(`repository: ${fault} for ${forMs} ms`);
  const { faults } = repositoryDevice;
  if (fault === 'fails') faults.failures++;
  else if (fault === 'stalled') faults.stalledUntil = loop.now + forMs;
  else faults.slowFactor = REPOSITORY_SLOW;
  if (fault === 'slow') after(forMs, () => void (faults.slowFactor = 1));
}

/** Damages a copy if another in-sync copy runs. */
function damage(world: World, decision: Of<'bitFlip' | 'lostWrite'>): void {
  const node = world.nodes[decision.node]!;
  const locations = node.stores.locations.filter((location) => world.copies.isSpared(location, node));
  const location = locations[Math.floor(decision.which * locations.length)];
  if (location === undefined) return;
  const done =
    decision.kind === 'bitFlip'
      ? node.stores.flipBit(location, decision.where, decision.bit)
      : node.process === null && node.stores.dropNewestBatch(location);
  if (!done) return;
  world.copies.damaged(location, node);
  world.tail.note(`${node.name}: ${decision.kind} in ${location}`);
}

function createIndex(
  requests: Requests,
  node: SimulatedNode,
  { index, shards, replicas, flushBytes }: Of<'createIndex'>,
): void {
  const settings = {
    index: {
      number_of_shards: String(shards),
      number_of_replicas: String(replicas),
      'unassigned.node_left.delayed_timeout': '2s',
      'translog.flush_threshold_size': `${flushBytes}b`,
    },
  };
  const mappings = { properties: { v: { type: 'long' }, t: { type: 'keyword' } } };
  requests.task(node, 'create-index', { name: indexName(index), body: { settings, mappings } });
}

function onIndex(node: SimulatedNode, index: number, act: (uuid: string) => void): void {
  const meta = [...node.running!.cluster.state().indices.values()].find(({ name }) => name === indexName(index));
  if (meta) act(meta.uuid);
}

function exclude(world: World, requests: Requests, { node, forMs }: Of<'exclusion'>): void {
  const by = coordinatorOf(world, node + 1);
  const { id, name } = world.nodes[node]!;
  if (!by) return;
  world.tail.note(`${name} is excluded from voting`);
  requests.task(by, 'add-voting-exclusions', { nodeIds: [id], nodeNames: [] });
  world.after(forMs, () => {
    const later = coordinatorOf(world, node + 1);
    if (later) requests.task(later, 'clear-voting-exclusions', {});
  });
}

/** Closes an index and opens it again, also in the middle of the closing. */
function closeFor(
  world: World,
  requests: Requests,
  node: SimulatedNode,
  { client, index, forMs }: Of<'closeIndex'>,
): void {
  onIndex(node, index, (uuid) => requests.task(node, 'close-index', { uuids: [uuid] }));
  world.after(forMs, () => {
    const later = coordinatorOf(world, client);
    if (later) onIndex(later, index, (uuid) => requests.task(later, 'open-index', { uuids: [uuid] }));
  });
}

function move(world: World, requests: Requests, { index, shard, to }: Of<'move'>): void {
  const by = coordinatorOf(world, to);
  if (!by) return;
  onIndex(by, index, (uuid) => {
    const copies = by.running!.cluster.state().routing.get(uuid)?.[shard] ?? [];
    const target = world.nodes[to]!.id;
    const from = copies.find(({ nodeId, state }) => state === 'STARTED' && nodeId !== target)?.nodeId;
    if (from && !copies.some(({ nodeId }) => nodeId === target))
      requests.task(by, 'reroute', {
        commands: [{ move: { index: indexName(index), shard, from_node: from, to_node: target } }],
      });
  });
}

/** Carries out a decision of the plan. */
export function perform(world: World, requests: Requests, decision: Decision): void {
  if (world.isHealed) return;
  switch (decision.kind) {
    case 'kill':
    case 'power':
      return crash(world, world.nodes[decision.node]!, decision.kind === 'power', decision.downMs);
    case 'killAll':
      for (const node of world.nodes) crash(world, node, decision.power, decision.downMs);
      return;
    case 'terminate': {
      const node = world.nodes[decision.node]!;
      return node.terminate(() => restart(world, node, world.isHealed ? 1 : decision.downMs));
    }
    case 'endThread':
      return world.nodes[decision.node]!.endThread(decision.which);
    case 'pause':
      return pause(world, world.nodes[decision.node]!, decision.forMs);
    case 'master':
      return onMaster(world, decision);
    case 'repository':
      return onRepository(world, decision);
    case 'partition':
      return partition(world, decision);
    case 'reset':
      return world.network.reset(world.nodes[decision.a]!.id, world.nodes[decision.b]!.id);
    case 'delay':
      return delay(world, decision);
    case 'slowDisk':
    case 'stalledDisk':
    case 'fullDisk':
    case 'diskError':
      return disk(world, decision);
    case 'bitFlip':
    case 'lostWrite':
      return damage(world, decision);
    case 'wallJump':
      world.nodes[decision.node]!.clock.offsetMs += decision.byMs;
      return;
    case 'drift':
      return setRate(world.nodes[decision.node]!.clock, world.loop.now, decision.rate);
    case 'duplicates':
      world.tail.note(`${decision.share} of the messages arrive twice for ${decision.forMs} ms`);
      Object.assign(world.duplicates, { share: decision.share, untilMs: world.loop.now + decision.forMs });
      return;
    case 'exclusion':
      return exclude(world, requests, decision);
    case 'move':
      return move(world, requests, decision);
    default:
      return request(world, requests, decision);
  }
}

function request(world: World, requests: Requests, decision: Extract<Decision, { client: number }>): void {
  const node = coordinatorOf(world, decision.client);
  if (!node) return;
  switch (decision.kind) {
    case 'write':
      return requests.write(node, decision.writes);
    case 'get':
      return requests.get(node, decision.index, decision.doc);
    case 'search':
      return requests.search(node, decision.index);
    case 'refresh':
      return requests.refresh(node, decision.index);
    case 'flush':
      return requests.broadcast(node, decision.index, decision.kind);
    case 'createIndex':
      return createIndex(requests, node, decision);
    case 'deleteIndex':
      return onIndex(node, decision.index, (uuid) => requests.task(node, 'delete-index', { uuids: [uuid] }));
    case 'closeIndex':
      return closeFor(world, requests, node, decision);
    case 'replicas':
      return onIndex(node, decision.index, (uuid) =>
        requests.task(node, 'update-settings', {
          uuids: [uuid],
          settings: { 'index.number_of_replicas': String(decision.replicas) },
        }),
      );
    case 'snapshot':
      return requests.snapshot(node, decision.index);
    case 'job':
      return requests.jobs.do(node, decision.act);
    case 'ageing':
      return requests.ageing.do(node, decision.act, decision.which);
    case 'createKey':
      return requests.createKey(node);
    case 'invalidateKey':
      return requests.invalidateKey(node, decision.which);
    case 'settings':
      return requests.task(node, 'cluster-settings', {
        persistent: {},
        transient: { 'cluster.routing.allocation.node_concurrent_recoveries': String(1 + (decision.value % 8)) },
      });
  }
}
