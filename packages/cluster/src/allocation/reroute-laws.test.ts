import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ClusterState, type ShardRouting, isActive, isRelocationTarget } from '@shoal/state';
import { primaryOf } from './copies.js';
import { Allocation } from './allocation.js';
import { canAllocate, canRemain } from './decide.js';
import { reroute } from './reroute.js';
import { TestCluster, cluster, counts, testNode } from './testing/clusters.js';

const settingsOf = fc.record({ shards: fc.integer({ min: 1, max: 5 }), replicas: fc.integer({ min: 0, max: 2 }) });
const KINDS = [
  'leave',
  'join',
  'start',
  'start',
  'start',
  'fail',
  'stale',
  'later',
  'reroute',
  'move',
  'cancel',
  'yield',
  'drain',
  'elect',
  'replicas',
] as const;
type Event = { readonly kind: (typeof KINDS)[number]; readonly pick: number };
const events: fc.Arbitrary<Event[]> = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(1000) }), {
  maxLength: 60,
});

function play(c: TestCluster, { kind, pick }: Event): void {
  const copies = c.copies();
  const ids = [...c.state.nodes.keys()];
  const copy = copies[pick % Math.max(1, copies.length)];
  const about = copy && { indexUuid: copy.indexUuid, shard: copy.shard, allocationId: copy.allocationId };
  if (kind === 'leave' && ids.length > 1) c.leave(ids[pick % ids.length]!);
  else if (kind === 'join') c.run('node-join', { nodes: [testNode(`n${pick % 5}`, { ephemeralId: `p${pick}` })] });
  else if (kind === 'start' && copy?.state === 'INITIALIZING') c.run('shard-started', about);
  else if (kind === 'fail' && copy?.allocationId)
    c.run('shard-failed', { ...about, failure: { type: 'x', reason: 'y' } });
  else if (kind === 'stale' && copy?.allocationId && !copy.primary)
    c.run('shard-failed', { ...about, markStale: true });
  else if (kind === 'later') c.nowMs += pick * 100;
  else if (kind === 'reroute') c.run('reroute', {});
  else if (kind === 'replicas' && copy)
    c.run('update-settings', { uuids: [copy.indexUuid], settings: { 'index.number_of_replicas': String(pick % 4) } });
  else operate(c, kind, pick, ids, copy);
}

/** What operators and nodes that end ask for. */
function operate(
  c: TestCluster,
  kind: Event['kind'],
  pick: number,
  ids: readonly string[],
  copy: ShardRouting | undefined,
): void {
  const node = c.state.nodes.get(ids[pick % ids.length]!)!;
  const index = copy && c.state.indices.get(copy.indexUuid)!.name;
  if (kind === 'drain')
    c.run('node-draining', { id: node.id, ephemeralId: node.ephemeralId, type: pick % 2 === 0 ? 'RESTART' : null });
  else if (kind === 'yield' && copy?.primary && copy.allocationId)
    c.run('yield-primary', { indexUuid: copy.indexUuid, shard: copy.shard, allocationId: copy.allocationId });
  else if (kind === 'elect')
    c.run('elected', {
      nodes: ids.filter((_, i) => i % 2 === pick % 2).map((id) => testNode(id, { ephemeralId: `q${pick}` })),
    });
  else if (kind === 'move' && copy?.nodeId)
    c.run('reroute', {
      explain: true,
      commands: [{ move: { index, shard: copy.shard, from_node: copy.nodeId, to_node: node.id } }],
    });
  else if (kind === 'cancel' && copy?.nodeId)
    c.run('reroute', { commands: [{ cancel: { index, shard: copy.shard, node: copy.nodeId, allow_primary: true } }] });
}

function checkShard(
  state: ClusterState,
  before: ClusterState,
  copies: readonly ShardRouting[],
  uuid: string,
  shard: number,
): void {
  const nodes = copies.flatMap((copy) => (copy.nodeId === null ? [] : [copy.nodeId]));
  assert.equal(new Set(nodes).size, nodes.length, 'two copies on one node');
  for (const id of nodes) assert.ok(state.nodes.has(id), 'a copy on a node that is gone');
  const meta = state.indices.get(uuid)!;
  const known = before.indices.get(uuid)?.inSync[shard] ?? [];
  if (known.length > 0) assert.ok(meta.inSync[shard]!.length > 0, 'the in-sync set became empty');
  for (const copy of copies)
    if (isActive(copy)) assert.ok(meta.inSync[shard]!.includes(copy.allocationId!), 'an active copy is not in sync');
  const standing = copies.filter((copy) => !isRelocationTarget(copy));
  assert.equal(standing.length, 1 + meta.numberOfReplicas);
  assert.equal(standing.filter((copy) => copy.primary).length, 1);
  checkPromotion(before, copies, meta.primaryTerms[shard]!, uuid, shard, known);
}

function checkPromotion(
  before: ClusterState,
  copies: readonly ShardRouting[],
  termNow: number,
  uuid: string,
  shard: number,
  known: readonly string[],
): void {
  const [was, is] = [primaryOf(before.routing.get(uuid)?.[shard] ?? []), primaryOf(copies)];
  if (!was || !is || !isActive(is) || was.allocationId === is.allocationId || was.state === 'RELOCATING') return;
  if (was.state === 'INITIALIZING' || was.state === 'UNASSIGNED') return;
  assert.ok(known.includes(is.allocationId!), 'a copy that was not in sync became primary');
  assert.ok(termNow > before.indices.get(uuid)!.primaryTerms[shard]!, 'a new primary in the old term');
}

function checkState(state: ClusterState, before: ClusterState): void {
  for (const [uuid, table] of state.routing)
    table.forEach((copies, shard) => checkShard(state, before, copies, uuid, shard));
}

test(
  'whatever happens: one copy a node, primaries only from the ' + 'in-sync set and in a new term, the set never empty',
  () => {
    fc.assert(
      fc.property(fc.array(settingsOf, { minLength: 1, maxLength: 3 }), events, (indices, history) => {
        const c = cluster('n0', 'n1', 'n2').withStores();
        indices.forEach(({ shards, replicas }, i) => c.create(`i${i}`, shards, replicas));
        for (const event of history) {
          const before = c.state;
          play(c, event);
          checkState(c.state, before);
        }
      }),
      { numRuns: 200 },
    );
  },
);

function hasGoodStore(c: TestCluster, copy: ShardRouting): boolean {
  const known = c.state.indices.get(copy.indexUuid)!.inSync[copy.shard]!;
  return (
    known.length === 0 || c.stores(copy.indexUuid, copy.shard).some((store) => known.includes(store.allocationId!))
  );
}

test('left alone a cluster comes to rest, even and with no rule broken', () => {
  fc.assert(
    fc.property(
      fc.array(settingsOf, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 2, max: 6 }),
      events,
      (indices, size, history) => {
        const c = cluster(...Array.from({ length: size }, (_, i) => `n${i}`)).withStores();
        indices.forEach(({ shards, replicas }, i) => c.create(`i${i}`, shards, replicas));
        for (const event of history) play(c, event);
        for (const { id, ephemeralId } of c.state.nodes.values())
          c.run('node-draining', { id, ephemeralId, type: null });
        c.nowMs += 3_600_000;
        c.run('reroute', { retryFailed: true });
        c.nowMs += 3_600_000;
        c.settle();
        const allocation = new Allocation(c.state, c.context);
        for (const copy of c.copies()) {
          if (copy.nodeId !== null)
            assert.equal(canRemain(allocation, copy, allocation.nodes.get(copy.nodeId)!), 'YES');
          else if (copy.primary) assert.ok(!hasGoodStore(c, copy), 'a primary finds its place where its data is');
        }
        const held = Object.values(counts(c));
        const unassigned = c.copies().some((copy) => copy.state === 'UNASSIGNED');
        if (!unassigned)
          assert.ok(Math.max(...held) - Math.min(...held) <= 2 + indices.length, `uneven: ${held.join(' ')}`);
        assert.equal(reroute(c.state, c.context), c.state, 'at rest nothing changes');
      },
    ),
    { numRuns: 60 },
  );
});

const rules = fc.record({
  zones: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  excluded: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
  required: fc.option(fc.integer({ min: 0, max: 2 }), { nil: null }),
  host: fc.boolean(),
});

test('rules hold once a cluster is at rest, and a copy is left out only where they leave no node', () => {
  fc.assert(
    fc.property(
      fc.array(settingsOf, { minLength: 1, maxLength: 3 }),
      rules,
      (indices, { zones, limit, excluded, required, host }) => {
        const c = new TestCluster(
          Array.from({ length: 6 }, (_, i) =>
            testNode(`n${i}`, { attributes: { zone: 'abc'[i % 3]! }, host: `h${i >> 1}` }),
          ),
        ).withStores();
        indices.forEach(({ shards, replicas }, i) =>
          c.create(
            `i${i}`,
            shards,
            replicas,
            limit === null ? {} : { 'routing.allocation.total_shards_per_node': limit },
          ),
        );
        c.settle();
        c.run('cluster-settings', {
          persistent: {
            'cluster.routing.allocation.awareness.attributes': zones ? 'zone' : null,
            'cluster.routing.allocation.exclude._name': excluded === null ? null : `n${excluded}`,
            'cluster.routing.allocation.same_shard.host': String(host),
          },
          transient: {},
        });
        if (required !== null)
          c.run('update-settings', {
            uuids: [c.uuid('i0')],
            settings: { 'index.routing.allocation.include.zone': 'abc'[required]! },
          });
        c.settle();
        const allocation = new Allocation(c.state, c.context);
        for (const copy of c.copies()) {
          const node = allocation.nodes.get(copy.nodeId ?? '');
          const others = [...allocation.nodes.values()].filter((other) => other !== node);
          const mayStay = node && canRemain(allocation, copy, node) === 'YES';
          if (!mayStay)
            assert.ok(
              others.every((other) => canAllocate(allocation, copy, other) === 'NO'),
              'some node would have taken it',
            );
        }
      },
    ),
    { numRuns: 60 },
  );
});
