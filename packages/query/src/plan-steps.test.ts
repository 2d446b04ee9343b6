import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryIndex } from './testing/memory-index.js';
import type { ParsedQuery, PlanContext } from './parsed-query.js';
import { planQuery } from './plan-query.js';
import { PlanSteps } from './plan-steps.js';
import { boolPlan } from './queries/bool.js';

const index = memoryIndex({ mapping: { k: { type: 'keyword' } }, documents: [{ k: 'a' }] });
const searcher = await index.searcher([[0]]);

/** A query that counts how often it is planned; `inner` are planned as parts of it. */
function counted(counts: Map<string, number>, name: string, inner: readonly ParsedQuery[], shows = false): ParsedQuery {
  return {
    type: 'counted',
    boost: 1,
    queryName: null,
    plan(context) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const should = inner.map((query) => planQuery(query, context));
      if (shows) context.innerHits.push({ name, path: 'p', query: this, body: {} });
      return should.length === 0 ? { kind: 'ids', ids: [name], boost: 1 } : boolPlan({ should });
    },
  };
}

function contextOf(steps: PlanSteps): PlanContext {
  return { searcher, now: () => 0, nestedPath: null, innerHits: [], steps };
}

test('planning gives the thread back after each plan, and begins anew with the plans that are made', async () => {
  const counts = new Map<string, number>();
  const leaves = Array.from({ length: 50 }, (_, i) => counted(counts, `leaf ${i}`, []));
  const query = counted(counts, 'outer', [counted(counts, 'inner', leaves)]);
  let turns = 0;
  const steps = new PlanSteps(async () => void turns++);
  const context = contextOf(steps);
  const made = steps.run(context, () => planQuery(query, context));
  assert.ok(made instanceof Promise);
  const plan = await made;
  assert.deepEqual(plan, planQuery(query, contextOf(new PlanSteps(() => null))));
  assert.equal(turns, 49);
  for (let i = 0; i < 50; i++) assert.equal(counts.get(`leaf ${i}`), 2, `leaf ${i}: once in turns, once at a stretch`);
});

test('planning that fits in a turn is over at once', () => {
  const steps = new PlanSteps(() => null);
  const context = contextOf(steps);
  const made = steps.run(context, () => planQuery(counted(new Map(), 'leaf', []), context));
  assert.deepEqual(made, { kind: 'ids', ids: ['leaf'], boost: 1 });
});

test('inner hits are collected once, in their order, however often planning begins anew', async () => {
  const leaves = Array.from({ length: 20 }, (_, i) => counted(new Map(), `hits ${i}`, [], i % 2 === 0));
  const steps = new PlanSteps(async () => undefined);
  const context = contextOf(steps);
  await steps.run(context, () => planQuery(counted(new Map(), 'outer', leaves), context));
  assert.deepEqual(
    context.innerHits.map(({ name }) => name),
    leaves.flatMap((_, i) => (i % 2 === 0 ? [`hits ${i}`] : [])),
  );
});

test('a failure and a client that is gone end the planning', async () => {
  const failing: ParsedQuery = {
    type: 'failing',
    boost: 1,
    queryName: null,
    plan() {
      throw new Error('cannot be planned');
    },
  };
  const planned = async (pause: () => Promise<void>): Promise<unknown> => {
    const steps = new PlanSteps(pause);
    const context = contextOf(steps);
    const query = counted(new Map(), 'outer', [counted(new Map(), 'leaf', []), failing]);
    return steps.run(context, () => planQuery(query, context));
  };
  await assert.rejects(
    planned(async () => undefined),
    /cannot be planned/,
  );
  const gone = new Error('gone');
  await assert.rejects(
    planned(() => Promise.reject(gone)),
    gone,
  );
});
