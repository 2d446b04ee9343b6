import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import { fakeClock, type Log } from '@shoal/doors';
import { type ClusterState, emptyState } from '@shoal/state';
import { QuarantineKeeper } from './quarantine-keeper.js';

const MINUTE_MS = 60_000;
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A keeper of node n1 whose rounds are counted. */
function keeper(fails = false) {
  let state = { ...emptyState(), masterNodeId: 'n1' };
  let rounds = 0;
  const clock = fakeClock();
  const warnings: string[] = [];
  const quarantine = {
    async maintain(): Promise<void> {
      rounds++;
      if (fails) throw new Error('a shard is red');
    },
  };
  const waiters = new Set<() => void>();
  const waitFor = (condition: (next: ClusterState) => boolean, ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!condition(state)) return;
        waiters.delete(look);
        resolve(true);
      };
      waiters.add(look);
      clock.after(ms, () => (waiters.delete(look), resolve(false)));
    });
  const kept = new QuarantineKeeper({
    cluster: { state: () => state, waitFor } as unknown as ClusterService,
    coordinator: { quarantine } as unknown as Coordinator,
    nodeId: 'n1',
    log: { write: (_level: string, message: string) => void warnings.push(message) } as unknown as Log,
  });
  const done = kept.follow();
  return {
    kept,
    done,
    warnings,
    async become(change: Partial<typeof state>): Promise<void> {
      state = { ...state, ...change };
      for (const look of [...waiters]) look();
      await settle();
    },
    /** Returns the rounds so far after some time. */
    async after(ms: number): Promise<number> {
      clock.advance(ms);
      await settle();
      return rounds;
    },
  };
}

test('the master looks after quarantines once in an interval, other nodes do not', async () => {
  const one = keeper();
  assert.equal(await one.after(MINUTE_MS - 1), 0);
  assert.equal(await one.after(1), 1);
  await one.become({ masterNodeId: 'n2' });
  assert.equal(await one.after(MINUTE_MS), 1);
  await one.become({ masterNodeId: 'n1', persistentSettings: { 'shoal.quarantine.poll_interval': '5s' } });
  assert.equal(await one.after(5_000), 2);
  assert.equal(await one.after(5_000), 3);
});

test('a round that fails is told in the log, and the next one tries again', async () => {
  const one = keeper(true);
  assert.equal(await one.after(MINUTE_MS), 1);
  assert.equal(await one.after(MINUTE_MS), 2);
  assert.deepEqual(
    one.warnings,
    Array.from({ length: 2 }, () => 'quarantines could not be looked after'),
  );
});

test('a keeper that is closed ends', async () => {
  const one = keeper();
  one.kept.close();
  await one.become({});
  await one.done;
  assert.equal(await one.after(MINUTE_MS), 0);
});
