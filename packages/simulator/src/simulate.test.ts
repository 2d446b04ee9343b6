import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { hunt } from './mutations/hunt.js';
import { MUTATIONS } from './mutations/mutations.js';
import { drawPlan } from './plan/draw-plan.js';
import type { Decision, Plan } from './plan/plan.js';
import { simulate } from './simulate.js';
import { inOwnTurn } from './time/drain-microtasks.js';

const SEEDS = new URL('../seeds/', import.meta.url);
const LIMIT = { timeout: 120_000 };
const NOTHING: readonly unknown[] = [];

test('the same seed runs the same way, to the last event', LIMIT, async () => {
  const [a, b] = await inOwnTurn(() =>
    [7, 7].map((seed) => simulate(drawPlan(seed, { swarm: true, activeMs: 1_500 }))),
  );
  assert.equal(a!.traceHash, b!.traceHash);
  assert.equal(a!.events, b!.events);
  assert.ok(a!.acked > 0);
});

for (const file of readdirSync(SEEDS).filter((name) => name.endsWith('.json'))) {
  test(`${file} fails no more`, LIMIT, async () => {
    const plan = JSON.parse(readFileSync(new URL(file, SEEDS), 'utf8')) as Plan;
    assert.deepEqual((await inOwnTurn(() => simulate(plan))).violations, NOTHING);
  });
}

test('a cluster without faults answers everything', LIMIT, async () => {
  const plan = drawPlan(11, { nodes: 3, activeMs: 3_000 });
  const calm: Plan = { ...plan, decisions: plan.decisions.filter((decision) => 'client' in decision) };
  const result = await inOwnTurn(() => simulate(calm));
  assert.deepEqual(result.violations, NOTHING);
  assert.ok(result.acked > 20);
});

test('divided shards, small limits and security answer clients that show credentials', LIMIT, async () => {
  const plan = drawPlan(11, { nodes: 3, activeMs: 3_000, hasJobs: false });
  const wanted: Decision[] = [
    { at: 2_000, kind: 'createKey', client: 0 },
    { at: 2_400, kind: 'createKey', client: 1 },
    { at: 2_700, kind: 'invalidateKey', client: 2, which: 0 },
    { at: 2_800, kind: 'snapshot', client: 1, index: 0 },
  ];
  const parted: Plan = {
    ...plan,
    nodeParts: { shardThreads: 3, isTight: true, isSecured: true },
    decisions: [...plan.decisions.filter((decision) => 'client' in decision), ...wanted].sort((a, b) => a.at - b.at),
  };
  const result = await inOwnTurn(() => simulate(parted));
  assert.deepEqual(result.violations, NOTHING);
  assert.ok(result.acked > 20);
  const refusals = [...result.failures.keys()].filter((failure) => /createKey|invalidateKey|snapshot/.test(failure));
  assert.deepEqual(refusals, []);
});

test('fresh seeds hold', LIMIT, async () => {
  const from = Math.floor(process.hrtime()[0] % 1_000_000) * 100;
  for (let seed = from; seed < from + 1; seed++) {
    const { violations } = await inOwnTurn(() => simulate(drawPlan(seed, { swarm: true, activeMs: 3_000 })));
    assert.deepEqual(violations, NOTHING, `npm run sim -- --seed ${seed} --swarm --active-ms 3000`);
  }
});

test('a disk that loses what it says it has is noticed', LIMIT, async () => {
  const lying = MUTATIONS.find(({ name }) => name === 'syncs of shard stores do nothing')!;
  assert.notEqual(await inOwnTurn(() => hunt(lying, 1, 10)), null);
});
