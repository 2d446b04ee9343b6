import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { emptyState } from '@shoal/state';
import { ApplyStates, type CommittedState } from './apply-states.js';
import { newStatistics } from './coordination-statistics.js';

const committed = (version: number): CommittedState => ({
  term: 1,
  version,
  state: { ...emptyState(), term: 1, version },
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('of the states committed while one is applied only the newest is, on top of what was applied', async () => {
  const steps: string[] = [];
  const ends: (() => void)[] = [];
  const statistics = newStatistics().applied;
  const states = new ApplyStates({
    clock: fakeClock(),
    apply: (state, previous) => {
      steps.push(`${previous.version} to ${state.version}`);
      return new Promise((resolve) => ends.push(resolve));
    },
    applied: ({ version }) => void steps.push(`applied ${version}`),
    failed: () => assert.fail('every state is applied'),
    statistics,
  });
  for (const version of [1, 2, 3]) states.commit(committed(version));
  assert.equal(states.state.version, 0);
  ends[0]!();
  await turn();
  ends[1]!();
  await turn();
  assert.deepEqual(steps, ['0 to 1', 'applied 1', '1 to 3', 'applied 3']);
  assert.equal(states.state.version, 3);
  assert.equal(statistics.count, 2);
});

test('a state that cannot be applied is reported, and is not the applied one', async () => {
  let failure: unknown = null;
  const states = new ApplyStates({
    clock: fakeClock(),
    apply: () => Promise.reject(new Error('broken')),
    applied: () => assert.fail('not applied'),
    failed: (error) => (failure = error),
    statistics: newStatistics().applied,
  });
  states.commit(committed(1));
  await turn();
  assert.equal((failure as Error).message, 'broken');
  assert.equal(states.state.version, 0);
});
